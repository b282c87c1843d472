// What a loop carries is compared whole: memory, offset, strides. Each of these
// kernels races in an iteration that does not look like the first one.
//
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle="formula='return gx - 1 - x'" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle="formula='return gx - 1 - x' strict=true" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s --check-prefix=STRICT
// STRICT-NOT: [Passed]

// Private memory in the first iteration, and everybody's from then on.

// CHECK: Passed{{.*}}Function=private_first | Assuming="writes of some buffer by memref.store{{.*}}do not race
gpu.module @m {
  gpu.func @private_first(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %own = memref.alloca() : memref<4096xi32>
    %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %own) -> (memref<4096xi32>) {
      memref.store %v, %p[%c0] : memref<4096xi32>
      scf.yield %a : memref<4096xi32>
    }
    gpu.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=workgroup_first | Assuming="writes of some buffer by memref.store{{.*}}do not race
gpu.module @m {
  gpu.func @workgroup_first(%a: memref<64xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %own = memref.alloc() : memref<64xi32, #gpu.address_space<workgroup>>
    %mine = memref.memory_space_cast %own : memref<64xi32, #gpu.address_space<workgroup>> to memref<64xi32>
    %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %mine) -> (memref<64xi32>) {
      memref.store %v, %p[%c0] : memref<64xi32>
      scf.yield %a : memref<64xi32>
    }
    gpu.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=other_buffer_later | Assuming="writes of some buffer by memref.store{{.*}}do not race
gpu.module @m {
  gpu.func @other_buffer_later(%a: memref<4096xi32> {llvm.noalias}, %b: memref<4096xi32> {llvm.noalias}, %c: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %b) -> (memref<4096xi32>) {
      memref.store %v, %p[%x] : memref<4096xi32>
      scf.yield %a : memref<4096xi32>
    }
    %next = arith.addi %x, %c1 : index
    %w = memref.load %a[%next] : memref<4096xi32>
    memref.store %w, %c[%x] : memref<4096xi32>
    gpu.return
  }
}

// -----

// Two buffers that change places: one is written and then read.

// CHECK: Passed{{.*}}Function=swap | Assuming="reads of some buffer by memref.load{{.*}}do not race
gpu.module @m {
  gpu.func @swap(%a: memref<4096xi32> {llvm.noalias}, %b: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %last:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %a, %q = %b) -> (memref<4096xi32>, memref<4096xi32>) {
      %next = arith.addi %x, %c1 : index
      %w = memref.load %q[%next] : memref<4096xi32>
      memref.store %w, %p[%x] : memref<4096xi32>
      scf.yield %q, %p : memref<4096xi32>, memref<4096xi32>
    }
    gpu.return
  }
}

// -----

// It takes two iterations until the buffer arrives.

