// What a program proposes is proved and simulated, and applied if it is
// better by simulation.
// RUN: swizzle-opt %s > %t.before
// RUN: rm -rf %t.jsonl
// RUN: echo '{"schema": "swizzle-agents/1", "agent": "command", "rounds": 1, "record": "%t.jsonl"}' > %t.record.json
// RUN: echo '{"schema": "swizzle-agents/1", "agent": "planner", "rounds": 9, "replay": "%t.jsonl"}' > %t.replay.json
// RUN: swizzle-opt %s --swizzle-plan="agent-config=%t.record.json command='cat %S/Inputs/better.json' chip=mi300x" --remarks-filter=swizzle --remark-format=emitRemark > %t.better 2> %t.remarks
// RUN: FileCheck %s --check-prefix=BETTER < %t.better
// RUN: FileCheck %s --check-prefix=PASSED < %t.remarks
// BETTER: swizzle.remap{{.*}}num_xcds
// PASSED: Note="attempt #1 by command: profiled
// PASSED: Passed{{.*}}Proof=enumerated{{.*}}Reason="proposed by command, attempt 1 of 1"

// What was recorded is replayed without the program; options override what the
// file says, and `iterations` is `rounds`; agents take turns.
// RUN: swizzle-opt %s --swizzle-plan="agent-config=%t.replay.json agent=command command=false iterations=1 chip=mi300x" | diff %t.better -
// RUN: swizzle-opt %s --swizzle-plan="agent=planner,command command='cat %S/Inputs/better.json' iterations=2 chip=mi300x" | FileCheck %s --check-prefix=TURNS
// TURNS: swizzle.remap

// An illegal proposal leaves the kernel as it is, with the counterexample.
// RUN: swizzle-opt %s --hw-aware-swizzle="agent=command command='cat %S/Inputs/illegal.json' iterations=1 chip=mi300x" --remarks-filter=swizzle --remark-format=emitRemark 2> %t.illegal | diff %t.before -
// RUN: FileCheck %s --check-prefix=ILLEGAL < %t.illegal
// ILLEGAL: Missed{{.*}}Code=duplicate, Counterexample="workgroups (0,0) and (1,0) both map to (0,0){{.*}}agent 'command' failed (duplicate): illegal
// RUN: not swizzle-opt %s --hw-aware-swizzle="agent=command command='cat %S/Inputs/illegal.json' iterations=1 chip=mi300x on-failure=error" 2>&1 | FileCheck %s --check-prefix=FATAL
// FATAL: error: kernel 'k': agent 'command' failed (duplicate)

// So does an answer that is none, or a program that fails.
// RUN: swizzle-opt %s --hw-aware-swizzle="agent=command command='cat %S/Inputs/garbage.json' iterations=1 chip=mi300x" --remarks-filter=swizzle --remark-format=emitRemark 2> %t.garbage | diff %t.before -
// RUN: FileCheck %s --check-prefix=GARBAGE < %t.garbage
// GARBAGE: Missed{{.*}}Code=schema{{.*}}holds no JSON
// RUN: swizzle-opt %s --hw-aware-swizzle="agent=command command=false iterations=1 chip=mi300x" --remarks-filter=swizzle --remark-format=emitRemark 2> %t.program | diff %t.before -
// RUN: FileCheck %s --check-prefix=PROGRAM < %t.program
// PROGRAM: Missed{{.*}}Code=program
// RUN: swizzle-opt %s --hw-aware-swizzle="agent=command command=false iterations=1 chip=mi300x on-failure=planner" --remarks-filter=swizzle --remark-format=emitRemark 2> %t.planner > /dev/null
// RUN: FileCheck %s --check-prefix=PLANNER < %t.planner
// PLANNER: Note="agent 'command' failed (program){{.*}}the planner was asked instead"
// PLANNER: Passed
// RUN: not swizzle-opt %s --hw-aware-swizzle="agent=command command=false iterations=1 chip=mi300x on-failure=error" 2>&1 | FileCheck %s --check-prefix=PROGRAMERROR
// PROGRAMERROR: error: kernel 'k': agent 'command' failed (program)
gpu.module @m {
  gpu.func @k(%a: memref<64x1024xf32>, %out: memref<64x8x1024xf32>) kernel attributes {known_grid_size = array<i32: 8, 64, 1>, known_block_size = array<i32: 256, 1, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %t = gpu.thread_id x
    %v = memref.load %a[%y, %t] : memref<64x1024xf32>
    memref.store %v, %out[%y, %x, %t] : memref<64x8x1024xf32>
    gpu.return
  }
}
