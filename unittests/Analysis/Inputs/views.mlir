// Views, copies, atomics and whole vectors.
gpu.module @views {
  gpu.func @subview(%a: memref<32x16xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index

    %y = arith.muli %by, %c4 : index
    %x = arith.muli %bx, %c4 : index
    %s = memref.subview %a[%y, %x] [4, 4] [1, 1] : memref<32x16xf32> to memref<4x4xf32, strided<[16, 1], offset: ?>>
    %v = memref.load %s[%c2, %tx] : memref<4x4xf32, strided<[16, 1], offset: ?>>
    %r = memref.subview %a[%y, %x] [1, 4] [1, 2] : memref<32x16xf32> to memref<4xf32, strided<[2], offset: ?>>
    %w = memref.load %r[%tx] : memref<4xf32, strided<[2], offset: ?>>
    %t = memref.subview %s[1, 0] [2, 2] [2, 1] : memref<4x4xf32, strided<[16, 1], offset: ?>> to memref<2x2xf32, strided<[32, 1], offset: ?>>
    %u = memref.load %t[%by, %by] : memref<2x2xf32, strided<[32, 1], offset: ?>>
    gpu.return
  }

  gpu.func @strided_argument(%a: memref<8x8xf32, strided<[24, 2], offset: 5>>, %b: memref<8x8xf32, strided<[?, 1], offset: ?>>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>, test.not_lowered} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x

    %v = memref.load %a[%by, %tx] : memref<8x8xf32, strided<[24, 2], offset: 5>>
    %w = memref.load %b[%by, %tx] : memref<8x8xf32, strided<[?, 1], offset: ?>>
    gpu.return
  }

  gpu.func @permuted_argument(%a: memref<8x4xf32, affine_map<(d0, d1) -> (d1 * 8 + d0)>>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x

    %v = memref.load %a[%by, %tx] : memref<8x4xf32, affine_map<(d0, d1) -> (d1 * 8 + d0)>>
    gpu.return
  }

  gpu.func @reshapes(%a: memref<6x4x8xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c3 = arith.constant 3 : index

    %c = memref.collapse_shape %a [[0, 1], [2]] : memref<6x4x8xf32> into memref<24x8xf32>
    %v = memref.load %c[%bx, %tx] : memref<24x8xf32>
    %e = memref.expand_shape %c [[0], [1, 2]] output_shape [24, 2, 4] : memref<24x8xf32> into memref<24x2x4xf32>
    %w = memref.load %e[%bx, %by, %tx] : memref<24x2x4xf32>
    %t = memref.transpose %e (i, j, k) -> (k, i, j) : memref<24x2x4xf32> to memref<4x24x2xf32, strided<[1, 8, 4]>>
    %u = memref.load %t[%tx, %c3, %by] : memref<4x24x2xf32, strided<[1, 8, 4]>>
    gpu.return
  }

  gpu.func @recast(%a: memref<256xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c8 = arith.constant 8 : index

    %o = arith.muli %bx, %c8 : index
    %r = memref.reinterpret_cast %a to offset: [%o], sizes: [4, 2], strides: [2, 1] : memref<256xf32> to memref<4x2xf32, strided<[2, 1], offset: ?>>
    %v = memref.load %r[%tx, %by] : memref<4x2xf32, strided<[2, 1], offset: ?>>
    %m = memref.cast %r : memref<4x2xf32, strided<[2, 1], offset: ?>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    %w = memref.load %m[%tx, %by] : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %p = memref.assume_alignment %a, 16 : memref<256xf32>
    %u = memref.load %p[%tx] : memref<256xf32>
    gpu.return
  }

  gpu.func @bytes(%a: memref<1024xi8>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c64 = arith.constant 64 : index

    %o = arith.muli %bx, %c64 : index
    %r = memref.view %a[%o][%c64] : memref<1024xi8> to memref<?x2xi8>
    %v = memref.load %r[%tx, %by] : memref<?x2xi8>
    gpu.return
  }

  gpu.func @metadata(%a: memref<16x8xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c2 = arith.constant 2 : index

    %s = memref.subview %a[%bx, %c2] [4, 4] [1, 1] : memref<16x8xf32> to memref<4x4xf32, strided<[8, 1], offset: ?>>
    %b, %o, %sz:2, %st:2 = memref.extract_strided_metadata %s : memref<4x4xf32, strided<[8, 1], offset: ?>> -> memref<f32>, index, index, index, index, index
    %n = arith.addi %o, %tx : index
    %r = memref.reinterpret_cast %b to offset: [%n], sizes: [2], strides: [%st#0] : memref<f32> to memref<2xf32, strided<[?], offset: ?>>
    %v = memref.load %r[%by] : memref<2xf32, strided<[?], offset: ?>>
    gpu.return
  }

  gpu.func @local_memory_left_out(%a: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c0 = arith.constant 0 : index

    %p = memref.alloca() : memref<4xf32>
    %w = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    %v = memref.load %a[%tx] : memref<64xf32>
    memref.store %v, %p[%c0] : memref<4xf32>
    memref.store %v, %w[%tx] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %u = memref.load %w[%tx] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %u, %a[%bx] : memref<64xf32>
    gpu.return
  }

  gpu.func @copies(%a: memref<16x16xf32>, %b: memref<4x4xf32>) kernel attributes {known_grid_size = array<i32: 2, 1, 1>, known_block_size = array<i32: 4, 1, 1>, test.any_order, test.not_lowered} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x

    %s = memref.subview %a[%bx, %tx] [4, 4] [1, 1] : memref<16x16xf32> to memref<4x4xf32, strided<[16, 1], offset: ?>>
    memref.copy %s, %b : memref<4x4xf32, strided<[16, 1], offset: ?>> to memref<4x4xf32>
    memref.copy %b, %s : memref<4x4xf32> to memref<4x4xf32, strided<[16, 1], offset: ?>>
    gpu.return
  }

  gpu.func @atomics(%a: memref<16xf32>, %b: memref<16xi32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>, test.not_lowered} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %f = arith.constant 1.0 : f32

    %i = arith.constant 1 : i32
    %0 = memref.atomic_rmw addf %f, %a[%tx] : (f32, memref<16xf32>) -> f32
    %1 = memref.atomic_rmw addi %i, %b[%bx] : (i32, memref<16xi32>) -> i32
    %2 = memref.generic_atomic_rmw %a[%by] : memref<16xf32> {
      ^bb0(%old: f32):
      %new = arith.addf %old, %f : f32
      memref.atomic_yield %new : f32
    }
    gpu.return
  }

  gpu.func @vectors(%a: memref<16x64xf32>, %b: memref<16x8xvector<4xf32>>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>, test.not_lowered} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c4 = arith.constant 4 : index

    %x = arith.muli %tx, %c4 : index
    %v = vector.load %a[%by, %x] : memref<16x64xf32>, vector<4xf32>
    vector.store %v, %a[%bx, %x] : memref<16x64xf32>, vector<4xf32>
    %u = memref.load %b[%by, %tx] : memref<16x8xvector<4xf32>>
    vector.store %u, %b[%bx, %tx] : memref<16x8xvector<4xf32>>, vector<4xf32>
    %t = affine.vector_load %a[%by, 4 * %tx] : memref<16x64xf32>, vector<4xf32>
    affine.vector_store %t, %a[%bx + 1, 4 * %tx] : memref<16x64xf32>, vector<4xf32>
    gpu.return
  }

  gpu.func @vector_of_rows(%a: memref<16x64xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>, test.not_lowered} {
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    %w = vector.load %a[%bx, %tx] : memref<16x64xf32>, vector<3x4xf32>
    gpu.return
  }

  gpu.func @chosen_view(%a: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index

    %p = arith.cmpi eq, %bx, %c1 : index
    %s = memref.subview %a[%tx] [4] [1] : memref<64xf32> to memref<4xf32, strided<[1], offset: ?>>
    %t = memref.subview %a[%bx] [4] [1] : memref<64xf32> to memref<4xf32, strided<[1], offset: ?>>
    %m = arith.select %p, %s, %t : memref<4xf32, strided<[1], offset: ?>>
    %v = memref.load %m[%c1] : memref<4xf32, strided<[1], offset: ?>>
    gpu.return
  }

  gpu.func @chosen_buffer(%a: memref<64xf32>, %b: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c1 = arith.constant 1 : index

    %p = arith.cmpi eq, %bx, %c1 : index
    %m = arith.select %p, %a, %b : memref<64xf32>
    %v = memref.load %m[%c1] : memref<64xf32>
    gpu.return
  }

  gpu.func @zero_rank(%a: memref<f32>, %b: memref<1x1x8xf16>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c0 = arith.constant 0 : index

    %v = memref.load %a[] : memref<f32>
    %w = memref.load %b[%c0, %c0, %tx] : memref<1x1x8xf16>
    gpu.return
  }
}