// CHECK: Passed{{.*}}Function=rotate_of_three | Assuming="writes of some buffer by memref.store{{.*}}do not race
gpu.module @m {
  gpu.func @rotate_of_three(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %own = memref.alloca() : memref<4096xi32>
    %last:3 = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %own, %q = %own, %r = %a) -> (memref<4096xi32>, memref<4096xi32>, memref<4096xi32>) {
      memref.store %v, %p[%c0] : memref<4096xi32>
      scf.yield %q, %r, %p : memref<4096xi32>, memref<4096xi32>, memref<4096xi32>
    }
    gpu.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=swapped_indices | Assuming="writes of arg0 by memref.store{{.*}}do not race
gpu.module @m {
  gpu.func @swapped_indices(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %last:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %x, %q = %c0) -> (index, index) {
      memref.store %v, %a[%p] : memref<4096xi32>
      scf.yield %q, %p : index, index
    }
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=index_becomes_constant | Code=cross-workgroup-write, Counterexample="workgroups (0) and (1) both touch byte 0 of arg0
gpu.module @m {
  gpu.func @index_becomes_constant(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %x) -> (index) {
      memref.store %v, %a[%p] : memref<4096xi32>
      scf.yield %c0 : index
    }
    gpu.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=index_doubles | Assuming="writes of arg0 by memref.store{{.*}}do not race
gpu.module @m {
  gpu.func @index_doubles(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %x) -> (index) {
      memref.store %v, %a[%p] : memref<4096xi32>
      %twice = arith.addi %p, %p : index
      scf.yield %twice : index
    }
    gpu.return
  }
}

// -----

// The second step is one smaller than the first: 0, 64, 127 meets 63, 127.

// CHECK: Passed{{.*}}Function=step_grows | Assuming="writes of arg0 by memref.store{{.*}}do not race
gpu.module @m {
  gpu.func @step_grows(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %cm1 = arith.constant -1 : index
    %last:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %x, %s = %c64) -> (index, index) {
      memref.store %v, %a[%p] : memref<4096xi32>
      %q = arith.addi %p, %s : index
      %t = arith.addi %s, %cm1 : index
      scf.yield %q, %t : index, index
    }
    gpu.return
  }
}

// -----

// The same buffer and offset with other strides is another view.

// CHECK: Passed{{.*}}Function=transposed | Assuming="writes of arg0 by memref.store{{.*}}do not race
gpu.module @m {
  gpu.func @transposed(%a: memref<64x64xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = gpu.thread_id x
    %c2 = arith.constant 2 : index
    %d = memref.cast %a : memref<64x64xi32> to memref<64x64xi32, strided<[?, ?]>>
    %last = scf.for %i = %c0 to %c2 step %c1 iter_args(%p = %d) -> (memref<64x64xi32, strided<[?, ?]>>) {
      memref.store %v, %p[%x, %t] : memref<64x64xi32, strided<[?, ?]>>
      %n = memref.transpose %p (i, j) -> (j, i) : memref<64x64xi32, strided<[?, ?]>> to memref<64x64xi32, strided<[?, ?]>>
      scf.yield %n : memref<64x64xi32, strided<[?, ?]>>
    }
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=other_strides | Code=cross-workgroup-write, Counterexample="workgroups (1) and (2) both touch byte 8 of arg0
gpu.module @m {
  gpu.func @other_strides(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c2 = arith.constant 2 : index
    %d = memref.cast %a : memref<4096xi32> to memref<?xi32, strided<[?], offset: ?>>
    %dense = memref.reinterpret_cast %a to offset: [%c0], sizes: [%c4], strides: [%c2] : memref<4096xi32> to memref<?xi32, strided<[?], offset: ?>>
    %last = scf.for %i = %c0 to %c2 step %c1 iter_args(%p = %d) -> (memref<?xi32, strided<[?], offset: ?>>) {
      memref.store %v, %p[%x] : memref<?xi32, strided<[?], offset: ?>>
      scf.yield %dense : memref<?xi32, strided<[?], offset: ?>>
    }
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=other_offset | Code=cross-workgroup-write, Counterexample="workgroups (0) and (1) both touch byte 4 of arg0
gpu.module @m {
  gpu.func @other_offset(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %d = memref.cast %a : memref<4096xi32> to memref<4096xi32, strided<[1], offset: ?>>
    %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %d) -> (memref<4096xi32, strided<[1], offset: ?>>) {
      memref.store %v, %p[%x] : memref<4096xi32, strided<[1], offset: ?>>
      %n = memref.reinterpret_cast %a to offset: [%c1], sizes: [4096], strides: [1] : memref<4096xi32> to memref<4096xi32, strided<[1], offset: ?>>
      scf.yield %n : memref<4096xi32, strided<[1], offset: ?>>
    }
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=chosen_strides | Code=cross-workgroup-write, Counterexample="workgroups (4) and (0) both touch byte 1024 of arg0
gpu.module @m {
  gpu.func @chosen_strides(%a: memref<64x64xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %late = arith.cmpi sge, %x, %c4 : index
    %rows = memref.cast %a : memref<64x64xi32> to memref<64x64xi32, strided<[?, ?]>>
    %columns = memref.transpose %rows (i, j) -> (j, i) : memref<64x64xi32, strided<[?, ?]>> to memref<64x64xi32, strided<[?, ?]>>
    %p = arith.select %late, %rows, %columns : memref<64x64xi32, strided<[?, ?]>>
    %t = gpu.thread_id x
    memref.store %v, %p[%x, %t] : memref<64x64xi32, strided<[?, ?]>>
    gpu.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=while_loop | Assuming="writes of some buffer by memref.store{{.*}}do not race
gpu.module @m {
  gpu.func @while_loop(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %own = memref.alloca() : memref<4096xi32>
    %last:2 = scf.while (%i = %c0, %p = %own) : (index, memref<4096xi32>) -> (index, memref<4096xi32>) {
      %more = arith.cmpi slt, %i, %c4 : index
      scf.condition(%more) %i, %p : index, memref<4096xi32>
    } do {
    ^bb0(%i: index, %p: memref<4096xi32>):
      memref.store %v, %p[%c0] : memref<4096xi32>
      %next = arith.addi %i, %c1 : index
      scf.yield %next, %a : index, memref<4096xi32>
    }
    gpu.return
  }
}

// -----

// The condition's region runs once more than the body.

// CHECK: Missed{{.*}}Function=while_writes_before | Code=cross-workgroup-write, Counterexample="workgroups (0) and (1) both touch byte 0 of arg0
gpu.module @m {
  gpu.func @while_writes_before(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %last:2 = scf.while (%i = %c0, %p = %x) : (index, index) -> (index, index) {
      memref.store %v, %a[%p] : memref<4096xi32>
      %more = arith.cmpi slt, %i, %c4 : index
      scf.condition(%more) %i, %p : index, index
    } do {
    ^bb0(%i: index, %p: index):
      %next = arith.addi %i, %c1 : index
      scf.yield %next, %c0 : index, index
    }
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=after_the_loop | Code=cross-workgroup-write, Counterexample="workgroups (0) and (1) both touch byte 12 of arg0
gpu.module @m {
  gpu.func @after_the_loop(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %x) -> (index) {
      scf.yield %i : index
    }
    memref.store %v, %a[%last] : memref<4096xi32>
    gpu.return
  }
}

// -----

// A loop that does not run leaves what it was given.

// CHECK: Missed{{.*}}Function=no_iteration | Code=cross-workgroup-write, Counterexample="workgroups (0) and (1) both touch byte 0 of arg0
gpu.module @m {
  gpu.func @no_iteration(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %last = scf.for %i = %c4 to %c0 step %c1 iter_args(%p = %c0) -> (index) {
      scf.yield %x : index
    }
    memref.store %v, %a[%last] : memref<4096xi32>
    gpu.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=blocks | Assuming="writes of some buffer by memref.store{{.*}}do not race
gpu.module @m {
  gpu.func @blocks(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %own = memref.alloca() : memref<4096xi32>
    cf.br ^head(%c0, %own : index, memref<4096xi32>)
    ^head(%i: index, %p: memref<4096xi32>):
    %more = arith.cmpi slt, %i, %c4 : index
    cf.cond_br %more, ^body, ^end
    ^body:
    memref.store %v, %p[%c0] : memref<4096xi32>
    %next = arith.addi %i, %c1 : index
    cf.br ^head(%next, %a : index, memref<4096xi32>)
    ^end:
    gpu.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=blocks_with_two_ways_back | Assuming="writes of arg0 by memref.store{{.*}}do not race
gpu.module @m {
  gpu.func @blocks_with_two_ways_back(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c2 = arith.constant 2 : index
    cf.br ^head(%c0, %x : index, index)
    ^head(%i: index, %p: index):
    memref.store %v, %a[%p] : memref<4096xi32>
    %next = arith.addi %i, %c1 : index
    %early = arith.cmpi slt, %next, %c2 : index
    cf.cond_br %early, ^head(%next, %p : index, index), ^again
    ^again:
    %more = arith.cmpi slt, %next, %c4 : index
    cf.cond_br %more, ^head(%next, %c0 : index, index), ^end
    ^end:
    gpu.return
  }
}

// -----

// The pointer stands still once, and moves from then on.

// CHECK: Passed{{.*}}Function=pointers | Assuming="writes of some buffer by llvm.store{{.*}}do not race
gpu.module @m {
  llvm.func @pointers(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %four = llvm.mlir.constant(4 : i32) : i32
    %p0 = llvm.getelementptr %a[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.br ^head(%zero, %p0 : i32, !llvm.ptr<1>)
    ^head(%i: i32, %p: !llvm.ptr<1>):
    llvm.store %x, %p : i32, !llvm.ptr<1>
    %q = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %n = llvm.add %i, %one : i32
    %more = llvm.icmp "slt" %n, %four : i32
    llvm.cond_br %more, ^head(%n, %q : i32, !llvm.ptr<1>), ^end
    ^end:
    llvm.return
  }
}
