// `strict` lets through what is proved without assuming anything.
// RUN: swizzle-opt %s --swizzle-plan="formula='return gx - 1 - x' strict=true" | FileCheck %s
// CHECK: swizzle.remap
gpu.module @m {
  gpu.func @copy(%a: memref<16xf32> {llvm.noalias}, %b: memref<16xf32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = memref.load %a[%x] : memref<16xf32>
    memref.store %v, %b[%x] : memref<16xf32>
    gpu.return
  }
}

// A size that nobody knows and no address depends on.
// CHECK: gpu.func @fill
// CHECK: swizzle.remap
gpu.module @n {
  gpu.func @fill(%a: memref<?xf32>) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %t = gpu.thread_id x
    %c64 = arith.constant 64 : index
    %first = arith.muli %x, %c64 : index
    %i = arith.addi %first, %t : index
    %one = arith.constant 1.0 : f32
    memref.store %one, %a[%i] : memref<?xf32>
    gpu.return
  }
}
