// Vector accesses that touch a part of their vector.
gpu.module @vectors {
  gpu.func @transfer_in_bounds(%a: memref<16x64xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>, test.any_order, test.not_lowered} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c4 = arith.constant 4 : index
    %p = arith.constant 0.0 : f32

    %x = arith.muli %tx, %c4 : index
    %v = vector.transfer_read %a[%by, %x], %p {in_bounds = [true, true]} : memref<16x64xf32>, vector<3x4xf32>
    vector.transfer_write %v, %a[%bx, %x] {in_bounds = [true, true]} : vector<3x4xf32>, memref<16x64xf32>
    %t = vector.transfer_read %a[%by, %x], %p {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<16x64xf32>, vector<3x4xf32>
    %b = vector.transfer_read %a[%by, %x], %p {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (0, d1)>} : memref<16x64xf32>, vector<3x4xf32>
    gpu.return
  }

  gpu.func @transfer_over_the_end(%a: memref<7x18xf32>) kernel attributes {known_grid_size = array<i32: 3, 3, 1>, known_block_size = array<i32: 5, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c4 = arith.constant 4 : index
    %c3 = arith.constant 3 : index
    %p = arith.constant 0.0 : f32

    %x0 = arith.muli %tx, %c4 : index
    %x = arith.addi %x0, %bx : index
    %y = arith.muli %by, %c3 : index
    %v = vector.transfer_read %a[%y, %x], %p : memref<7x18xf32>, vector<4x4xf32>
    vector.transfer_write %v, %a[%y, %x] {in_bounds = [true, false]} : vector<4x4xf32>, memref<7x18xf32>
    %w = vector.transfer_read %a[%y, %x], %p {in_bounds = [false, true]} : memref<7x18xf32>, vector<4x2xf32>
    gpu.return
  }

  gpu.func @transfer_of_a_tail(%a: memref<37xf32>) kernel attributes {known_grid_size = array<i32: 3, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %p = arith.constant 0.0 : f32

    %x0 = arith.muli %tx, %c4 : index
    %x1 = arith.muli %bx, %c16 : index
    %x = arith.addi %x0, %x1 : index
    %v = vector.transfer_read %a[%x], %p : memref<37xf32>, vector<4xf32>
    vector.transfer_write %v, %a[%x] : vector<4xf32>, memref<37xf32>
    gpu.return
  }

  gpu.func @transfer_of_a_view(%a: memref<12x18xf32>) kernel attributes {known_grid_size = array<i32: 3, 1, 1>, known_block_size = array<i32: 3, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c4 = arith.constant 4 : index
    %p = arith.constant 0.0 : f32

    %n = affine.min affine_map<(d0) -> (4, 10 - d0 * 4)>(%tx)
    %x0 = arith.muli %tx, %c4 : index
    %s = memref.subview %a[%bx, %x0] [2, %n] [1, 1] : memref<12x18xf32> to memref<2x?xf32, strided<[18, 1], offset: ?>>
    %c0 = arith.constant 0 : index
    %v = vector.transfer_read %s[%c0, %c0], %p : memref<2x?xf32, strided<[18, 1], offset: ?>>, vector<2x4xf32>
    gpu.return
  }

  gpu.func @masked_transfer(%a: memref<16x64xf32>) kernel attributes {known_grid_size = array<i32: 6, 2, 1>, known_block_size = array<i32: 6, 1, 1>, test.not_lowered} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %p = arith.constant 0.0 : f32

    %m = vector.create_mask %tx : vector<4xi1>
    %v = vector.transfer_read %a[%by, %c4], %p, %m {in_bounds = [true]} : memref<16x64xf32>, vector<4xf32>
    %k = vector.create_mask %c2, %bx : vector<3x4xi1>
    %w = vector.mask %k { vector.transfer_read %a[%by, %c4], %p {in_bounds = [true, true]} : memref<16x64xf32>, vector<3x4xf32> } : vector<3x4xi1> -> vector<3x4xf32>
    gpu.return
  }

  gpu.func @masked(%a: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 2, 1, 1>, known_block_size = array<i32: 8, 1, 1>, test.not_lowered} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c4 = arith.constant 4 : index
    %c21 = arith.constant 21 : index

    %x = arith.muli %tx, %c4 : index
    %left = arith.subi %c21, %x : index
    %m = vector.create_mask %left : vector<4xi1>
    %z = arith.constant dense<0.0> : vector<4xf32>
    %v = vector.maskedload %a[%x], %m, %z : memref<64xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    vector.maskedstore %a[%x], %m, %v : memref<64xf32>, vector<4xi1>, vector<4xf32>
    %k = arith.constant dense<[true, false, true, true]> : vector<4xi1>
    %w = vector.maskedload %a[%bx], %k, %z : memref<64xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    %c = vector.constant_mask [3] : vector<4xi1>
    vector.maskedstore %a[%bx], %c, %v : memref<64xf32>, vector<4xi1>, vector<4xf32>
    gpu.return
  }

  gpu.func @gathered(%a: memref<16x64xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>, test.not_lowered} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index

    %s = vector.step : vector<4xindex>
    %b = vector.broadcast %c3 : index to vector<4xindex>
    %i0 = arith.muli %s, %b : vector<4xindex>
    %t = vector.broadcast %tx : index to vector<4xindex>
    %i = arith.addi %i0, %t : vector<4xindex>
    %on = arith.constant dense<true> : vector<4xi1>
    %z = arith.constant dense<0.0> : vector<4xf32>
    %v = vector.gather %a[%by, %bx][%i], %on, %z : memref<16x64xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    %odd = arith.constant dense<[5, 1, 1, 9]> : vector<4xindex>
    %m = vector.create_mask %tx : vector<4xi1>
    vector.scatter %a[%by, %bx][%odd], %m, %v : memref<16x64xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32>
    %f = vector.from_elements %bx, %tx, %bx, %c0 : vector<4xindex>
    %w = vector.gather %a[%by, %c0][%f], %on, %z : memref<16x64xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    %e = vector.extract %i[2] : index from vector<4xindex>
    %u = memref.load %a[%by, %e] : memref<16x64xf32>
    gpu.return
  }

  gpu.func @gathered_by_memory(%a: memref<64xindex>, %b: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>, test.not_modelled = 1} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x

    %i = vector.load %a[%tx] : memref<64xindex>, vector<4xindex>
    %on = arith.constant dense<true> : vector<4xi1>
    %z = arith.constant dense<0.0> : vector<4xf32>
    %v = vector.gather %b[%tx][%i], %on, %z : memref<64xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    gpu.return
  }
}
