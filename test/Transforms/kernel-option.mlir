// kernel= plans one kernel alone, also a function that nothing marks as one.
// RUN: swizzle-opt %s --swizzle-plan="formula='return gx - 1 - x' kernel=second" | FileCheck %s --check-prefix=SECOND
// RUN: swizzle-opt %s --swizzle-plan="formula='return gx - 1 - x' kernel=m::first" | FileCheck %s --check-prefix=FIRST
// RUN: swizzle-opt %s --swizzle-plan="formula='return gx - 1 - x' kernel=inner grid=16 block=1" | FileCheck %s --check-prefix=INNER
// RUN: not swizzle-opt %s --swizzle-plan="formula='return gx - 1 - x' kernel=third" 2>&1 | FileCheck %s --check-prefix=NONE
// SECOND-LABEL: gpu.func @first
// SECOND-NOT: swizzle.remap
// SECOND-LABEL: gpu.func @second
// SECOND: swizzle.remap
// FIRST-LABEL: gpu.func @first
// FIRST: swizzle.remap
// FIRST-LABEL: gpu.func @second
// FIRST-NOT: swizzle.remap
// INNER: func.func private @inner
// INNER: swizzle.remap
// INNER-LABEL: gpu.func @first
// INNER-NOT: swizzle.remap
// NONE: error: no kernel is called third; there are m::first, m::second
func.func private @inner(%a: memref<16xf32>) {
  %x = gpu.block_id x
  %f = arith.constant 1.0 : f32
  memref.store %f, %a[%x] : memref<16xf32>
  return
}
gpu.module @m {
  gpu.func @first(%a: memref<16xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %f = arith.constant 1.0 : f32
    memref.store %f, %a[%x] : memref<16xf32>
    gpu.return
  }
  gpu.func @second(%a: memref<16xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %f = arith.constant 1.0 : f32
    memref.store %f, %a[%x] : memref<16xf32>
    gpu.return
  }
}
