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

  gpu.func @taken_apart(%a: memref<99999xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c70000 = arith.constant 70000 : index

    // -2 to 5, and 0 to 70005.
    %s0 = arith.muli %bx, %c1 : index
    %s1 = arith.addi %tx, %s0 : index
    %s = arith.subi %s1, %c2 : index
    %l0 = arith.muli %by, %c70000 : index
    %l = arith.addi %l0, %s1 : index
    %si = arith.index_cast %s : index to i64
    %li = arith.index_cast %l : index to i64
    %v = vector.from_elements %si, %li : vector<2xi64>
    %p = vector.bitcast %v : vector<2xi64> to vector<4xi32>
    %p0 = vector.extract %p[0] : i32 from vector<4xi32>
    %p1 = vector.extract %p[1] : i32 from vector<4xi32>
    %p2 = vector.extract %p[2] : i32 from vector<4xi32>
    %p3 = vector.extract %p[3] : i32 from vector<4xi32>
    %i0 = arith.index_cast %p0 : i32 to index
    %j0 = arith.addi %i0, %c2 : index
    %u0 = memref.load %a[%j0] : memref<99999xf32>
    %i1 = arith.index_cast %p1 : i32 to index
    %j1 = arith.addi %i1, %c1 : index
    %u1 = memref.load %a[%j1] : memref<99999xf32>
    %i2 = arith.index_cast %p2 : i32 to index
    %u2 = memref.load %a[%i2] : memref<99999xf32>
    %i3 = arith.index_cast %p3 : i32 to index
    %u3 = memref.load %a[%i3] : memref<99999xf32>
    // 70000 is 1 and 4464 in halves; -1 is -1 and -1.
    %q = vector.bitcast %v : vector<2xi64> to vector<8xi16>
    %q0 = vector.extract %q[0] : i16 from vector<8xi16>
    %q1 = vector.extract %q[1] : i16 from vector<8xi16>
    %q4 = vector.extract %q[4] : i16 from vector<8xi16>
    %q5 = vector.extract %q[5] : i16 from vector<8xi16>
    %k0 = arith.index_cast %q0 : i16 to index
    %k0p = arith.addi %k0, %c2 : index
    %w0 = memref.load %a[%k0p] : memref<99999xf32>
    %k1 = arith.index_cast %q1 : i16 to index
    %k1p = arith.addi %k1, %c1 : index
    %w1 = memref.load %a[%k1p] : memref<99999xf32>
    %k4 = arith.index_cast %q4 : i16 to index
    %w4 = memref.load %a[%k4] : memref<99999xf32>
    %k5 = arith.index_cast %q5 : i16 to index
    %w5 = memref.load %a[%k5] : memref<99999xf32>
    gpu.return
  }

  gpu.func @put_together(%a: memref<999999xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c2 = arith.constant 2 : index
    %c65540 = arith.constant 65540 : index

    %m = arith.subi %tx, %c2 : index
    %m16 = arith.index_cast %m : index to i16
    %x16 = arith.index_cast %bx : index to i16
    %v = vector.from_elements %m16, %x16 : vector<2xi16>
    %p = vector.bitcast %v : vector<2xi16> to vector<1xi32>
    %p0 = vector.extract %p[0] : i32 from vector<1xi32>
    %i0 = arith.index_cast %p0 : i32 to index
    %u0 = memref.load %a[%i0] : memref<999999xf32>
    %n = vector.from_elements %x16, %m16 : vector<2xi16>
    %r = vector.bitcast %n : vector<2xi16> to vector<1xi32>
    %r0 = vector.extract %r[0] : i32 from vector<1xi32>
    %j = arith.index_cast %r0 : i32 to index
    %j2 = arith.muli %c65540, %c2 : index
    %j3 = arith.addi %j, %j2 : index
    %u1 = memref.load %a[%j3] : memref<999999xf32>
    gpu.return
  }

  gpu.func @joined_lanes(%a: memref<9999xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c2 = arith.constant 2 : index
    %c6 = arith.constant 6 : index

    %m = arith.subi %tx, %c2 : index
    %m32 = arith.index_cast %m : index to i32
    %x32 = arith.index_cast %bx : index to i32
    %y32 = arith.index_cast %by : index to i32
    %t32 = arith.index_cast %tx : index to i32
    %v = vector.from_elements %m32, %x32, %y32, %x32 : vector<4xi32>
    %sum = vector.reduction <add>, %v : vector<4xi32> into i32
    %i0 = arith.index_cast %sum : i32 to index
    %i = arith.addi %i0, %c2 : index
    %u0 = memref.load %a[%i] : memref<9999xf32>
    %least = vector.reduction <minsi>, %v : vector<4xi32> into i32
    %j0 = arith.index_cast %least : i32 to index
    %j = arith.addi %j0, %c2 : index
    %u1 = memref.load %a[%j] : memref<9999xf32>
    %w = vector.from_elements %x32, %y32, %t32 : vector<3xi32>
    %most = vector.reduction <maxui>, %w : vector<3xi32> into i32
    %k = arith.index_cast %most : i32 to index
    %u2 = memref.load %a[%k] : memref<9999xf32>
    // Bits of conditions: both hold, one does, the sign is set.
    %p = arith.cmpi slt, %tx, %c2 : index
    %q = arith.cmpi eq, %bx, %c2 : index
    %b = vector.from_elements %p, %q : vector<2xi1>
    %c = vector.bitcast %b : vector<2xi1> to vector<1xi2>
    %bits = vector.extract %c[0] : i2 from vector<1xi2>
    %l0 = arith.index_cast %bits : i2 to index
    %l = arith.addi %l0, %c6 : index
    %u3 = memref.load %a[%l] : memref<9999xf32>
    %d = vector.bitcast %c : vector<1xi2> to vector<2xi1>
    %e = vector.extract %d[1] : i1 from vector<2xi1>
    scf.if %e {
      %u4 = memref.load %a[%tx] : memref<9999xf32>
    }
    gpu.return
  }
}
