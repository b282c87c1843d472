// Tiles that are dealt out over 8 dies, and taken row by row afterwards. No formula
// about two workgroups tells them apart; going through all of them does.
//
// RUN: swizzle-opt %s --hw-aware-swizzle="chip=mi300x strict=true formula='return gx - 1 - x'" -o /dev/null 2>&1 | FileCheck %s

// CHECK-DAG: {{^}}tiles: remapped for mi300x
// The last tile of a die is the first of the next one.
// CHECK-DAG: {{^}}overlap: may not be remapped (cross-workgroup-write)
gpu.module @m {
  gpu.func @tiles(%a: memref<4096x4096xf32>) kernel attributes {known_grid_size = array<i32: 4096, 1, 1>, known_block_size = array<i32: 64, 4, 1>} {
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %each = arith.constant 512 : index
    %f = arith.constant 1.0 : f32
    %x = gpu.block_id x
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %die = arith.remui %x, %c8 : index
    %turn = arith.divui %x, %c8 : index
    %first = arith.muli %die, %each : index
    %id = arith.addi %first, %turn : index
    %row = arith.divsi %id, %c64 : index
    %column = arith.remsi %id, %c64 : index
    %i = arith.muli %row, %c64 : index
    %r = arith.muli %ty, %c16 : index
    %top = arith.addi %i, %r : index
    %j = arith.muli %column, %c64 : index
    %at = arith.addi %j, %tx : index
    memref.store %f, %a[%top, %at] : memref<4096x4096xf32>
    gpu.return
  }
  gpu.func @overlap(%a: memref<4096x4096xf32>) kernel attributes {known_grid_size = array<i32: 4096, 1, 1>, known_block_size = array<i32: 64, 4, 1>} {
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %each = arith.constant 511 : index
    %f = arith.constant 1.0 : f32
    %x = gpu.block_id x
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %die = arith.remui %x, %c8 : index
    %turn = arith.divui %x, %c8 : index
    %first = arith.muli %die, %each : index
    %id = arith.addi %first, %turn : index
    %row = arith.divsi %id, %c64 : index
    %column = arith.remsi %id, %c64 : index
    %i = arith.muli %row, %c64 : index
    %top = arith.addi %i, %ty : index
    %j = arith.muli %column, %c64 : index
    %at = arith.addi %j, %tx : index
    memref.store %f, %a[%top, %at] : memref<4096x4096xf32>
    gpu.return
  }
}
