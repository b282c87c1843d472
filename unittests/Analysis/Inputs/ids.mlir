// Workgroup, thread and lane ids, whole and in pieces.
gpu.module @ids {
  gpu.func @all_axes(%a: memref<6x5x4x3x2x3xf32>) kernel attributes {known_grid_size = array<i32: 4, 5, 6>, known_block_size = array<i32: 3, 2, 3>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %bz = gpu.block_id z
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %tz = gpu.thread_id z
    %v = memref.load %a[%bz, %by, %bx, %tz, %ty, %tx] : memref<6x5x4x3x2x3xf32>
    gpu.return
  }

  gpu.func @global_id(%a: memref<35x12xf16>) kernel attributes {known_grid_size = array<i32: 3, 7, 1>, known_block_size = array<i32: 4, 5, 1>} {
    %x = gpu.global_id x
    %y = gpu.global_id y
    %f = arith.constant 1.0 : f16
    memref.store %f, %a[%y, %x] : memref<35x12xf16>
    gpu.return
  }

  gpu.func @dims_as_values(%a: memref<?xi8>) kernel attributes {known_grid_size = array<i32: 5, 3, 1>, known_block_size = array<i32: 2, 3, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %gx = gpu.grid_dim x
    %dx = gpu.block_dim x
    %dy = gpu.block_dim y
    %0 = arith.muli %by, %gx : index
    %1 = arith.addi %0, %bx : index
    %2 = arith.muli %1, %dy : index
    %3 = arith.addi %2, %ty : index
    %4 = arith.muli %3, %dx : index
    %5 = arith.addi %4, %tx : index
    %v = memref.load %a[%5] : memref<?xi8>
    gpu.return
  }

  gpu.func @linear_id_split(%a: memref<7x11x4xf32>) kernel attributes {known_grid_size = array<i32: 77, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = gpu.block_id x
    %tx = gpu.thread_id x
    %c11 = arith.constant 11 : index
    %y = arith.divui %b, %c11 : index
    %x = arith.remui %b, %c11 : index
    %v = memref.load %a[%y, %x, %tx] : memref<7x11x4xf32>
    gpu.return
  }

  gpu.func @lanes(%a: memref<4x64xf32>) kernel attributes {known_grid_size = array<i32: 3, 1, 1>, known_block_size = array<i32: 8, 6, 1>, test.not_lowered} {
    %bx = gpu.block_id x
    %l = gpu.lane_id
    %s = gpu.subgroup_id : index
    %c32 = arith.constant 32 : index
    %0 = arith.muli %s, %c32 : index
    %1 = arith.addi %0, %l : index
    %v = memref.load %a[%bx, %1] : memref<4x64xf32>
    %w = memref.load %a[%s, %l] : memref<4x64xf32>
    gpu.return
  }

  gpu.func @helper(%a: memref<24xf32>) kernel attributes {known_grid_size = array<i32: 4, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    %i = func.call @tile(%bx, %tx) : (index, index) -> index
    func.call @touch(%a, %i) : (memref<24xf32>, index) -> ()
    %j = func.call @tile(%tx, %bx) : (index, index) -> index
    func.call @touch(%a, %j) : (memref<24xf32>, index) -> ()
    gpu.return
  }


  func.func @tile(%b: index, %t: index) -> index {
    %c4 = arith.constant 4 : index
    %0 = arith.muli %b, %c4 : index
    %1 = arith.addi %0, %t : index
    return %1 : index
  }

  func.func @touch(%a: memref<24xf32>, %i: index) {
    %v = memref.load %a[%i] : memref<24xf32>
    return
  }

  gpu.func @narrow_ids(%a: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 13, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    %c = arith.constant 4 : i32
    %b32 = arith.index_cast %bx : index to i32
    %t32 = arith.index_cast %tx : index to i32
    %0 = arith.muli %b32, %c : i32
    %1 = arith.addi %0, %t32 : i32
    %2 = arith.extui %1 : i32 to i64
    %3 = arith.index_castui %2 : i64 to index
    %v = memref.load %a[%3] : memref<64xf32>
    gpu.return
  }

  gpu.func @delinearized(%a: memref<4x5x6xf32>) kernel attributes {known_grid_size = array<i32: 60, 1, 1>, known_block_size = array<i32: 2, 1, 1>} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %i:3 = affine.delinearize_index %b into (4, 5, 3) : index, index, index
    %x = affine.linearize_index [%i#2, %t] by (3, 2) : index
    %v = memref.load %a[%i#0, %i#1, %x] : memref<4x5x6xf32>
    %j:3 = affine.delinearize_index %b into (5, 3) : index, index, index
    %w = memref.load %a[%j#0, %j#1, %j#2] : memref<4x5x6xf32>
    gpu.return
  }

  gpu.func @grouped_by_hand(%a: memref<7x5x4xf32>) kernel attributes {known_grid_size = array<i32: 35, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = gpu.block_id x
    %tx = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %c7 = arith.constant 7 : index
    %c15 = arith.constant 15 : index
    %g = arith.divui %b, %c15 : index
    %first = arith.muli %g, %c3 : index
    %left = arith.subi %c7, %first : index
    %h = arith.minui %left, %c3 : index
    %k = arith.remui %b, %c15 : index
    %in = arith.remui %k, %h : index
    %y = arith.addi %first, %in : index
    %x = arith.divui %k, %h : index
    %v = memref.load %a[%y, %x, %tx] : memref<7x5x4xf32>
    gpu.return
  }

  gpu.func @dealt_to_dies(%a: memref<37xf32>) kernel attributes {known_grid_size = array<i32: 37, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %b = gpu.block_id x
    %c8 = arith.constant 8 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %d = arith.remui %b, %c8 : index
    %j = arith.divui %b, %c8 : index
    %base = arith.muli %d, %c4 : index
    %extra = arith.minui %d, %c5 : index
    %0 = arith.addi %base, %extra : index
    %1 = arith.addi %0, %j : index
    %v = memref.load %a[%1] : memref<37xf32>
    gpu.return
  }
}
