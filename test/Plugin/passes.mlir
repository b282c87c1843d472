// The passes work in a stock mlir-opt.

// REQUIRES: no-sanitizers
// RUN: %llvm_tools/mlir-opt %s --load-pass-plugin=%swizzle_bin_root/lib/SwizzlePlugin.so --load-dialect-plugin=%swizzle_bin_root/lib/SwizzlePlugin.so --pass-pipeline='builtin.module(swizzle-print-model)' -o /dev/null | FileCheck %s

// CHECK: kernel @kernels::@transpose grid 64x48x1 block 32x1x1
// CHECK: read arg0[
// CHECK: write arg1[
gpu.module @kernels {
  gpu.func @transpose(%in: memref<48x2048xf32>, %out: memref<2048x48xf32>) kernel attributes {known_grid_size = array<i32: 64, 48, 1>, known_block_size = array<i32: 32, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c32 = arith.constant 32 : index
    %x0 = arith.muli %bx, %c32 : index
    %x = arith.addi %x0, %tx : index
    %value = memref.load %in[%by, %x] : memref<48x2048xf32>
    memref.store %value, %out[%x, %by] : memref<2048x48xf32>
    gpu.return
  }
}
