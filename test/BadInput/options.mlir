// Options that cannot be met are errors that say what would be right, and leave
// no report behind.
// RUN: rm -f %t.json
// RUN: not swizzle-opt %s --hw-aware-swizzle="chip=mi300y report=%t.json" 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not swizzle-opt %s --hw-aware-swizzle="report=%t.json" 2>&1 | FileCheck %s --check-prefix=NOCHIP
// RUN: not swizzle-opt %s --hw-aware-swizzle="formula='return x % num_xcds' report=%t.json" 2>&1 | FileCheck %s --check-prefix=NOCHIP
// RUN: not swizzle-opt %s --hw-aware-swizzle="chip=mi300x hardware-file=%s report=%t.json" 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not swizzle-opt %s --hw-aware-swizzle="hardware-file=%t.missing report=%t.json" 2>&1 | FileCheck %s --check-prefix=NOFILE
// RUN: not swizzle-opt %s --hw-aware-swizzle="formula='return x +' report=%t.json" 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: not swizzle-opt %s --hw-aware-swizzle="formula=@no-such-family report=%t.json" 2>&1 | FileCheck %s --check-prefix=FAMILY
// RUN: not swizzle-opt %s --hw-aware-swizzle="formula-file=%t.missing report=%t.json" 2>&1 | FileCheck %s --check-prefix=NOFILE
// RUN: not swizzle-opt %s --hw-aware-swizzle="formula='return x' formula-file=%s report=%t.json" 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not swizzle-opt %s --hw-aware-swizzle="formula='return x // 2' report=%t.json" 2>&1 | FileCheck %s --check-prefix=ILLEGAL
// RUN: not swizzle-opt %s --hw-aware-swizzle="formula='return x' grid=0x4 report=%t.json" 2>&1 | FileCheck %s --check-prefix=GRID
// RUN: not swizzle-opt %s --hw-aware-swizzle="formula='return x' grid=2147483648 report=%t.json" 2>&1 | FileCheck %s --check-prefix=GRID
// RUN: not swizzle-opt %s --hw-aware-swizzle="formula='return x' block=banana report=%t.json" 2>&1 | FileCheck %s --check-prefix=BLOCK
// RUN: not swizzle-opt %s --hw-aware-swizzle="formula='return x' on-failure=panic report=%t.json" 2>&1 | FileCheck %s --check-prefix=FAILURE
// RUN: not swizzle-opt %s --hw-aware-swizzle="formula='return x' simulate=some report=%t.json" 2>&1 | FileCheck %s --check-prefix=SIMULATE
// RUN: not swizzle-opt %s --hw-aware-swizzle="chip=mi300x simulate=off report=%t.json" 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: not swizzle-opt %s --hw-aware-swizzle="chip=mi300x simulate=off agent=database database=%s on-failure=planner report=%t.json" 2>&1 | FileCheck %s --check-prefix=OFFTOO
// RUN: not swizzle-opt %s --hw-aware-swizzle="chip=mi300x max-seconds=soon report=%t.json" 2>&1 | FileCheck %s --check-prefix=SECONDS
// RUN: not swizzle-opt %s --hw-aware-swizzle="agent=oracle on-failure=error report=%t.json" 2>&1 | FileCheck %s --check-prefix=AGENT
// RUN: not swizzle-opt %s --hw-aware-swizzle="iterations=0 report=%t.json" 2>&1 | FileCheck %s --check-prefix=ROUNDS
// RUN: not swizzle-opt %s --hw-aware-swizzle="rounds=few report=%t.json" 2>&1 | FileCheck %s --check-prefix=ROUNDS
// RUN: not swizzle-opt %s --hw-aware-swizzle="retries=2 report=%t.json" 2>&1 | FileCheck %s --check-prefix=MOVED
// RUN: not swizzle-opt %s --swizzle-plan="context=none report=%t.json" 2>&1 | FileCheck %s --check-prefix=MOVEDTOO
// RUN: not swizzle-opt %s --hw-aware-swizzle="nonsense=1 report=%t.json" 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not swizzle-opt %s --hw-aware-swizzle="formula='return x' report=-" -o %t.out 2>&1 | FileCheck %s --check-prefix=STDOUT
// RUN: not ls %t.json %t.out
// RUN: not ls ./-
// RUN: not swizzle-opt %s --hw-aware-swizzle="formula='return x' report=%t.no/such/folder.json" 2>&1 | FileCheck %s --check-prefix=REPORT

// CHIP: error: {{.*}}mi300y{{.*}}mi300x
// NOCHIP: error: {{.*}}mi300x
// STDOUT: error: option 'report' is '-', but standard output is the module's; name a file, or /dev/stdout if the module goes to a file of its own (-o FILE)
// BOTH: error: {{.*}}
// NOFILE: error: {{.*}}
// SYNTAX: error: formula:1:
// FAMILY: error: {{.*}}no-such-family
// TWO: error: options 'formula' and 'formula-file' exclude each other
// ILLEGAL: error: kernel 'k':
// ILLEGAL: note: workgroups (0) and (1) both map to (0)
// GRID: error: option 'grid'
// BLOCK: error: option 'block'
// FAILURE: error: option 'on-failure' is 'panic'; it takes keep, planner or error
// SIMULATE: error: option 'simulate' is 'some'; it takes off, fast or full
// OFF: error: option 'simulate' is 'off', but agent 'planner' decides by simulation; give a formula or agent=database, or simulate=fast
// OFFTOO: error: option 'simulate' is 'off', but the planner, which 'on-failure' names, decides by simulation
// SECONDS: error: option 'max-seconds': max-seconds must be a number from 0, not 'soon'
// AGENT: error: option 'agent': there is no agent 'oracle'; available: planner
// ROUNDS: error: option 'rounds': rounds must be an integer from 1, not '{{0|few}}'
// MOVED: no such option retries: 'retries' is a key of the file that agent-config names
// MOVEDTOO: no such option context: 'context' is a key of the file that agent-config names
// OPTION: no such option nonsense
// REPORT: error: cannot write the report
gpu.module @m {
  gpu.func @k(%a: memref<16xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %f = arith.constant 1.0 : f32
    memref.store %f, %a[%x] : memref<16xf32>
    gpu.return
  }
}
