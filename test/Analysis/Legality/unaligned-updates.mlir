// Updates of 64 bits through a buffer resource, at multiples of 4 bytes, may be
// two updates of half a word: that they commute is an assumption, and no proof.
//
// RUN: swizzle-opt %s --hw-aware-swizzle="formula='return gx - 1 - x' strict=true" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s --check-prefix=STRICT
// RUN: swizzle-opt %s --hw-aware-swizzle="formula='return gx - 1 - x'" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s
// STRICT: Missed{{.*}}Function=update_of_half_words
// CHECK: Passed{{.*}}Function=update_of_half_words | Assuming="updates of arg0 by rocdl.raw.ptr.buffer.atomic.add of arg0 (an update that may not be aligned to its width) do not race between workgroups"

gpu.module @m {
  llvm.func @update_of_half_words(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %at = llvm.shl %x, %c2 : i32
    %one = llvm.mlir.constant(1 : i64) : i64
    %stride = llvm.mlir.constant(0 : i16) : i16
    %bytes = llvm.mlir.constant(512 : i64) : i64
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %r = rocdl.make.buffer.rsrc %a, %stride, %bytes, %c0 : !llvm.ptr<1> to !llvm.ptr<8>
    %old = llvm.call_intrinsic "llvm.amdgcn.raw.ptr.buffer.atomic.add.i64"(%one, %r, %at, %c0, %c0) : (i64, !llvm.ptr<8>, i32, i32, i32) -> i64
    llvm.return
  }
}
