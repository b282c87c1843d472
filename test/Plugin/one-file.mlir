// Stock mlir-opt, too, does not overwrite its input with the report.
// REQUIRES: no-sanitizers
// RUN: cp %s %t.mlir && ln -f %t.mlir %t.hard.mlir
// RUN: not mlir-opt %t.mlir --load-dialect-plugin=%swizzle_bin_root/lib/SwizzlePlugin.so --load-pass-plugin=%swizzle_bin_root/lib/SwizzlePlugin.so --pass-pipeline="builtin.module(hw-aware-swizzle{formula='return gx - 1 - x' report=%t.hard.mlir})" 2>&1 | FileCheck %s
// RUN: cmp %s %t.mlir

// CHECK: error: the input and the report are one file ({{.*}}); name another one for the report

gpu.module @m {
  gpu.func @k(%a: memref<16xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %f = arith.constant 1.0 : f32
    memref.store %f, %a[%x] : memref<16xf32>
    gpu.return
  }
}
