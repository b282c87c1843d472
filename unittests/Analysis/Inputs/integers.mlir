// Integer arithmetic, on values of either sign.
gpu.module @integers {
  gpu.func @divsi_by_4(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 5, 3, 1>, known_block_size = array<i32: 7, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %c2 = arith.constant 2 : index
    %c5 = arith.constant 5 : index
    %p = arith.muli %bx, %c3 : index
    %q = arith.muli %tx, %c2 : index
    %pq = arith.subi %p, %q : index
    %n = arith.subi %pq, %c5 : index
    %d = arith.constant 4 : index
    %m = arith.divsi %n, %d : index
    %c100 = arith.constant 100 : index
    %r = arith.addi %m, %c100 : index

    %v = memref.load %a[%r] : memref<4096xf32>
    gpu.return
  }

  gpu.func @divsi_by_m3(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 5, 3, 1>, known_block_size = array<i32: 7, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %c2 = arith.constant 2 : index
    %c5 = arith.constant 5 : index
    %p = arith.muli %bx, %c3 : index
    %q = arith.muli %tx, %c2 : index
    %pq = arith.subi %p, %q : index
    %n = arith.subi %pq, %c5 : index
    %d = arith.constant -3 : index
    %m = arith.divsi %n, %d : index
    %c100 = arith.constant 100 : index
    %r = arith.addi %m, %c100 : index

    %v = memref.load %a[%r] : memref<4096xf32>
    gpu.return
  }

  gpu.func @remsi_by_4(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 5, 3, 1>, known_block_size = array<i32: 7, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %c2 = arith.constant 2 : index
    %c5 = arith.constant 5 : index
    %p = arith.muli %bx, %c3 : index
    %q = arith.muli %tx, %c2 : index
    %pq = arith.subi %p, %q : index
    %n = arith.subi %pq, %c5 : index
    %d = arith.constant 4 : index
    %m = arith.remsi %n, %d : index
    %c100 = arith.constant 100 : index
    %r = arith.addi %m, %c100 : index

    %v = memref.load %a[%r] : memref<4096xf32>
    gpu.return
  }

  gpu.func @remsi_by_m3(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 5, 3, 1>, known_block_size = array<i32: 7, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %c2 = arith.constant 2 : index
    %c5 = arith.constant 5 : index
    %p = arith.muli %bx, %c3 : index
    %q = arith.muli %tx, %c2 : index
    %pq = arith.subi %p, %q : index
    %n = arith.subi %pq, %c5 : index
    %d = arith.constant -3 : index
    %m = arith.remsi %n, %d : index
    %c100 = arith.constant 100 : index
    %r = arith.addi %m, %c100 : index

    %v = memref.load %a[%r] : memref<4096xf32>
    gpu.return
  }

  gpu.func @floordivsi_by_4(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 5, 3, 1>, known_block_size = array<i32: 7, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %c2 = arith.constant 2 : index
    %c5 = arith.constant 5 : index
    %p = arith.muli %bx, %c3 : index
    %q = arith.muli %tx, %c2 : index
    %pq = arith.subi %p, %q : index
    %n = arith.subi %pq, %c5 : index
    %d = arith.constant 4 : index
    %m = arith.floordivsi %n, %d : index
    %c100 = arith.constant 100 : index
    %r = arith.addi %m, %c100 : index

    %v = memref.load %a[%r] : memref<4096xf32>
    gpu.return
  }

  gpu.func @floordivsi_by_m3(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 5, 3, 1>, known_block_size = array<i32: 7, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %c2 = arith.constant 2 : index
    %c5 = arith.constant 5 : index
    %p = arith.muli %bx, %c3 : index
    %q = arith.muli %tx, %c2 : index
    %pq = arith.subi %p, %q : index
    %n = arith.subi %pq, %c5 : index
    %d = arith.constant -3 : index
    %m = arith.floordivsi %n, %d : index
    %c100 = arith.constant 100 : index
    %r = arith.addi %m, %c100 : index

    %v = memref.load %a[%r] : memref<4096xf32>
    gpu.return
  }

  gpu.func @ceildivsi_by_4(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 5, 3, 1>, known_block_size = array<i32: 7, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %c2 = arith.constant 2 : index
    %c5 = arith.constant 5 : index
    %p = arith.muli %bx, %c3 : index
    %q = arith.muli %tx, %c2 : index
    %pq = arith.subi %p, %q : index
    %n = arith.subi %pq, %c5 : index
    %d = arith.constant 4 : index
    %m = arith.ceildivsi %n, %d : index
    %c100 = arith.constant 100 : index
    %r = arith.addi %m, %c100 : index

    %v = memref.load %a[%r] : memref<4096xf32>
    gpu.return
  }

  gpu.func @ceildivsi_by_m3(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 5, 3, 1>, known_block_size = array<i32: 7, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %c2 = arith.constant 2 : index
    %c5 = arith.constant 5 : index
    %p = arith.muli %bx, %c3 : index
    %q = arith.muli %tx, %c2 : index
    %pq = arith.subi %p, %q : index
    %n = arith.subi %pq, %c5 : index
    %d = arith.constant -3 : index
    %m = arith.ceildivsi %n, %d : index
    %c100 = arith.constant 100 : index
    %r = arith.addi %m, %c100 : index

    %v = memref.load %a[%r] : memref<4096xf32>
    gpu.return
  }

  gpu.func @andi_12(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 5, 3, 1>, known_block_size = array<i32: 7, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %c2 = arith.constant 2 : index
    %c5 = arith.constant 5 : index
    %p = arith.muli %bx, %c3 : index
    %q = arith.muli %tx, %c2 : index
    %pq = arith.subi %p, %q : index
    %n = arith.subi %pq, %c5 : index
    %d = arith.constant 12 : index
    %m = arith.andi %n, %d : index
    %c100 = arith.constant 100 : index
    %r = arith.addi %m, %c100 : index

    %v = memref.load %a[%r] : memref<4096xf32>
    gpu.return
  }

  gpu.func @andi_7(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 5, 3, 1>, known_block_size = array<i32: 7, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %c2 = arith.constant 2 : index
    %c5 = arith.constant 5 : index
    %p = arith.muli %bx, %c3 : index
    %q = arith.muli %tx, %c2 : index
    %pq = arith.subi %p, %q : index
    %n = arith.subi %pq, %c5 : index
    %d = arith.constant 7 : index
    %m = arith.andi %n, %d : index
    %c100 = arith.constant 100 : index
    %r = arith.addi %m, %c100 : index

    %v = memref.load %a[%r] : memref<4096xf32>
    gpu.return
  }

  gpu.func @ori_4(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 5, 3, 1>, known_block_size = array<i32: 7, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %c2 = arith.constant 2 : index
    %c5 = arith.constant 5 : index
    %p = arith.muli %bx, %c3 : index
    %q = arith.muli %tx, %c2 : index
    %pq = arith.subi %p, %q : index
    %n = arith.subi %pq, %c5 : index
    %d = arith.constant 4 : index
    %m = arith.ori %n, %d : index
    %c100 = arith.constant 100 : index
    %r = arith.addi %m, %c100 : index

    %v = memref.load %a[%r] : memref<4096xf32>
    gpu.return
  }

  gpu.func @xori_5(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 5, 3, 1>, known_block_size = array<i32: 7, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %c2 = arith.constant 2 : index
    %c5 = arith.constant 5 : index
    %p = arith.muli %bx, %c3 : index
    %q = arith.muli %tx, %c2 : index
    %pq = arith.subi %p, %q : index
    %n = arith.subi %pq, %c5 : index
    %d = arith.constant 5 : index
    %m = arith.xori %n, %d : index
    %c100 = arith.constant 100 : index
    %r = arith.addi %m, %c100 : index

    %v = memref.load %a[%r] : memref<4096xf32>
    gpu.return
  }

  gpu.func @andi_m8(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 5, 3, 1>, known_block_size = array<i32: 7, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %c2 = arith.constant 2 : index
    %c5 = arith.constant 5 : index
    %p = arith.muli %bx, %c3 : index
    %q = arith.muli %tx, %c2 : index
    %pq = arith.subi %p, %q : index
    %n = arith.subi %pq, %c5 : index
    %d = arith.constant -8 : index
    %m = arith.andi %n, %d : index
    %c100 = arith.constant 100 : index
    %r = arith.addi %m, %c100 : index

    %v = memref.load %a[%r] : memref<4096xf32>
    gpu.return
  }

  gpu.func @xori_m1(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 5, 3, 1>, known_block_size = array<i32: 7, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %c2 = arith.constant 2 : index
    %c5 = arith.constant 5 : index
    %p = arith.muli %bx, %c3 : index
    %q = arith.muli %tx, %c2 : index
    %pq = arith.subi %p, %q : index
    %n = arith.subi %pq, %c5 : index
    %d = arith.constant -1 : index
    %m = arith.xori %n, %d : index
    %c100 = arith.constant 100 : index
    %r = arith.addi %m, %c100 : index

    %v = memref.load %a[%r] : memref<4096xf32>
    gpu.return
  }

  gpu.func @shrsi(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 5, 3, 1>, known_block_size = array<i32: 7, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %c2 = arith.constant 2 : index
    %c5 = arith.constant 5 : index
    %p = arith.muli %bx, %c3 : index
    %q = arith.muli %tx, %c2 : index
    %pq = arith.subi %p, %q : index
    %n = arith.subi %pq, %c5 : index
    %d = arith.constant 2 : index
    %m = arith.shrsi %n, %d : index
    %c100 = arith.constant 100 : index
    %r = arith.addi %m, %c100 : index

    %v = memref.load %a[%r] : memref<4096xf32>
    gpu.return
  }

  gpu.func @shli(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 5, 3, 1>, known_block_size = array<i32: 7, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %c2 = arith.constant 2 : index
    %c5 = arith.constant 5 : index
    %p = arith.muli %bx, %c3 : index
    %q = arith.muli %tx, %c2 : index
    %pq = arith.subi %p, %q : index
    %n = arith.subi %pq, %c5 : index
    %d = arith.constant 2 : index
    %m = arith.shli %n, %d : index
    %c100 = arith.constant 100 : index
    %r = arith.addi %m, %c100 : index

    %v = memref.load %a[%r] : memref<4096xf32>
    gpu.return
  }

  gpu.func @minsi(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 5, 3, 1>, known_block_size = array<i32: 7, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %c2 = arith.constant 2 : index
    %c5 = arith.constant 5 : index
    %p = arith.muli %bx, %c3 : index
    %q = arith.muli %tx, %c2 : index
    %pq = arith.subi %p, %q : index
    %n = arith.subi %pq, %c5 : index
    %m = arith.minsi %n, %by : index
    %c100 = arith.constant 100 : index
    %r = arith.addi %m, %c100 : index

    %v = memref.load %a[%r] : memref<4096xf32>
    gpu.return
  }

  gpu.func @maxsi(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 5, 3, 1>, known_block_size = array<i32: 7, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %c2 = arith.constant 2 : index
    %c5 = arith.constant 5 : index
    %p = arith.muli %bx, %c3 : index
    %q = arith.muli %tx, %c2 : index
    %pq = arith.subi %p, %q : index
    %n = arith.subi %pq, %c5 : index
    %m = arith.maxsi %n, %by : index
    %c100 = arith.constant 100 : index
    %r = arith.addi %m, %c100 : index

    %v = memref.load %a[%r] : memref<4096xf32>
    gpu.return
  }

  gpu.func @divui_of_ids(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 5, 3, 1>, known_block_size = array<i32: 7, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %p = arith.muli %bx, %c3 : index
    %n = arith.addi %p, %tx : index
    %r = arith.divui %n, %c3 : index

    %v = memref.load %a[%r] : memref<4096xf32>
    gpu.return
  }

  gpu.func @remui_of_ids(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 5, 3, 1>, known_block_size = array<i32: 7, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %p = arith.muli %bx, %c3 : index
    %n = arith.addi %p, %tx : index
    %r = arith.remui %n, %c3 : index

    %v = memref.load %a[%r] : memref<4096xf32>
    gpu.return
  }

  gpu.func @ceildivui_of_ids(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 5, 3, 1>, known_block_size = array<i32: 7, 1, 1>, test.not_lowered} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %p = arith.muli %bx, %c3 : index
    %n = arith.addi %p, %tx : index
    %r = arith.ceildivui %n, %c3 : index

    %v = memref.load %a[%r] : memref<4096xf32>
    gpu.return
  }

  gpu.func @shrui_of_ids(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 5, 3, 1>, known_block_size = array<i32: 7, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %p = arith.muli %bx, %c3 : index
    %n = arith.addi %p, %tx : index
    %r = arith.shrui %n, %c3 : index

    %v = memref.load %a[%r] : memref<4096xf32>
    gpu.return
  }

  gpu.func @minui_maxui(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 5, 3, 1>, known_block_size = array<i32: 7, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %p = arith.minui %bx, %c3 : index
    %q = arith.maxui %tx, %by : index
    %s = arith.muli %p, %c3 : index
    %r = arith.addi %s, %q : index

    %v = memref.load %a[%r] : memref<4096xf32>
    gpu.return
  }

  gpu.func @select(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 5, 3, 1>, known_block_size = array<i32: 7, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %lt = arith.cmpi slt, %bx, %c3 : index
    %p = arith.muli %tx, %c3 : index
    %r = arith.select %lt, %p, %by : index

    %v = memref.load %a[%r] : memref<4096xf32>
    gpu.return
  }

  gpu.func @select_on_and_or(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 5, 3, 1>, known_block_size = array<i32: 7, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %c1 = arith.constant 1 : index
    %lt = arith.cmpi slt, %bx, %c3 : index
    %ge = arith.cmpi uge, %tx, %by : index
    %ne = arith.cmpi ne, %by, %c1 : index
    %and = arith.andi %lt, %ge : i1
    %or = arith.ori %and, %ne : i1
    %true = arith.constant true
    %not = arith.xori %or, %true : i1
    %p = arith.muli %tx, %c3 : index
    %q = arith.select %or, %p, %by : index
    %s = arith.select %not, %bx, %c1 : index
    %r = arith.addi %q, %s : index

    %v = memref.load %a[%r] : memref<4096xf32>
    gpu.return
  }

  gpu.func @bool_as_number(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 5, 3, 1>, known_block_size = array<i32: 7, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %lt = arith.cmpi slt, %bx, %c3 : index
    %n = arith.extui %lt : i1 to i32
    %m = arith.extsi %lt : i1 to i32
    %d = arith.subi %n, %m : i32
    %i = arith.index_cast %d : i32 to index
    %r = arith.addi %i, %tx : index

    %v = memref.load %a[%r] : memref<4096xf32>
    gpu.return
  }

  gpu.func @disjoint_or(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 5, 3, 1>, known_block_size = array<i32: 7, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c8 = arith.constant 8 : index
    %p = arith.muli %bx, %c8 : index
    %r = arith.ori %p, %tx : index

    %v = memref.load %a[%r] : memref<4096xf32>
    gpu.return
  }

  gpu.func @nested_quotients(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 5, 3, 1>, known_block_size = array<i32: 7, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %c2 = arith.constant 2 : index
    %c7 = arith.constant 7 : index
    %p = arith.muli %bx, %c7 : index
    %n = arith.addi %p, %tx : index
    %q = arith.divui %n, %c3 : index
    %q1 = arith.addi %q, %c2 : index
    %q2 = arith.divui %q1, %c2 : index
    %m = arith.remui %q, %c2 : index
    %s = arith.muli %q2, %c2 : index
    %r = arith.addi %s, %m : index

    %v = memref.load %a[%r] : memref<4096xf32>
    gpu.return
  }

  gpu.func @affine_maps(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 5, 3, 1>, known_block_size = array<i32: 7, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %p = affine.apply affine_map<(d0, d1)[s0] -> ((d0 * 7 + d1) floordiv 3 + (d1 - d0) mod 4 + s0 ceildiv 2)>(%bx, %tx)[%by]
    %q = affine.min affine_map<(d0, d1) -> (d0, 3, d1 * 2)>(%bx, %tx)
    %s = affine.max affine_map<(d0, d1) -> (d0 - 1, d1 - 2, 0)>(%by, %tx)
    %0 = arith.addi %p, %q : index
    %r = arith.addi %0, %s : index

    %v = memref.load %a[%r] : memref<4096xf32>
    gpu.return
  }

  gpu.func @index_dialect(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 5, 3, 1>, known_block_size = array<i32: 7, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c3 = index.constant 3
    %p = index.mul %bx, %c3
    %q = index.add %p, %tx
    %s = index.divu %q, %c3
    %t = index.remu %q, %c3
    %u = index.sub %q, %s
    %w = index.maxs %u, %t
    %r = index.ceildivs %w, %c3

    %v = memref.load %a[%r] : memref<4096xf32>
    gpu.return
  }

  gpu.func @unsigned_window(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 5, 3, 1>, known_block_size = array<i32: 7, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %n = arith.subi %tx, %c3 : index
    %in = arith.cmpi ult, %n, %c4 : index
    %r = arith.select %in, %n, %bx : index

    %v = memref.load %a[%r] : memref<4096xf32>
    gpu.return
  }

  gpu.func @butterfly(%a: memref<4096xf32>) kernel attributes {known_grid_size = array<i32: 5, 3, 1>, known_block_size = array<i32: 7, 1, 1>} {
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %tx = gpu.thread_id x
    %c5 = arith.constant 5 : index
    %p = arith.xori %tx, %c5 : index
    %r = arith.addi %tx, %bx : index

    %v = memref.load %a[%r] : memref<4096xf32>
    gpu.return
  }

  // (x + 1 - 1) << 11, as LLVM writes it.
  gpu.func @turned_around(%a: memref<99999xf32>) kernel attributes {known_grid_size = array<i32: 3, 2, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %bx = gpu.block_id x
    %tx = gpu.thread_id x
    %all = arith.constant 2097151 : i64
    %c11 = arith.constant 11 : i64
    %c1 = arith.constant 1 : index

    %m = arith.addi %bx, %c1 : index
    %mi = arith.index_cast %m : index to i64
    %s = arith.addi %mi, %all : i64
    %l = arith.shli %s, %c11 : i64
    %t = arith.trunci %l : i64 to i32
    %i = arith.index_cast %t : i32 to index
    %u = memref.load %a[%i] : memref<99999xf32>
    gpu.return
  }
}
