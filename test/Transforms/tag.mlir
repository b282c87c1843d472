// The tag keeps kernels from being remapped twice; it can be left out, or removed
// afterwards.
// RUN: swizzle-opt %s --hw-aware-swizzle="formula='return gx - 1 - x'" > %t.tagged
// RUN: FileCheck %s --check-prefix=ON < %t.tagged
// RUN: swizzle-opt %s --hw-aware-swizzle="formula='return gx - 1 - x' tag=off" > %t.off
// RUN: FileCheck %s --check-prefix=OFF < %t.off
// RUN: swizzle-opt %t.tagged --swizzle-strip-tags | diff - %t.off
// RUN: swizzle-opt %t.off --swizzle-strip-tags | diff - %t.off
// RUN: mlir-opt %t.off > %t.stock
// RUN: swizzle-opt %s --swizzle-plan="formula='return gx - 1 - x' tag=off" | FileCheck %s --check-prefix=PLAN
// RUN: not swizzle-opt %s --hw-aware-swizzle="tag=maybe" 2>&1 | FileCheck %s --check-prefix=WRONG
// ON: swizzle.applied
// OFF-NOT: swizzle
// OFF: arith.
// OFF-NOT: swizzle
// PLAN: swizzle.remap{{.*}} untagged
// WRONG: error: option 'tag' is 'maybe'; it takes on or off
gpu.module @m {
  gpu.func @k(%a: memref<16xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %f = arith.constant 1.0 : f32
    memref.store %f, %a[%x] : memref<16xf32>
    gpu.return
  }
}
