// A condition that reads extents only may choose between two orders, on a grid
// that nobody knows.
// RUN: swizzle-opt %s --hw-aware-swizzle="formula='ok = gx % 8 == 0; i = y * gx + x; j = i % 8 * (gx * gy // 8) + i // 8; return (j % gx if ok else x), (j // gx if ok else y)'" --remarks-filter=swizzle --remark-format=emitRemark 2>&1 | FileCheck %s

// CHECK: Passed{{.*}}Proof=nest
// CHECK: swizzle.applied
// CHECK: arith.select
gpu.module @m {
  gpu.func @open(%a: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %f = arith.constant 1.0 : f32
    memref.store %f, %a[%y, %x] : memref<64x64xf32>
    gpu.return
  }
}
