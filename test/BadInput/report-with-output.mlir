// The report appears only if the output did; a run that fails leaves the files of
// an earlier one as they are. Chunks of a split input share one report.
// RUN: rm -rf %t && mkdir %t && echo old > %t/out.mlir && echo old > %t/r.json
// RUN: not swizzle-opt %s --split-input-file --pass-pipeline="builtin.module(hw-aware-swizzle{formula='return gx - 1 - x' report=%t/r.json},func.func(no-such-pass))" -o %t/out.mlir
// RUN: not swizzle-opt %s --split-input-file --hw-aware-swizzle="formula='return gx - 2 - x' report=%t/r.json" -o %t/out.mlir
// RUN: not swizzle-opt %s --split-input-file --hw-aware-swizzle="formula='return gx - 1 - x' report=%t/r.json" -o %t/no/such/folder.mlir 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: cat %t/out.mlir %t/r.json | FileCheck %s --check-prefix=OLD
// FOLDER: error: cannot write the output '{{.*}}folder.mlir': {{[Nn]}}o such file or directory
// OLD: old
// OLD: old

// RUN: swizzle-opt %s --split-input-file --hw-aware-swizzle="formula='return gx - 1 - x' report=%t/r.json" -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=LINES
// RUN: FileCheck %s --check-prefix=REPORT < %t/r.json
// LINES: first: remapped; assumes that
// LINES-NEXT: second: remapped
// REPORT-COUNT-1: "schema": "swizzle-report/1"
// REPORT: "name": "first"
// REPORT: "name": "second"
// REPORT-NOT: "schema"
gpu.module @m {
  gpu.func @first(%a: memref<16xf32>, %b: memref<16xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %f = memref.load %b[%x] : memref<16xf32>
    memref.store %f, %a[%x] : memref<16xf32>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @second(%a: memref<16xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %f = arith.constant 1.0 : f32
    memref.store %f, %a[%x] : memref<16xf32>
    gpu.return
  }
}
