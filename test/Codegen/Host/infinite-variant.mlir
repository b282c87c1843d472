// The tolerance of floating-point atomics does not make an infinity near to anything.

// RUN: sed 's/1.000000e+00/0x7F800000/' %s > %t.mlir
// RUN: not swizzle-check %s %t.mlir | FileCheck %s
// RUN: not swizzle-check %s %s --tolerance=1 2>&1 | FileCheck %s --check-prefix=LARGE
// CHECK: failed: {{.*}} element 0 of arg0 is inf (0x7f800000) in the variant and 1.93
// CHECK: compared with a tolerance of 0.001
// LARGE: tolerance

// It is for sums, which are rounded: the largest of some numbers is one of them.
// RUN: sed 's/addf/maxnumf/' %s > %t.max.mlir
// RUN: sed 's/addf/maxnumf/; s/1.000000e+00/1.000100e+00/' %s > %t.other.mlir
// RUN: not swizzle-check %t.max.mlir %t.other.mlir | FileCheck %s --check-prefix=EXACT
// EXACT: failed: {{.*}} in the variant and 1 (0x3f800000) in the original
// EXACT-NOT: tolerance

gpu.module @module {
  gpu.func @sum(%a: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 8, 1, 1>} {
    %t = gpu.thread_id x
    %v = arith.constant 1.000000e+00 : f32
    %o = memref.atomic_rmw addf %v, %a[%t] : (f32, memref<64xf32>) -> f32
    gpu.return
  }
}
