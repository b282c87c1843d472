// A second run leaves a remapped kernel alone, unless it is told to go on from
// there.
// RUN: swizzle-opt %s --hw-aware-swizzle="formula='return gx - 1 - x'" -o %t.once
// RUN: swizzle-opt %t.once --hw-aware-swizzle="formula='return gx - 1 - x'" -o %t.twice
// RUN: diff %t.once %t.twice
// RUN: swizzle-opt %t.once --swizzle-plan="formula='return x ^ 1' compose=true" | FileCheck %s

// CHECK: %[[NX:[A-Za-z0-9]+]], %{{.*}}, %{{.*}} = swizzle.remap
// CHECK: arith.index_cast %[[NX]] : index to i32
gpu.module @m {
  gpu.func @k(%a: memref<16xf32>) kernel attributes {known_grid_size = array<i32: 16, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %f = arith.constant 1.0 : f32
    memref.store %f, %a[%x] : memref<16xf32>
    gpu.return
  }
}
