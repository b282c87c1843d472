// Numbers that become addresses, and addresses that become something else.
//
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle="formula='return gx - 1 - x' strict=true" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s

// An index has a sign, so that the true of one bit is the element before.
// CHECK: Missed{{.*}}Function=bit_as_index | Code=cross-workgroup-write
// CHECK-SAME: both touch byte
gpu.module @m {
  llvm.func @bit_as_index(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c8 = llvm.mlir.constant(8 : i32) : i32
    %on = llvm.icmp "slt" %t, %c8 : i32
    %i = llvm.mul %b, %c2 : i32
    %even = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %before = llvm.getelementptr %even[%on] : (!llvm.ptr, i1) -> !llvm.ptr, i32
    %after = llvm.getelementptr %even[1] : (!llvm.ptr) -> !llvm.ptr, i32
    llvm.store %b, %before : i32, !llvm.ptr
    llvm.store %b, %after : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=bits_as_indices | Code=cross-workgroup-write
// CHECK-SAME: both touch byte
gpu.module @m {
  llvm.func @bits_as_indices(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %on = llvm.mlir.constant(dense<[true, false]> : vector<2xi1>) : vector<2xi1>
    %i = llvm.mul %b, %c2 : i32
    %even = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %both = llvm.getelementptr %even[%on] : (!llvm.ptr, vector<2xi1>) -> vector<2x!llvm.ptr>, i32
    %after = llvm.getelementptr %even[1] : (!llvm.ptr) -> !llvm.ptr, i32
    %m = llvm.mlir.constant(dense<true> : vector<2xi1>) : vector<2xi1>
    %v = llvm.mlir.constant(dense<1> : vector<2xi32>) : vector<2xi32>
    llvm.intr.masked.scatter %v, %both, %m {alignment = 4 : i32} : vector<2xi32>, vector<2xi1> into vector<2x!llvm.ptr>
    llvm.store %b, %after : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=back_by_a_bit |
gpu.module @m {
  llvm.func @back_by_a_bit(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %on = llvm.icmp "slt" %t, %c2 : i32
    %more = llvm.zext %on : i1 to i32
    %i = llvm.add %b, %more : i32
    %far = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %own = llvm.getelementptr %far[%on] : (!llvm.ptr, i1) -> !llvm.ptr, i32
    llvm.store %b, %own : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=part_of_an_address | Code=assumption
gpu.module @m {
  llvm.func @part_of_an_address(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %p = llvm.getelementptr %a[%b] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %low = llvm.ptrtoint %p : !llvm.ptr to i8
    %q = llvm.inttoptr %low : i8 to !llvm.ptr
    llvm.store %b, %q : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=whole_address |
gpu.module @m {
  llvm.func @whole_address(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %p = llvm.getelementptr %a[%b] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %all = llvm.ptrtoint %p : !llvm.ptr to i64
    %q = llvm.inttoptr %all : i64 to !llvm.ptr
    llvm.store %b, %q : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// An argument is global memory, whatever its address is cast to.
// CHECK: Missed{{.*}}Function=called_local | Code=cross-workgroup-write
gpu.module @m {
  llvm.func @called_local(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %local = llvm.addrspacecast %a : !llvm.ptr to !llvm.ptr<3>
    %p = llvm.addrspacecast %local : !llvm.ptr<3> to !llvm.ptr
    llvm.store %b, %p : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=called_private | Code=cross-workgroup-write
gpu.module @m {
  llvm.func @called_private(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %local = llvm.addrspacecast %a : !llvm.ptr to !llvm.ptr<5>
    llvm.store %b, %local : i32, !llvm.ptr<5>
    llvm.return
  }
}

// -----

// Words that overlap by half.
// CHECK: Missed{{.*}}Function=unaligned_update | Code=atomic-not-commutative{{.*}}both touch byte{{.*}}may not be aligned to its width
gpu.module @m {
  llvm.func @unaligned_update(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %i = llvm.mul %b, %c2 : i32
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i8
    llvm.atomicrmw add %p, %b monotonic : !llvm.ptr, i32
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=aligned_update |
gpu.module @m {
  llvm.func @aligned_update(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %i = llvm.mul %t, %c4 : i32
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i8
    llvm.atomicrmw add %p, %b monotonic : !llvm.ptr, i32
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=plain_resource |
gpu.module @m {
  llvm.func @plain_resource(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %stride = llvm.mlir.constant(0 : i16) : i16
    %bytes = llvm.mlir.constant(4294967295 : i64) : i64
    %flags = llvm.mlir.constant(159744 : i32) : i32
    %i = llvm.mul %b, %c4 : i32
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %flags : !llvm.ptr to !llvm.ptr<8>
    rocdl.raw.ptr.buffer.store %b, %r, %i, %c0, %c0 : i32
    llvm.return
  }
}

// -----

// It adds the number of the thread times 65536 bytes.
// CHECK: Missed{{.*}}Function=resource_of_threads | Code=assumption
gpu.module @m {
  llvm.func @resource_of_threads(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %stride = llvm.mlir.constant(0 : i16) : i16
    %bytes = llvm.mlir.constant(4294967295 : i64) : i64
    %flags = llvm.mlir.constant(8548352 : i32) : i32
    %i = llvm.mul %b, %c4 : i32
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %flags : !llvm.ptr to !llvm.ptr<8>
    rocdl.raw.ptr.buffer.store %b, %r, %i, %c0, %c0 : i32
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=swizzled_resource | Code=assumption
gpu.module @m {
  llvm.func @swizzled_resource(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %stride = llvm.mlir.constant(-32752 : i16) : i16
    %bytes = llvm.mlir.constant(4294967295 : i64) : i64
    %flags = llvm.mlir.constant(159744 : i32) : i32
    %i = llvm.mul %b, %c4 : i32
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %flags : !llvm.ptr to !llvm.ptr<8>
    rocdl.raw.ptr.buffer.store %b, %r, %i, %c0, %c0 : i32
    llvm.return
  }
}

// -----

// Of the two offsets, only the first is compared with the size: workgroups 0 and 4 store to
// byte 64, which lies beyond it.
// CHECK: Missed{{.*}}Function=offset_that_is_not_compared | Code=cross-workgroup-write
// CHECK-SAME: both touch byte
gpu.module @m {
  llvm.func @offset_that_is_not_compared(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %stride = llvm.mlir.constant(0 : i16) : i16
    %bytes = llvm.mlir.constant(16 : i64) : i64
    %flags = llvm.mlir.constant(159744 : i32) : i32
    %i = llvm.srem %b, %c4 : i32
    %o = llvm.mul %i, %c4 : i32
    %further = llvm.mlir.constant(64 : i32) : i32
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %flags : !llvm.ptr to !llvm.ptr<8>
    rocdl.raw.ptr.buffer.store %b, %r, %o, %further, %c0 : i32
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=offset_that_is_negative | Code=assumption
gpu.module @m {
  llvm.func @offset_that_is_negative(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %stride = llvm.mlir.constant(0 : i16) : i16
    %bytes = llvm.mlir.constant(16 : i64) : i64
    %flags = llvm.mlir.constant(159744 : i32) : i32
    %o = llvm.mul %b, %c4 : i32
    %further = llvm.mlir.constant(-4 : i32) : i32
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %flags : !llvm.ptr to !llvm.ptr<8>
    rocdl.raw.ptr.buffer.store %b, %r, %o, %further, %c0 : i32
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=own_offset |
gpu.module @m {
  llvm.func @own_offset(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %stride = llvm.mlir.constant(0 : i16) : i16
    %bytes = llvm.mlir.constant(16 : i64) : i64
    %flags = llvm.mlir.constant(159744 : i32) : i32
    %o = llvm.mul %b, %c4 : i32
    %further = llvm.mlir.constant(64 : i32) : i32
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %flags : !llvm.ptr to !llvm.ptr<8>
    rocdl.raw.ptr.buffer.store %b, %r, %o, %further, %c0 : i32
    llvm.return
  }
}
