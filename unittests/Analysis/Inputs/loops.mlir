// Counted loops in every dialect, and values that they carry.
gpu.module @loops {
  gpu.func @plain(%a: memref<8x32xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c3 = arith.constant 3 : index

    scf.for %i = %c0 to %c8 step %c3 {
      %v = memref.load %a[%i, %tx] : memref<8x32xf32>
    }
    gpu.return
  }

  gpu.func @ragged_by_id(%a: memref<64x32xf32>) kernel attributes {known_grid_size = array<i32: 7, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index

    %n = arith.muli %tx, %c3 : index
    scf.for %i = %bx to %n step %c2 {
      %v = memref.load %a[%i, %tx] : memref<64x32xf32>
    }
    gpu.return
  }

  gpu.func @ragged_minimum(%a: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 4, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c10 = arith.constant 10 : index

    %s = arith.muli %bx, %c4 : index
    %e = affine.min affine_map<(d0) -> (d0 + 4, 10)>(%s)
    scf.for %i = %s to %e step %c1 {
      %v = memref.load %a[%i] : memref<64xf32>
    }
    %l = affine.min affine_map<(d0, d1) -> (-d0 + 10, 4, d1 + 2)>(%s, %tx)
    scf.for %i = %c0 to %l step %c1 {
      %j = arith.addi %s, %i : index
      %v = memref.load %a[%j] : memref<64xf32>
    }
    gpu.return
  }

  gpu.func @three_way_minimum(%a: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 8, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index

    %p = arith.minsi %bx, %tx : index
    %q = arith.minsi %p, %c5 : index
    scf.for %i = %c0 to %q step %c1 {
      %v = memref.load %a[%i] : memref<64xf32>
    }
    gpu.return
  }

  gpu.func @maximum_bound(%a: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 5, 2, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index

    %p = arith.maxsi %bx, %tx : index
    scf.for %i = %by to %p step %c1 {
      %v = memref.load %a[%i] : memref<64xf32>
    }
    gpu.return
  }

  gpu.func @nest(%a: memref<64x64xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index

    scf.for %i = %c0 to %c4 step %c1 {
      scf.for %j = %i to %c4 step %c2 {
        %k = arith.addi %j, %bx : index
        %v = memref.load %a[%i, %k] : memref<64x64xf32>
      }
    }
    gpu.return
  }

  gpu.func @grid_stride(%a: memref<100xf32>) kernel attributes {known_grid_size = array<i32: 3, 1, 1>, known_block_size = array<i32: 8, 1, 1>} {
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    %gx = gpu.grid_dim x
    %dx = gpu.block_dim x
    %c100 = arith.constant 100 : index
    %0 = arith.muli %bx, %dx : index
    %i0 = arith.addi %0, %tx : index
    %step = arith.muli %gx, %dx : index
    scf.for %i = %i0 to %c100 step %step {
      %v = memref.load %a[%i] : memref<100xf32>
      memref.store %v, %a[%i] : memref<100xf32>
    }
    gpu.return
  }

  gpu.func @persistent(%a: memref<7x5x4xf32>) kernel attributes {known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = gpu.block_id x
    %tx = gpu.thread_id x
    %g = gpu.grid_dim x
    %c35 = arith.constant 35 : index
    %c5 = arith.constant 5 : index
    scf.for %t = %b to %c35 step %g {
      %y = arith.divui %t, %c5 : index
      %x = arith.remui %t, %c5 : index
      %v = memref.load %a[%y, %x, %tx] : memref<7x5x4xf32>
    }
    gpu.return
  }

  gpu.func @carried_index(%a: memref<256xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %f = arith.constant 1.0 : f32

    %r, %s = scf.for %i = %c0 to %c5 step %c1 iter_args(%j = %tx, %acc = %f) -> (index, f32) {
      %v = memref.load %a[%j] : memref<256xf32>
      %n = arith.addi %j, %c3 : index
      %w = arith.addf %v, %acc : f32
      scf.yield %n, %w : index, f32
    }
    memref.store %s, %a[%r] : memref<256xf32>
    gpu.return
  }

  gpu.func @carried_narrow(%a: memref<256xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x

    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c7 = arith.constant 7 : i32
    %t = arith.index_cast %tx : index to i32
    %r = scf.for %i = %c0 to %c7 step %c1 iter_args(%j = %t) -> i32 : i32 {
      %k = arith.addi %j, %i : i32
      %x = arith.index_cast %k : i32 to index
      %v = memref.load %a[%x] : memref<256xf32>
      %n = arith.addi %j, %c7 : i32
      scf.yield %n : i32
    }
    %x = arith.index_cast %r : i32 to index
    %v = memref.load %a[%x] : memref<256xf32>
    gpu.return
  }

  gpu.func @carried_in_ragged_loop(%a: memref<256xf32>) kernel attributes {known_grid_size = array<i32: 6, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index

    %r = scf.for %i = %c0 to %bx step %c1 iter_args(%j = %tx) -> index {
      %v = memref.load %a[%j] : memref<256xf32>
      %n = arith.addi %j, %c3 : index
      scf.yield %n : index
    }
    %v = memref.load %a[%r] : memref<256xf32>
    gpu.return
  }

  gpu.func @carried_swap(%a: memref<256xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>, test.not_modelled = 1} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index

    %r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%p = %c0, %q = %c1) -> (index, index) {
      %v = memref.load %a[%p] : memref<256xf32>
      scf.yield %q, %p : index, index
    }
    gpu.return
  }

  gpu.func @carried_view(%a: memref<256xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>, test.not_lowered} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index

    %s0 = memref.subview %a[%tx] [8] [1] : memref<256xf32> to memref<8xf32, strided<[1], offset: ?>>
    %m = memref.cast %s0 : memref<8xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[?], offset: ?>>
    %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%v = %m) -> memref<?xf32, strided<[?], offset: ?>> {
      %x = memref.load %v[%bx] : memref<?xf32, strided<[?], offset: ?>>
      %o, %b, %sz, %st = memref.extract_strided_metadata %v : memref<?xf32, strided<[?], offset: ?>> -> memref<f32>, index, index, index
      %n = arith.addi %b, %c8 : index
      %next = memref.reinterpret_cast %o to offset: [%n], sizes: [%sz], strides: [%st] : memref<f32> to memref<?xf32, strided<[?], offset: ?>>
      scf.yield %next : memref<?xf32, strided<[?], offset: ?>>
    }
    gpu.return
  }

  gpu.func @while_counts(%a: memref<256xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %c20 = arith.constant 20 : index

    %r = scf.while (%i = %tx) : (index) -> index {
      %go = arith.cmpi slt, %i, %c20 : index
      scf.condition(%go) %i : index
    } do {
      ^bb0(%i: index):
      %v = memref.load %a[%i] : memref<256xf32>
      %n = arith.addi %i, %c3 : index
      scf.yield %n : index
    }
    %v = memref.load %a[%r] : memref<256xf32>
    gpu.return
  }

  gpu.func @do_while(%a: memref<256xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %c20 = arith.constant 20 : index

    %r = scf.while (%i = %tx) : (index) -> index {
      %v = memref.load %a[%i] : memref<256xf32>
      %n = arith.addi %i, %c3 : index
      %go = arith.cmpi slt, %n, %c20 : index
      scf.condition(%go) %n : index
    } do {
      ^bb0(%i: index):
      scf.yield %i : index
    }
    %v = memref.load %a[%r] : memref<256xf32>
    gpu.return
  }

  gpu.func @while_down(%a: memref<256xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c9 = arith.constant 9 : index

    %s = arith.addi %tx, %c9 : index
    %r = scf.while (%i = %s) : (index) -> index {
      %go = arith.cmpi sgt, %i, %bx : index
      scf.condition(%go) %i : index
    } do {
      ^bb0(%i: index):
      %v = memref.load %a[%i] : memref<256xf32>
      %n = arith.subi %i, %c2 : index
      scf.yield %n : index
    }
    gpu.return
  }

  gpu.func @while_two_conditions(%a: memref<256xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c9 = arith.constant 9 : index

    %r:2 = scf.while (%i = %tx, %j = %bx) : (index, index) -> (index, index) {
      %p = arith.cmpi slt, %i, %c9 : index
      %q = arith.cmpi sle, %j, %c4 : index
      %go = arith.andi %p, %q : i1
      scf.condition(%go) %i, %j : index, index
    } do {
      ^bb0(%i: index, %j: index):
      %k = arith.addi %i, %j : index
      %v = memref.load %a[%k] : memref<256xf32>
      %n = arith.addi %i, %c4 : index
      %m = arith.addi %j, %c1 : index
      scf.yield %n, %m : index, index
    }
    gpu.return
  }

  gpu.func @while_unequal(%a: memref<256xf32>) kernel attributes {known_grid_size = array<i32: 5, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index

    %r = scf.while (%i = %c0) : (index) -> index {
      %go = arith.cmpi ne, %i, %bx : index
      scf.condition(%go) %i : index
    } do {
      ^bb0(%i: index):
      %v = memref.load %a[%i] : memref<256xf32>
      %n = arith.addi %i, %c1 : index
      scf.yield %n : index
    }
    gpu.return
  }

  gpu.func @while_loaded(%a: memref<256xindex>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>, test.not_modelled = 1} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x

    %r = scf.while (%i = %tx) : (index) -> index {
      %go = arith.cmpi slt, %i, %bx : index
      scf.condition(%go) %i : index
    } do {
      ^bb0(%i: index):
      %n = memref.load %a[%i] : memref<256xindex>
      scf.yield %n : index
    }
    gpu.return
  }

  gpu.func @affine_loops(%a: memref<64x64xf32>) kernel attributes {known_grid_size = array<i32: 4, 3, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x

    affine.for %i = 0 to 7 step 2 {
      affine.for %j = max affine_map<(d0, d1) -> (d0, d1 - 1)>(%i, %bx) to min affine_map<(d0, d1) -> (d0 + 4, 9 - d1)>(%i, %by) {
        %v = affine.load %a[%i + 1, %j * 2 + %tx] : memref<64x64xf32>
      }
    }
    gpu.return
  }

  gpu.func @parallel(%a: memref<64x64xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c7 = arith.constant 7 : index

    scf.parallel (%i, %j) = (%c0, %bx) to (%c3, %c7) step (%c1, %c2) {
      %v = memref.load %a[%i, %j] : memref<64x64xf32>
      scf.reduce
    }
    scf.forall (%i, %j) = (%c1, 0) to (4, %bx) step (2, 1) {
      %v = memref.load %a[%i, %j] : memref<64x64xf32>
    }
    affine.parallel (%i, %j) = (0, %bx) to (min(5, %tx + 2), 6) step (1, 3) {
      %v = affine.load %a[%i, %j] : memref<64x64xf32>
    }
    gpu.return
  }

  gpu.func @guarded_loop(%a: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index

    %p = arith.cmpi slt, %tx, %c2 : index
    scf.if %p {
      scf.for %i = %tx to %c2 step %c1 {
        %v = memref.load %a[%i] : memref<64xf32>
      }
    }
    scf.for %i = %c0 to %c2 step %c1 {
      %q = arith.cmpi eq, %i, %tx : index
      scf.if %q {
        %v = memref.load %a[%i] : memref<64xf32>
      }
    }
    gpu.return
  }

  gpu.func @chosen_trip_count(%a: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>, test.not_lowered} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index

    %p = arith.cmpi eq, %bx, %c1 : index
    %n = arith.select %p, %c3, %c5 : index
    %s = arith.select %p, %tx, %c0 : index
    scf.for %i = %s to %n step %c1 {
      %v = memref.load %a[%i] : memref<64xf32>
    }
    gpu.return
  }

  gpu.func @loaded_bound(%a: memref<64xindex>, %b: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>, test.not_modelled = 1} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index

    %n = memref.load %a[%tx] : memref<64xindex>
    scf.for %i = %c0 to %n step %c1 {
      %v = memref.load %b[%i] : memref<64xf32>
    }
    gpu.return
  }

  gpu.func @execute_region(%a: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x

    %i = scf.execute_region -> index {
      %v = memref.load %a[%tx] : memref<64xf32>
      scf.yield %bx : index
    }
    %v = memref.load %a[%i] : memref<64xf32>
    gpu.return
  }

  gpu.func @dynamic_extents(%a: memref<?x?xf32>, %n: index) kernel attributes {known_grid_size = array<i32: 2, 1, 1>, known_block_size = array<i32: 2, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c512 = arith.constant 512 : index

    %d = memref.dim %a, %c1 : memref<?x?xf32>
    scf.for %i = %c0 to %d step %c512 {
      scf.for %j = %c0 to %n step %c512 {
        %v = memref.load %a[%j, %i] : memref<?x?xf32>
      }
    }
    gpu.return
  }
}
