// Files that are one file, of which one is written, are refused before anything
// is read or written; links of both kinds and other names of it do not hide it.
// RUN: rm -rf %t && mkdir -p %t/folder && cp %s %t/k.mlir
// RUN: ln %t/k.mlir %t/hard.mlir && ln -s k.mlir %t/soft.mlir && ln -s missing.json %t/dangling.json && ln -s folder %t/elsewhere
// RUN: cp %t/k.mlir %t/before
// RUN: not swizzle-opt %t/k.mlir --hw-aware-swizzle="formula='return gx - 1 - x'" -o %t/k.mlir 2>&1 | FileCheck %s --check-prefix=OUTPUT
// RUN: not swizzle-opt %t/k.mlir --hw-aware-swizzle="formula='return gx - 1 - x'" -o %t/folder/../k.mlir 2>&1 | FileCheck %s --check-prefix=OUTPUT
// RUN: not swizzle-opt %t/k.mlir --hw-aware-swizzle="formula='return gx - 1 - x'" -o %t/hard.mlir 2>&1 | FileCheck %s --check-prefix=OUTPUT
// RUN: not swizzle-opt %t/soft.mlir --hw-aware-swizzle="formula='return gx - 1 - x'" -o %t/hard.mlir 2>&1 | FileCheck %s --check-prefix=OUTPUT
// RUN: not swizzle-opt %t/k.mlir --hw-aware-swizzle="formula='return gx - 1 - x' report=%t/soft.mlir" -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: not swizzle-opt %t/k.mlir --hw-aware-swizzle="formula='return gx - 1 - x' report=%t/out.mlir" -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not swizzle-opt %t/k.mlir --hw-aware-swizzle="formula='return gx - 1 - x' report=%t/dangling.json" -o %t/missing.json 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not swizzle-opt %t/k.mlir --hw-aware-swizzle="formula='return gx - 1 - x' report=%t/folder/r" -o %t/elsewhere/r 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not swizzle-opt %t/k.mlir --hw-aware-swizzle="agent=database database=%t/db chip=mi300x report=%t/db" -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=DATABASE
// RUN: not swizzle-opt %t/k.mlir --hw-aware-swizzle="hardware-file=%t/chip report=%t/chip" -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: echo '{"schema": "swizzle-agents/1", "agent": "command", "command": "false", "record": "%t/k.mlir"}' > %t/agents.json
// RUN: not swizzle-opt %t/k.mlir --hw-aware-swizzle="agent-config=%t/agents.json chip=mi300x" -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=RECORD
// RUN: diff %t/k.mlir %t/before
// RUN: not ls %t/out.mlir %t/missing.json %t/folder/r %t/db %t/chip

// What lies in memory is a file, under whichever folder.
// RUN: not swizzle-opt %t/k.mlir --hw-aware-swizzle="formula='return gx - 1 - x' report=/dev/shm/swizzle-one-file" -o /dev/shm/swizzle-one-file 2>&1 | FileCheck %s --check-prefix=BOTH

// Devices are no files.
// RUN: swizzle-opt %t/k.mlir --hw-aware-swizzle="formula='return gx - 1 - x' report=/dev/null" -o /dev/null

// OUTPUT: error: the input and the output are one file ({{.*}}); name another one for the output
// REPORT: error: the input and the report are one file ({{.*}}); name another one for the report
// BOTH: error: the output and the report are one file
// DATABASE: error: the database and the report are one file
// CHIP: error: the chip's description and the report are one file
// RECORD: error: the input and the recording are one file
gpu.module @m {
  gpu.func @k(%a: memref<16xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %f = arith.constant 1.0 : f32
    memref.store %f, %a[%x] : memref<16xf32>
    gpu.return
  }
}
