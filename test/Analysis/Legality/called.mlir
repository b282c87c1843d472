// A kernel that is a function of another one, too, keeps its order. The other one may be
// remapped: it calls a copy.
//
// RUN: swizzle-opt %s --hw-aware-swizzle="formula='return gx - 1 - x'" \
// RUN:   --remarks-filter=swizzle --remark-format=emitRemark -o %t.mlir 2>&1 | FileCheck %s
// RUN: swizzle-check %s %t.mlir --kernel=its_caller | FileCheck %s --check-prefix=SAME

// CHECK-DAG: Missed{{.*}}Function=is_called | Code=called
// CHECK-DAG: Passed{{.*}}Function=its_caller
// SAME: passed
gpu.module @m {
  llvm.func @is_called(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %p = llvm.getelementptr %a[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %x, %p : i32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @its_caller(%a: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, known_grid_size = array<i32: 64, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    %x = nvvm.read.ptx.sreg.ctaid.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %first = llvm.icmp "eq" %x, %c0 : i32
    llvm.cond_br %first, ^call, ^end
  ^call:
    llvm.call @is_called(%a) : (!llvm.ptr<1>) -> ()
    llvm.br ^end
  ^end:
    llvm.return
  }
}
