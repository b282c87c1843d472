// An id that the lowered kernel reads, and the IR that is rewritten does not show, would
// be missed. A kernel without a body shows nothing at all.
//
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle="formula='return gx - 1 - x, y'" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s
// RUN: swizzle-opt %s -split-input-file --hw-aware-swizzle="formula='return gx - 1 - x, y' strict=true" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s --check-prefix=STRICT
// STRICT-NOT: [Passed]

// CHECK: Missed{{.*}}Function=fourth_id | Code=hidden-id
gpu.module @m {
  llvm.func @fourth_id(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %y = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.ctaid.w"() : () -> i32
    %p = llvm.getelementptr %a[%y] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %x, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=fourth_id_of_amd | Code=hidden-id
gpu.module @m {
  llvm.func @fourth_id_of_amd(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = rocdl.workgroup.id.x : i32
    %w = llvm.call_intrinsic "llvm.amdgcn.workgroup.id.q"() : () -> i32
    %y = llvm.add %w, %x : i32
    %p = llvm.getelementptr %a[%y] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %x, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// CHECK: Missed{{.*}}Function=declared | Code=no-body
gpu.module @m {
  llvm.func @declared(!llvm.ptr<1>) attributes {gpu.kernel, rocdl.kernel, gpu.known_grid_size = array<i32: 64, 1, 1>}
}
