// Atomic updates commute with the same operation on the same type only, whatever their
// spelling, on all memory that may be the same. None of these kernels may pass.
//
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle="formula='return gx - 1 - x'" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle="formula='return gx - 1 - x' strict=true" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s --check-prefix=STRICT
// STRICT-NOT: [Passed]

// Updates of one byte commute with their like only.

// CHECK: Missed{{.*}}Function=views_of_one_buffer | Code=atomic-not-commutative, Counterexample="workgroups (63) and (31) both touch byte 252 of arg0
gpu.module @m {
  gpu.func @views_of_one_buffer(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %low = memref.subview %a[0] [64] [1] : memref<4096xi32> to memref<64xi32, strided<[1]>>
    %high = memref.subview %a[32] [64] [1] : memref<4096xi32> to memref<64xi32, strided<[1], offset: 32>>
    %0 = memref.atomic_rmw addi %v, %low[%x] : (i32, memref<64xi32, strided<[1]>>) -> i32
    %1 = memref.atomic_rmw maxs %v, %high[%x] : (i32, memref<64xi32, strided<[1], offset: 32>>) -> i32
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=signed_and_unsigned | Code=atomic-not-commutative, Counterexample="workgroups (0) and (1) both touch byte 0 of arg0
gpu.module @m {
  gpu.func @signed_and_unsigned(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = memref.atomic_rmw maxs %v, %a[%c0] : (i32, memref<4096xi32>) -> i32
    %1 = memref.atomic_rmw maxu %v, %a[%c0] : (i32, memref<4096xi32>) -> i32
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=add_and_or | Code=atomic-not-commutative, Counterexample="workgroups (1) and (0) both touch byte 0 of arg0
gpu.module @m {
  gpu.func @add_and_or(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %late = arith.cmpi sge, %x, %c1 : index
    scf.if %late {
      %0 = memref.atomic_rmw addi %v, %a[%c0] : (i32, memref<4096xi32>) -> i32
    } else {
      %1 = memref.atomic_rmw ori %v, %a[%c0] : (i32, memref<4096xi32>) -> i32
    }
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=integer_and_float | Code=atomic-not-commutative, Counterexample="workgroups (0) and (1) both touch byte 0 of arg0
gpu.module @m {
  gpu.func @integer_and_float(%a: memref<4096xi8> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %f = arith.sitofp %v : i32 to f32
    %floats = memref.view %a[%c0][] : memref<4096xi8> to memref<16xf32>
    %ints = memref.view %a[%c0][] : memref<4096xi8> to memref<16xi32>
    %0 = memref.atomic_rmw addf %f, %floats[%c0] : (f32, memref<16xf32>) -> f32
    %1 = memref.atomic_rmw addi %v, %ints[%c0] : (i32, memref<16xi32>) -> i32
    gpu.return
  }
}

// -----

// Width: a carry leaves the narrow word.

// CHECK: Missed{{.*}}Function=two_widths | Code=atomic-not-commutative, Counterexample="workgroups (0) and (1) both touch byte 0 of arg0
gpu.module @m {
  gpu.func @two_widths(%a: memref<64xi8> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %w = arith.extsi %v : i32 to i64
    %wide = memref.view %a[%c0][] : memref<64xi8> to memref<8xi64>
    %narrow = memref.view %a[%c0][] : memref<64xi8> to memref<16xi32>
    %0 = memref.atomic_rmw addi %w, %wide[%c0] : (i64, memref<8xi64>) -> i64
    %1 = memref.atomic_rmw addi %v, %narrow[%c0] : (i32, memref<16xi32>) -> i32
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=half_of_a_word | Code=atomic-not-commutative, Counterexample="workgroups (0) and (1) both touch byte 3 of arg0
gpu.module @m {
  gpu.func @half_of_a_word(%a: memref<64xi8> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %h = arith.trunci %v : i32 to i16
    %half = memref.view %a[%c1][] : memref<64xi8> to memref<16xi16>
    %whole = memref.view %a[%c0][] : memref<64xi8> to memref<16xi32>
    %0 = memref.atomic_rmw addi %h, %half[%c1] : (i16, memref<16xi16>) -> i16
    %1 = memref.atomic_rmw addi %v, %whole[%c0] : (i32, memref<16xi32>) -> i32
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=update_and_load | Code=cross-workgroup-write, Counterexample="workgroups (1) and (0) both touch byte 0 of arg0
gpu.module @m {
  gpu.func @update_and_load(%a: memref<4096xi32> {llvm.noalias}, %b: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = memref.atomic_rmw addi %v, %a[%c0] : (i32, memref<4096xi32>) -> i32
    %w = memref.load %a[%x] : memref<4096xi32>
    memref.store %w, %b[%x] : memref<4096xi32>
    gpu.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=generic_update | Code=atomic-not-commutative
gpu.module @m {
  gpu.func @generic_update(%a: memref<4096xi32> {llvm.noalias}) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = gpu.block_id x
    %v = arith.index_cast %x : index to i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = memref.generic_atomic_rmw %a[%c0] : memref<4096xi32> {
    ^bb0(%old: i32):
      %two = arith.constant 2 : i32
      %twice = arith.muli %old, %two : i32
      %new = arith.addi %twice, %v : i32
      memref.atomic_yield %new : i32
    }
    gpu.return
  }
}

// -----

// Operations that do not commute with themselves.

// CHECK: Missed{{.*}}Function=nand | Code=atomic-not-commutative
gpu.module @m {
  llvm.func @nand(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %0 = llvm.atomicrmw nand %a, %x monotonic : !llvm.ptr<1>, i32
    llvm.return
  }
}

// -----

// Nothing is subtracted if it is too much: of two, the first may be.

// CHECK: Missed{{.*}}Function=subtracts_if_it_can | Code=atomic-not-commutative
gpu.module @m {
  llvm.func @subtracts_if_it_can(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %0 = llvm.atomicrmw usub_cond %a, %x monotonic : !llvm.ptr<1>, i32
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=wrapping_increment | Code=atomic-not-commutative
gpu.module @m {
  llvm.func @wrapping_increment(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %0 = llvm.atomicrmw uinc_wrap %a, %x monotonic : !llvm.ptr<1>, i32
    llvm.return
  }
}

// -----

// One step for the workgroup only: updates of others can get lost.

// CHECK: Missed{{.*}}Function=scope_of_the_workgroup | Code=atomic-scope
gpu.module @m {
  llvm.func @scope_of_the_workgroup(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %0 = llvm.atomicrmw add %a, %x syncscope("workgroup") monotonic : !llvm.ptr<1>, i32
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=scope_of_the_wave | Code=atomic-scope
gpu.module @m {
  llvm.func @scope_of_the_wave(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %0 = llvm.atomicrmw add %a, %x syncscope("wavefront") monotonic : !llvm.ptr<1>, i32
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=scope_of_the_thread | Code=atomic-scope
gpu.module @m {
  llvm.func @scope_of_the_thread(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %0 = llvm.atomicrmw add %a, %x syncscope("singlethread") monotonic : !llvm.ptr<1>, i32
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=scope_of_the_block | Code=atomic-scope
gpu.module @m {
  llvm.func @scope_of_the_block(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %0 = llvm.atomicrmw add %a, %x syncscope("block") monotonic : !llvm.ptr<1>, i32
    llvm.return
  }
}

// -----

// One intrinsic in three spellings: it is an update in all of them.

// CHECK: Missed{{.*}}Function=update_by_operation | Code=cross-workgroup-write, Counterexample="workgroups (1) and (0) both touch byte 0 of arg0
gpu.module @m {
  llvm.func @update_by_operation(%a: !llvm.ptr<1> {llvm.noalias}, %b: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %f = llvm.sitofp %x : i32 to f32
    %stride = llvm.mlir.constant(0 : i16) : i16
    %bytes = llvm.mlir.constant(4 : i64) : i64
    %v = llvm.load %a : !llvm.ptr<1> -> f32
    %p = llvm.getelementptr %b[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %v, %p : f32, !llvm.ptr<1>
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %c0 : !llvm.ptr<1> to !llvm.ptr<8>
    rocdl.raw.ptr.buffer.atomic.fadd %f, %r, %c0, %c0, %c0 : f32
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=update_by_call | Code=cross-workgroup-write, Counterexample="workgroups (1) and (0) both touch byte 0 of arg0
gpu.module @m {
  llvm.func @llvm.amdgcn.raw.ptr.buffer.atomic.fadd.f32(f32, !llvm.ptr<8>, i32, i32, i32) -> f32
  llvm.func @update_by_call(%a: !llvm.ptr<1> {llvm.noalias}, %b: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %f = llvm.sitofp %x : i32 to f32
    %stride = llvm.mlir.constant(0 : i16) : i16
    %bytes = llvm.mlir.constant(4 : i64) : i64
    %v = llvm.load %a : !llvm.ptr<1> -> f32
    %p = llvm.getelementptr %b[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %v, %p : f32, !llvm.ptr<1>
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %c0 : !llvm.ptr<1> to !llvm.ptr<8>
    %old = llvm.call @llvm.amdgcn.raw.ptr.buffer.atomic.fadd.f32(%f, %r, %c0, %c0, %c0) : (f32, !llvm.ptr<8>, i32, i32, i32) -> f32
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=update_by_intrinsic | Code=cross-workgroup-write, Counterexample="workgroups (1) and (0) both touch byte 0 of arg0
gpu.module @m {
  llvm.func @update_by_intrinsic(%a: !llvm.ptr<1> {llvm.noalias}, %b: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %f = llvm.sitofp %x : i32 to f32
    %stride = llvm.mlir.constant(0 : i16) : i16
    %bytes = llvm.mlir.constant(4 : i64) : i64
    %v = llvm.load %a : !llvm.ptr<1> -> f32
    %p = llvm.getelementptr %b[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %v, %p : f32, !llvm.ptr<1>
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %c0 : !llvm.ptr<1> to !llvm.ptr<8>
    %old = llvm.call_intrinsic "llvm.amdgcn.raw.ptr.buffer.atomic.fadd"(%f, %r, %c0, %c0, %c0) : (f32, !llvm.ptr<8>, i32, i32, i32) -> f32
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=old_value_by_call | Code=atomic-result-used
gpu.module @m {
  llvm.func @llvm.amdgcn.raw.ptr.buffer.atomic.fadd.f32(f32, !llvm.ptr<8>, i32, i32, i32) -> f32
  llvm.func @old_value_by_call(%a: !llvm.ptr<1> {llvm.noalias}, %b: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %f = llvm.sitofp %x : i32 to f32
    %stride = llvm.mlir.constant(0 : i16) : i16
    %bytes = llvm.mlir.constant(4 : i64) : i64
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %c0 : !llvm.ptr<1> to !llvm.ptr<8>
    %old = llvm.call @llvm.amdgcn.raw.ptr.buffer.atomic.fadd.f32(%f, %r, %c0, %c0, %c0) : (f32, !llvm.ptr<8>, i32, i32, i32) -> f32
    %p = llvm.getelementptr %b[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %old, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=swap_by_call | Code=atomic-not-commutative
gpu.module @m {
  llvm.func @swap_by_call(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %stride = llvm.mlir.constant(0 : i16) : i16
    %bytes = llvm.mlir.constant(4 : i64) : i64
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %c0 : !llvm.ptr<1> to !llvm.ptr<8>
    %old = llvm.call_intrinsic "llvm.amdgcn.raw.ptr.buffer.atomic.swap"(%x, %r, %c0, %c0, %c0) : (i32, !llvm.ptr<8>, i32, i32, i32) -> i32
    llvm.return
  }
}

// -----

// Reductions by a tensor map: which one is an attribute.

// CHECK: Missed{{.*}}Function=reduce_add_and_max | Code=atomic-not-commutative{{.*}}the atomic tensor map {{add|max}} of argument 0 of some buffer
gpu.module @m {
  llvm.func @reduce_add_and_max(%d: !llvm.ptr {llvm.noalias}, %s: !llvm.ptr<3>) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    nvvm.cp.async.bulk.tensor.reduce %d, %s, box[%c0] {redKind = #nvvm.tma_redux_kind<add>} : !llvm.ptr, !llvm.ptr<3>
    nvvm.cp.async.bulk.tensor.reduce %d, %s, box[%c0] {redKind = #nvvm.tma_redux_kind<max>} : !llvm.ptr, !llvm.ptr<3>
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=reduce_wrapping | Code=atomic-not-commutative
gpu.module @m {
  llvm.func @reduce_wrapping(%d: !llvm.ptr {llvm.noalias}, %s: !llvm.ptr<3>) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    nvvm.cp.async.bulk.tensor.reduce %d, %s, box[%c0] {redKind = #nvvm.tma_redux_kind<inc>} : !llvm.ptr, !llvm.ptr<3>
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=reduce_two_maps | Assuming="updates of some buffer by nvvm.cp.async.bulk.tensor.reduce{{.*}}do not race
gpu.module @m {
  llvm.func @reduce_two_maps(%d: !llvm.ptr {llvm.noalias}, %e: !llvm.ptr, %s: !llvm.ptr<3>) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    nvvm.cp.async.bulk.tensor.reduce %d, %s, box[%c0] {redKind = #nvvm.tma_redux_kind<add>} : !llvm.ptr, !llvm.ptr<3>
    nvvm.cp.async.bulk.tensor.reduce %e, %s, box[%c0] {redKind = #nvvm.tma_redux_kind<add>} : !llvm.ptr, !llvm.ptr<3>
    llvm.return
  }
}

// -----

// A launch that passes one buffer twice.

// CHECK: Missed{{.*}}Function=same_memory | Code=atomic-not-commutative, Counterexample="workgroups (0) and (1) both touch byte 0 of arg0
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @same_memory(%a: memref<4096xi32>, %b: memref<4096xi32>) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
      %x = gpu.block_id x
      %v = arith.index_cast %x : index to i32
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = memref.atomic_rmw addi %v, %a[%c0] : (i32, memref<4096xi32>) -> i32
      %1 = memref.atomic_rmw mins %v, %b[%c0] : (i32, memref<4096xi32>) -> i32
      gpu.return
    }
  }
  func.func @host(%A: memref<4096xi32>, %B: memref<4096xi32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @m::@same_memory blocks in (%c64, %c1, %c1) threads in (%c1, %c1, %c1) args(%A : memref<4096xi32>, %A : memref<4096xi32>)
    return
  }
}

// -----

// Only the second launch does.

// CHECK: Missed{{.*}}Function=same_memory_second | Code=atomic-not-commutative, Counterexample="workgroups (0) and (1) both touch byte 0 of arg0
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @same_memory_second(%a: memref<4096xi32>, %b: memref<4096xi32>) kernel attributes {known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
      %x = gpu.block_id x
      %v = arith.index_cast %x : index to i32
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = memref.atomic_rmw addi %v, %a[%c0] : (i32, memref<4096xi32>) -> i32
      %1 = memref.atomic_rmw mins %v, %b[%c0] : (i32, memref<4096xi32>) -> i32
      gpu.return
    }
  }
  func.func @host(%A: memref<4096xi32>, %B: memref<4096xi32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @m::@same_memory_second blocks in (%c64, %c1, %c1) threads in (%c1, %c1, %c1) args(%A : memref<4096xi32>, %B : memref<4096xi32>)
    gpu.launch_func @m::@same_memory_second blocks in (%c64, %c1, %c1) threads in (%c1, %c1, %c1) args(%A : memref<4096xi32>, %A : memref<4096xi32>)
    return
  }
}
