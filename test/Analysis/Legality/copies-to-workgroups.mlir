// Copies to workgroup memory, which read a lane's own address: more widths, offsets
// and spellings of them, and what is said where they are not modelled.
//
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle="formula='return gx - 1 - x' strict=true" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s

// Three words, of which the others belong to the next workgroups.
// CHECK: Missed{{.*}}Function=three_words | Code=cross-workgroup-write
// CHECK-SAME: both touch byte
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.mlir.global internal @l() {addr_space = 3 : i32} : !llvm.array<64 x i32>
  llvm.func @three_words(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %l = llvm.mlir.addressof @l : !llvm.ptr<3>
    %p = llvm.getelementptr %a[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    rocdl.load.to.lds %p, %l, 12, 0, 0 : !llvm.ptr<1>
    llvm.store %x, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=three_words_apart |
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.mlir.global internal @l() {addr_space = 3 : i32} : !llvm.array<64 x i32>
  llvm.func @three_words_apart(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %l = llvm.mlir.addressof @l : !llvm.ptr<3>
    %words = llvm.mlir.constant(3 : i32) : i32
    %i = llvm.mul %x, %words : i32
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    rocdl.load.to.lds %p, %l, 12, 0, 0 : !llvm.ptr<1>
    llvm.store %x, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// Offsets have a sign.
// CHECK: Missed{{.*}}Function=word_before | Code=cross-workgroup-write
// CHECK-SAME: both touch byte
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.mlir.global internal @l() {addr_space = 3 : i32} : !llvm.array<64 x i32>
  llvm.func @word_before(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %l = llvm.mlir.addressof @l : !llvm.ptr<3>
    %p = llvm.getelementptr %a[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    rocdl.load.to.lds %p, %l, 4, -4, 0 : !llvm.ptr<1>
    llvm.store %x, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// Half a word, and a byte.
// CHECK: Missed{{.*}}Function=half_a_word | Code=cross-workgroup-write
// CHECK-SAME: both touch byte
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.mlir.global internal @l() {addr_space = 3 : i32} : !llvm.array<64 x i32>
  llvm.func @half_a_word(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %l = llvm.mlir.addressof @l : !llvm.ptr<3>
    %p = llvm.getelementptr %a[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    rocdl.global.load.lds %p, %l, 2, 6, 0
    llvm.store %x, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=half_a_word_apart |
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.mlir.global internal @l() {addr_space = 3 : i32} : !llvm.array<64 x i32>
  llvm.func @half_a_word_apart(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %l = llvm.mlir.addressof @l : !llvm.ptr<3>
    %p = llvm.getelementptr %a[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    rocdl.global.load.lds %p, %l, 2, 2, 0
    llvm.store %x, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=last_byte | Code=cross-workgroup-write
// CHECK-SAME: both touch byte
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.mlir.global internal @l() {addr_space = 3 : i32} : !llvm.array<64 x i32>
  llvm.func @last_byte(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %l = llvm.mlir.addressof @l : !llvm.ptr<3>
    %p = llvm.getelementptr %a[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    rocdl.load.to.lds %p, %l, 1, 7, 0 : !llvm.ptr<1>
    llvm.store %x, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// Called by its name, the intrinsic has its offset as an operand.
// CHECK: Missed{{.*}}Function=offset_by_name | Code=cross-workgroup-write
// CHECK-SAME: both touch byte
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.mlir.global internal @l() {addr_space = 3 : i32} : !llvm.array<64 x i32>
  llvm.func @offset_by_name(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %l = llvm.mlir.addressof @l : !llvm.ptr<3>
    %p = llvm.getelementptr %a[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %size = llvm.mlir.constant(4 : i32) : i32
    %offset = llvm.mlir.constant(5 : i32) : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    llvm.call_intrinsic "llvm.amdgcn.global.load.lds"(%p, %l, %size, %offset, %c0) : (!llvm.ptr<1>, !llvm.ptr<3>, i32, i32, i32) -> ()
    llvm.store %x, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// Beside a loop with two entries, nothing is modelled.
// CHECK: Missed{{.*}}Function=beside_two_entries | Code=assumption
// CHECK-SAME: rocdl.load.to.lds
// CHECK-SAME: loop with two entries
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.mlir.global internal @l() {addr_space = 3 : i32} : !llvm.array<64 x i32>
  llvm.func @beside_two_entries(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %l = llvm.mlir.addressof @l : !llvm.ptr<3>
    %p = llvm.getelementptr %a[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    rocdl.load.to.lds %p, %l, 4, 4, 0 : !llvm.ptr<1>
    llvm.store %x, %p : i32, !llvm.ptr<1>
    %c5 = llvm.mlir.constant(5 : i32) : i32
    %is = llvm.icmp "slt" %x, %c5 : i32
    llvm.cond_br %is, ^one, ^other
  ^one:
    llvm.br ^other
  ^other:
    llvm.cond_br %is, ^one, ^end
  ^end:
    llvm.return
  }
}

// -----

// A copy out of a resource, four bytes further: the next workgroup's word.
// CHECK: Missed{{.*}}Function=out_of_a_resource | Code=cross-workgroup-write
// CHECK-SAME: workgroups (1) and (0) both touch byte 4
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.mlir.global internal @l() {addr_space = 3 : i32} : !llvm.array<64 x i32>
  llvm.func @out_of_a_resource(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %l = llvm.mlir.addressof @l : !llvm.ptr<3>
    %p = llvm.getelementptr %a[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %stride = llvm.mlir.constant(0 : i16) : i16
    %bytes = llvm.mlir.constant(4294967295 : i64) : i64
    %flags = llvm.mlir.constant(0 : i32) : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %m = llvm.mul %x, %c4 : i32
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %flags : !llvm.ptr<1> to !llvm.ptr<8>
    rocdl.raw.ptr.buffer.load.lds %r, %l, %c4, %m, %c0, %c4, %c0
    llvm.store %x, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// Nor is one that may wrap around in the 32 bits of an offset into it.
// CHECK: Missed{{.*}}Function=wraps_in_a_resource | Code=assumption
// CHECK-SAME: an offset into a resource
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.mlir.global internal @l() {addr_space = 3 : i32} : !llvm.array<64 x i32>
  llvm.func @wraps_in_a_resource(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %l = llvm.mlir.addressof @l : !llvm.ptr<3>
    %p = llvm.getelementptr %a[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %stride = llvm.mlir.constant(0 : i16) : i16
    %bytes = llvm.mlir.constant(4294967295 : i64) : i64
    %flags = llvm.mlir.constant(0 : i32) : i32
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %flags : !llvm.ptr<1> to !llvm.ptr<7>
    %q = llvm.getelementptr %r[%x] : (!llvm.ptr<7>, i32) -> !llvm.ptr<7>, i32
    rocdl.load.to.lds %q, %l, 4, -8, 0 : !llvm.ptr<7>
    llvm.store %x, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// CHECK: Passed{{.*}}Function=within_a_resource |
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.mlir.global internal @l() {addr_space = 3 : i32} : !llvm.array<64 x i32>
  llvm.func @within_a_resource(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 4, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %l = llvm.mlir.addressof @l : !llvm.ptr<3>
    %p = llvm.getelementptr %a[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %stride = llvm.mlir.constant(0 : i16) : i16
    %bytes = llvm.mlir.constant(4294967295 : i64) : i64
    %flags = llvm.mlir.constant(0 : i32) : i32
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %flags : !llvm.ptr<1> to !llvm.ptr<7>
    %q = llvm.getelementptr %r[%x] : (!llvm.ptr<7>, i32) -> !llvm.ptr<7>, i32
    rocdl.load.to.lds %q, %l, 4, 0, 0 : !llvm.ptr<7>
    llvm.store %x, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}
