// Branches on ids, and values that depend on them.
gpu.module @guards {
  gpu.func @tail(%a: memref<10x21xf32>) kernel attributes {known_grid_size = array<i32: 6, 3, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c4 = arith.constant 4 : index
    %c21 = arith.constant 21 : index
    %f = arith.constant 1.0 : f32

    %p = arith.muli %bx, %c4 : index
    %x = arith.addi %p, %tx : index
    %in = arith.cmpi slt, %x, %c21 : index
    scf.if %in {
      memref.store %f, %a[%by, %x] : memref<10x21xf32>
    }
    gpu.return
  }

  gpu.func @both_sides(%a: memref<32xf32>, %b: memref<32xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>, test.not_lowered} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c2 = arith.constant 2 : index
    %f = arith.constant 1.0 : f32

    %eq = arith.cmpi eq, %bx, %c2 : index
    scf.if %eq {
      memref.store %f, %a[%tx] : memref<32xf32>
    } else {
      memref.store %f, %b[%by] : memref<32xf32>
    }
    %ne = arith.cmpi ne, %tx, %c2 : index
    scf.if %ne {
      %v = memref.load %b[%bx] : memref<32xf32>
    }
    gpu.return
  }

  gpu.func @halo(%a: memref<12x12xf32>, %b: memref<12x12xf32>) kernel attributes {known_grid_size = array<i32: 4, 3, 1>, known_block_size = array<i32: 3, 4, 1>} {
    %x = gpu.global_id x
    %y = gpu.global_id y
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c11 = arith.constant 11 : index
    %l = arith.cmpi sge, %x, %c1 : index
    %r = arith.cmpi slt, %x, %c11 : index
    %u = arith.cmpi sge, %y, %c1 : index
    %d = arith.cmpi slt, %y, %c11 : index
    %lr = arith.andi %l, %r : i1
    %ud = arith.andi %u, %d : i1
    %in = arith.andi %lr, %ud : i1
    scf.if %in {
      %xm = arith.subi %x, %c1 : index
      %xp = arith.addi %x, %c1 : index
      %ym = arith.subi %y, %c1 : index
      %yp = arith.addi %y, %c1 : index
      %0 = memref.load %a[%y, %xm] : memref<12x12xf32>
      %1 = memref.load %a[%y, %xp] : memref<12x12xf32>
      %2 = memref.load %a[%ym, %x] : memref<12x12xf32>
      %3 = memref.load %a[%yp, %x] : memref<12x12xf32>
      memref.store %0, %b[%y, %x] : memref<12x12xf32>
    }
    gpu.return
  }

  gpu.func @affine_if(%a: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x

    affine.if affine_set<(d0, d1) : (d0 - d1 >= 0, d1 mod 2 == 0)>(%tx, %bx) {
      %v = affine.load %a[%tx + 4 * %bx] : memref<64xf32>
    } else {
      %v = affine.load %a[%bx] : memref<64xf32>
    }
    gpu.return
  }

  gpu.func @any_of_two(%a: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index

    %p = arith.cmpi eq, %bx, %c0 : index
    %q = arith.cmpi sgt, %tx, %c1 : index
    %or = arith.ori %p, %q : i1
    scf.if %or {
      %v = memref.load %a[%tx] : memref<64xf32>
    } else {
      %v = memref.load %a[%c3] : memref<64xf32>
    }
    gpu.return
  }

  gpu.func @results_of_if(%a: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index

    %p = arith.cmpi slt, %bx, %c1 : index
    %i, %j = scf.if %p -> (index, index) {
      scf.yield %tx, %c3 : index, index
    } else {
      %s = arith.muli %tx, %c3 : index
      scf.yield %s, %bx : index, index
    }
    %k = arith.addi %i, %j : index
    %v = memref.load %a[%k] : memref<64xf32>
    gpu.return
  }

  gpu.func @nested(%a: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 5, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index

    %p = arith.cmpi slt, %bx, %c2 : index
    scf.if %p {
      %q = arith.cmpi slt, %bx, %c3 : index
      scf.if %q {
        %v = memref.load %a[%tx] : memref<64xf32>
      }
      %s = arith.cmpi sge, %bx, %c2 : index
      scf.if %s {
        %v = memref.load %a[%c1] : memref<64xf32>
      }
    } else {
      %e = arith.cmpi eq, %bx, %c2 : index
      scf.if %e {
        %v = memref.load %a[%c2] : memref<64xf32>
      }
    }
    gpu.return
  }

  gpu.func @switch(%a: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 5, 2, 1>, known_block_size = array<i32: 4, 1, 1>, test.not_lowered} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index

    %i = scf.index_switch %bx -> index
    case 1 {
      %v = memref.load %a[%tx] : memref<64xf32>
      scf.yield %c3 : index
    }
    case 2 {
      scf.yield %tx : index
    }
    default {
      %v = memref.load %a[%c1] : memref<64xf32>
      scf.yield %by : index
    }
    %w = memref.load %a[%i] : memref<64xf32>
    gpu.return
  }

  gpu.func @padded_select(%a: memref<9xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index

    %p = arith.muli %bx, %c4 : index
    %x = arith.addi %p, %tx : index
    %i = arith.minsi %x, %c8 : index
    %v = memref.load %a[%i] : memref<9xf32>
    gpu.return
  }

  gpu.func @unequal(%a: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 5, 2, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c3 = arith.constant 3 : index

    %d = arith.subi %tx, %bx : index
    %ne = arith.cmpi ne, %d, %by : index
    %lt = arith.cmpi ult, %bx, %c3 : index
    %both = arith.andi %ne, %lt : i1
    scf.if %both {
      %v = memref.load %a[%tx] : memref<64xf32>
    } else {
      %v = memref.load %a[%bx] : memref<64xf32>
    }
    gpu.return
  }

  gpu.func @loaded_condition(%a: memref<64xi32>, %b: memref<64xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>, test.not_modelled = 1} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x

    %v = memref.load %a[%tx] : memref<64xi32>
    %c0 = arith.constant 0 : i32
    %p = arith.cmpi eq, %v, %c0 : i32
    scf.if %p {
      %w = memref.load %b[%tx] : memref<64xf32>
    }
    gpu.return
  }
}
