// What an operation promises beside its result: broken, it yields poison, which may be any
// number once it is frozen.
//
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle="formula='return gx - 1 - x' strict=true" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s

// CHECK: Missed{{.*}}Function=exact_shift | Code=assumption
gpu.module @m {
  llvm.func @exact_shift(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %n = llvm.lshr exact %t, %c1 : i32
    %any = llvm.freeze %n : i32
    %i = llvm.mul %b, %c16 : i32
    %j = llvm.add %i, %any : i32
    %p = llvm.getelementptr %a[%j] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %b, %p : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=exact_division | Code=assumption
gpu.module @m {
  llvm.func @exact_division(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %n = llvm.udiv exact %t, %c2 : i32
    %any = llvm.freeze %n : i32
    %i = llvm.mul %b, %c16 : i32
    %j = llvm.add %i, %any : i32
    %p = llvm.getelementptr %a[%j] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %b, %p : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=disjoint_bits | Code=assumption
gpu.module @m {
  llvm.func @disjoint_bits(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %n = llvm.or disjoint %t, %c1 : i32
    %any = llvm.freeze %n : i32
    %i = llvm.mul %b, %c16 : i32
    %j = llvm.add %i, %any : i32
    %p = llvm.getelementptr %a[%j] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %b, %p : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=unsigned_sum | Code=assumption
gpu.module @m {
  llvm.func @unsigned_sum(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %m = llvm.sub %t, %c4 : i32
    %n = llvm.add %m, %c4 overflow<nuw> : i32
    %any = llvm.freeze %n : i32
    %i = llvm.mul %b, %c16 : i32
    %j = llvm.add %i, %any : i32
    %p = llvm.getelementptr %a[%j] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %b, %p : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=unsigned_difference | Code=assumption
gpu.module @m {
  llvm.func @unsigned_difference(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %m = llvm.sub %t, %c4 overflow<nuw> : i32
    %n = llvm.add %m, %c4 : i32
    %any = llvm.freeze %n : i32
    %i = llvm.mul %b, %c16 : i32
    %j = llvm.add %i, %any : i32
    %p = llvm.getelementptr %a[%j] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %b, %p : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=unsigned_truncation | Code=assumption
gpu.module @m {
  llvm.func @unsigned_truncation(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %m = llvm.sub %t, %c4 : i32
    %w = llvm.trunc %m overflow<nuw> : i32 to i16
    %s = llvm.sext %w : i16 to i32
    %n = llvm.add %s, %c4 : i32
    %any = llvm.freeze %n : i32
    %i = llvm.mul %b, %c16 : i32
    %j = llvm.add %i, %any : i32
    %p = llvm.getelementptr %a[%j] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %b, %p : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=one_bit_product | Code=assumption
gpu.module @m {
  llvm.func @one_bit_product(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %on = llvm.icmp "slt" %t, %c2 : i32
    %m = llvm.mul %on, %on overflow<nsw> : i1
    %n = llvm.zext %m : i1 to i32
    %any = llvm.freeze %n : i32
    %i = llvm.mul %b, %c16 : i32
    %j = llvm.add %i, %any : i32
    %p = llvm.getelementptr %a[%j] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %b, %p : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=one_bit_truncation | Code=assumption
gpu.module @m {
  llvm.func @one_bit_truncation(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %one = llvm.and %t, %c1 : i32
    %m = llvm.trunc %one overflow<nsw> : i32 to i1
    %n = llvm.zext %m : i1 to i32
    %any = llvm.freeze %n : i32
    %i = llvm.mul %b, %c16 : i32
    %j = llvm.add %i, %any : i32
    %p = llvm.getelementptr %a[%j] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %b, %p : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=one_bit_extension | Code=assumption
gpu.module @m {
  llvm.func @one_bit_extension(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %on = llvm.icmp "slt" %t, %c2 : i32
    %n = llvm.zext nneg %on : i1 to i32
    %any = llvm.freeze %n : i32
    %i = llvm.mul %b, %c16 : i32
    %j = llvm.add %i, %any : i32
    %p = llvm.getelementptr %a[%j] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %b, %p : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=frozen_address | Code=assumption
gpu.module @m {
  llvm.func @frozen_address(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %p = llvm.getelementptr inbounds %a[%b] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %any = llvm.freeze %p : !llvm.ptr
    llvm.store %b, %any : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=kept_promises |
gpu.module @m {
  llvm.func @kept_promises(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %m = llvm.add %t, %c4 overflow<nsw, nuw> : i32
    %s = llvm.sub %m, %c4 overflow<nuw> : i32
    %w = llvm.trunc %s overflow<nsw, nuw> : i32 to i16
    %n = llvm.zext nneg %w : i16 to i32
    %any = llvm.freeze %n : i32
    %i = llvm.mul %b, %c16 : i32
    %j = llvm.add %i, %any : i32
    %p = llvm.getelementptr %a[%j] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %b, %p : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=no_promises |
gpu.module @m {
  llvm.func @no_promises(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %m = llvm.lshr %t, %c1 : i32
    %n = llvm.or %m, %c4 : i32
    %any = llvm.freeze %n : i32
    %i = llvm.mul %b, %c16 : i32
    %j = llvm.add %i, %any : i32
    %p = llvm.getelementptr %a[%j] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %b, %p : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// Of an address, too, of which the lowest bit alone is known.
// CHECK: Missed{{.*}}Function=low_bit | Code=assumption
gpu.module @m {
  llvm.func @low_bit(%out: !llvm.ptr {llvm.noalias, llvm.align = 16 : i64}) attributes {gpu.kernel, nvvm.kernel, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 32, 1, 1>, nvvm.reqntid = array<i32: 32, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %a = llvm.ptrtoint %out : !llvm.ptr to i64
    %t = llvm.trunc %a overflow<nuw> : i64 to i1
    %b = llvm.freeze %t : i1
    llvm.cond_br %b, ^meet, ^apart
  ^apart:
    %to = llvm.getelementptr %out[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %x, %to : i32, !llvm.ptr
    llvm.return
  ^meet:
    llvm.store %x, %out : i32, !llvm.ptr
    llvm.return
  }
}
