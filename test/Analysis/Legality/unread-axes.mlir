// Workgroups that differ only along an axis whose id is not read do the same. Where no
// memory is both read and written, they may do it in any order.
//
// RUN: swizzle-opt %s --hw-aware-swizzle="chip=h100 strict=true formula='return gx - 1 - x, y'" -o /dev/null 2>&1 | FileCheck %s

// CHECK-DAG: {{^}}same: remapped for h100
// CHECK-DAG: {{^}}reads_other: remapped for h100
// CHECK-DAG: {{^}}adds: remapped for h100
// Each doubles what the other one has written.
// CHECK-DAG: {{^}}twice: may not be remapped (cross-workgroup-write)
// What is written differs, though its place does not.
// CHECK-DAG: {{^}}value_of_axis: may not be remapped (cross-workgroup-write)
// CHECK-DAG: {{^}}in_helper: may not be remapped (cross-workgroup-write)
// Workgroups of different ids that are read meet.
// CHECK-DAG: {{^}}meets: may not be remapped (cross-workgroup-write)
gpu.module @m {
  func.func private @row() -> index {
    %y = gpu.block_id y
    return %y : index
  }
  gpu.func @same(%a: memref<4096xindex>) kernel attributes {known_grid_size = array<i32: 16, 8, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    memref.store %x, %a[%x] : memref<4096xindex>
    gpu.return
  }
  gpu.func @reads_other(%a: memref<4096xf32> {llvm.noalias}, %b: memref<4096xf32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 16, 8, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %f = memref.load %b[%x] : memref<4096xf32>
    memref.store %f, %a[%x] : memref<4096xf32>
    gpu.return
  }
  gpu.func @adds(%a: memref<4096xi32>) kernel attributes {known_grid_size = array<i32: 16, 8, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %c1 = arith.constant 1 : i32
    %x = gpu.block_id x
    %old = memref.atomic_rmw addi %c1, %a[%x] : (i32, memref<4096xi32>) -> i32
    gpu.return
  }
  gpu.func @twice(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 16, 8, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %f = memref.load %a[%x] : memref<4096xf32>
    %g = arith.addf %f, %f : f32
    memref.store %g, %a[%x] : memref<4096xf32>
    gpu.return
  }
  gpu.func @value_of_axis(%a: memref<4096xindex>) kernel attributes {known_grid_size = array<i32: 16, 8, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    memref.store %y, %a[%x] : memref<4096xindex>
    gpu.return
  }
  gpu.func @in_helper(%a: memref<4096xindex>) kernel attributes {known_grid_size = array<i32: 16, 8, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %y = func.call @row() : () -> index
    memref.store %y, %a[%x] : memref<4096xindex>
    gpu.return
  }
  gpu.func @meets(%a: memref<4096xindex>) kernel attributes {known_grid_size = array<i32: 16, 8, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %c2 = arith.constant 2 : index
    %x = gpu.block_id x
    %i = arith.divui %x, %c2 : index
    memref.store %x, %a[%i] : memref<4096xindex>
    gpu.return
  }
}
