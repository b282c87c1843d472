// An option that the IR contradicts is ignored, and whoever gave it is told; who
// asks for proofs gets an error.
// RUN: swizzle-opt %s --hw-aware-swizzle="formula='return gx - 1 - x' grid=32" 2>&1 | FileCheck %s
// RUN: not swizzle-opt %s --hw-aware-swizzle="formula='return gx - 1 - x' grid=32 strict" 2>&1 | FileCheck %s --check-prefix=STRICT

// CHECK: warning: kernel 'rows': the option's grid 32x1x1 contradicts 64x1x1 of the kernel's attribute and is ignored
// CHECK: module {
// CHECK: gpu.func @rows
// CHECK-SAME: swizzle.applied
// STRICT: error: kernel 'rows': the option's grid 32x1x1 contradicts 64x1x1
gpu.module @m {
  gpu.func @rows(%a: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %f = arith.constant 1.0 : f32
    memref.store %f, %a[%x] : memref<64xf32>
    gpu.return
  }
}
