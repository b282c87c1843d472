// Words that overlap in part, and offsets that wrap around where pointers do not: none
// of these kernels is accepted as proved.
//
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle="formula='return gx - 1 - x, y' strict=true" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s --implicit-check-not=Passed

// Words that overlap by half: the carry out of one is lost in another.

// CHECK: Missed{{.*}}Function=half_words | Code=atomic-not-commutative
gpu.module @m {
  llvm.func @half_words(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %w = llvm.zext %x : i32 to i64
    %p = llvm.getelementptr %a[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    %0 = llvm.atomicrmw add %a, %w monotonic {alignment = 4 : i64} : !llvm.ptr<1>, i64
    %1 = llvm.atomicrmw add %p, %w monotonic {alignment = 4 : i64} : !llvm.ptr<1>, i64
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=half_words_by_id | Code=atomic-not-commutative
gpu.module @m {
  llvm.func @half_words_by_id(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %w = llvm.zext %x : i32 to i64
    %p = llvm.getelementptr %a[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %0 = llvm.atomicrmw umax %p, %w monotonic {alignment = 4 : i64} : !llvm.ptr<1>, i64
    llvm.return
  }
}

// -----

// A function that has the name of a marker.

// CHECK: Missed{{.*}}Function=user_marker | Code=unknown-effect
gpu.module @m {
  llvm.func @swizzle.workgroup_id.x.i32() -> i32
  llvm.func @user_marker(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %y = llvm.call @swizzle.workgroup_id.x.i32() : () -> i32
    %p = llvm.getelementptr %a[%y] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %x, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// Offsets of fat pointers have 32 bits; those of buffers have no sign.

// CHECK: Missed{{.*}}Function=fat_pointer_wraps | Code=assumption
gpu.module @m {
  llvm.func @fat_pointer_wraps(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 2, 1, 1>, known_grid_size = array<i32: 2, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %stride = llvm.mlir.constant(0 : i16) : i16
    %bytes = llvm.mlir.constant(4294967295 : i64) : i64
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %c0 : !llvm.ptr<1> to !llvm.ptr<7>
    %c = llvm.mlir.constant(1073741824 : i32) : i32
    %m = llvm.mul %x, %c overflow<nuw> : i32
    %p = llvm.getelementptr %r[%m] : (!llvm.ptr<7>, i32) -> !llvm.ptr<7>, i32
    llvm.store %x, %p : i32, !llvm.ptr<7>
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=buffer_negative_and_plain | Code=assumption
gpu.module @m {
  llvm.func @buffer_negative_and_plain(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %f = llvm.sitofp %x : i32 to f32
    %stride = llvm.mlir.constant(0 : i16) : i16
    %bytes = llvm.mlir.constant(4294967295 : i64) : i64
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %m = llvm.mlir.constant(-256 : i32) : i32
    %o4 = llvm.mul %x, %c4 : i32
    %o = llvm.add %o4, %m : i32
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %c0 : !llvm.ptr<1> to !llvm.ptr<8>
    rocdl.raw.ptr.buffer.store %f, %r, %o, %c0, %c0 : f32
    %big = llvm.mlir.constant(4294967292 : i64) : i64
    %w = llvm.zext %o4 : i32 to i64
    %p64 = llvm.sub %big, %w : i64
    %p = llvm.getelementptr %a[%p64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
    llvm.store %f, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// Addresses of 32 bits wrap around: all workgroups store to byte 0.
// CHECK: Missed{{.*}}Function=short_pointer | Code=assumption
// CHECK-SAME: may wrap around in the 32 bits of an offset
gpu.module @m {
  llvm.func @short_pointer(%a: !llvm.ptr<6> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %s = llvm.mlir.constant(1073741824 : i64) : i64
    %w = llvm.zext %b : i32 to i64
    %i = llvm.mul %w, %s : i64
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr<6>, i64) -> !llvm.ptr<6>, i32
    llvm.store %b, %p : i32, !llvm.ptr<6>
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=short_pointer_apart |
gpu.module @m {
  llvm.func @short_pointer_apart(%a: !llvm.ptr<6> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = rocdl.workgroup.id.x : i32
    %s = llvm.mlir.constant(1048576 : i64) : i64
    %w = llvm.zext %b : i32 to i64
    %i = llvm.mul %w, %s : i64
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr<6>, i64) -> !llvm.ptr<6>, i32
    llvm.store %b, %p : i32, !llvm.ptr<6>
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=short_by_layout | Code=assumption
// CHECK-SAME: may wrap around in the 32 bits of an offset
gpu.module @m attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<32> : vector<4xi64>>} {
  llvm.func @short_by_layout(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %s = llvm.mlir.constant(1073741824 : i64) : i64
    %w = llvm.zext %b : i32 to i64
    %i = llvm.mul %w, %s : i64
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %b, %p : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=short_by_layout_apart |
gpu.module @m attributes {dlti.dl_spec = #dlti.dl_spec<!llvm.ptr = dense<32> : vector<4xi64>>} {
  llvm.func @short_by_layout_apart(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %s = llvm.mlir.constant(1048576 : i64) : i64
    %w = llvm.zext %b : i32 to i64
    %i = llvm.mul %w, %s : i64
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %b, %p : i32, !llvm.ptr
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=not_short |
gpu.module @m {
  llvm.func @not_short(%a: !llvm.ptr {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %s = llvm.mlir.constant(1073741824 : i64) : i64
    %w = llvm.zext %b : i32 to i64
    %i = llvm.mul %w, %s : i64
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    llvm.store %b, %p : i32, !llvm.ptr
    llvm.return
  }
}
