// Updates of 64 bits through a buffer resource, whose offsets are not followed: whether
// they are aligned is not known, and so not whether they commute.
//
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle="formula='return gx - 1 - x' strict=true" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s

// Whether an offset that is loaded is aligned is not known ...
// CHECK: Missed{{.*}}Function=at_a_loaded_offset | Code=assumption
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.func @at_a_loaded_offset(%a: !llvm.ptr<1> {llvm.noalias}, %b: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %p = llvm.getelementptr %b[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %at = llvm.load %p : !llvm.ptr<1> -> i32
    %one = llvm.mlir.constant(1 : i64) : i64
    %stride = llvm.mlir.constant(0 : i16) : i16
    %bytes = llvm.mlir.constant(512 : i64) : i64
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %c0 : !llvm.ptr<1> to !llvm.ptr<8>
    %old = llvm.call_intrinsic "llvm.amdgcn.raw.ptr.buffer.atomic.add.i64"(%one, %r, %at, %c0, %c0) : (i64, !llvm.ptr<8>, i32, i32, i32) -> i64
    llvm.return
  }
}

// -----

// ... and need not be for 32 bits.
// CHECK: Passed{{.*}}Function=word_at_a_loaded_offset |
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.func @word_at_a_loaded_offset(%a: !llvm.ptr<1> {llvm.noalias}, %b: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %p = llvm.getelementptr %b[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %at = llvm.load %p : !llvm.ptr<1> -> i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %stride = llvm.mlir.constant(0 : i16) : i16
    %bytes = llvm.mlir.constant(512 : i64) : i64
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %c0 : !llvm.ptr<1> to !llvm.ptr<8>
    %old = llvm.call_intrinsic "llvm.amdgcn.raw.ptr.buffer.atomic.add.i32"(%one, %r, %at, %c0, %c0) : (i32, !llvm.ptr<8>, i32, i32, i32) -> i32
    llvm.return
  }
}

// -----

// Nor is it beside a loop with two entries, where nothing is modelled.
// CHECK: Missed{{.*}}Function=beside_two_entries | Code=assumption
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.func @beside_two_entries(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %at = llvm.shl %x, %c2 : i32
    %one = llvm.mlir.constant(1 : i64) : i64
    %stride = llvm.mlir.constant(0 : i16) : i16
    %bytes = llvm.mlir.constant(512 : i64) : i64
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %c0 : !llvm.ptr<1> to !llvm.ptr<8>
    %old = llvm.call_intrinsic "llvm.amdgcn.raw.ptr.buffer.atomic.add.i64"(%one, %r, %at, %c0, %c0) : (i64, !llvm.ptr<8>, i32, i32, i32) -> i64
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

// Read for every size of the argument.
// CHECK: Missed{{.*}}Function=by_argument | Code=assumption
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.func @by_argument(%a: !llvm.ptr<1> {llvm.noalias}, %n: i32) attributes {gpu.kernel, rocdl.kernel, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %s = llvm.mul %n, %c4 overflow<nsw> : i32
    %at = llvm.mul %x, %s overflow<nsw> : i32
    %one = llvm.mlir.constant(1 : i64) : i64
    %stride = llvm.mlir.constant(0 : i16) : i16
    %bytes = llvm.mlir.constant(512 : i64) : i64
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %c0 : !llvm.ptr<1> to !llvm.ptr<8>
    %old = llvm.call_intrinsic "llvm.amdgcn.raw.ptr.buffer.atomic.add.i64"(%one, %r, %at, %c0, %c0) : (i64, !llvm.ptr<8>, i32, i32, i32) -> i64
    llvm.return
  }
}

// -----

// A resource that puts neighbours apart.
// CHECK: Missed{{.*}}Function=where_neighbours_are_apart | Code=assumption
gpu.module @m [#rocdl.target<chip = "gfx942">] {
  llvm.func @where_neighbours_are_apart(%a: !llvm.ptr<1> {llvm.noalias}, %n: i16) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %at = llvm.shl %x, %c3 : i32
    %one = llvm.mlir.constant(1 : i64) : i64
    %bytes = llvm.mlir.constant(512 : i64) : i64
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %r = rocdl.make.buffer.rsrc %a, %n, %bytes, %c0 : !llvm.ptr<1> to !llvm.ptr<8>
    %old = llvm.call_intrinsic "llvm.amdgcn.raw.ptr.buffer.atomic.add.i64"(%one, %r, %at, %c0, %c0) : (i64, !llvm.ptr<8>, i32, i32, i32) -> i64
    llvm.return
  }
}
