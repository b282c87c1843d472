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
