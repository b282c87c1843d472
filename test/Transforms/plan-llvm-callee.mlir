// An LLVM function that returns nothing and reads ids gets the new ones as
// arguments, as any other does.
// RUN: swizzle-opt %s --hw-aware-swizzle="formula='return gx - 1 - x, y' chip=mi300x" | FileCheck %s

// CHECK-LABEL: llvm.func internal @store_for_k
// CHECK-SAME: (%[[P:.*]]: !llvm.ptr<1>, %[[X:.*]]: i64, %{{.*}}: i64, %{{.*}}: i64)
// CHECK-NOT: rocdl.workgroup.id
// CHECK: llvm.func @k
// CHECK: rocdl.workgroup.id.x
// CHECK: llvm.call @store_for_k(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr<1>, i64, i64, i64) -> ()
gpu.module @m {
  llvm.func internal @store(%p: !llvm.ptr<1>) {
    %one = llvm.mlir.constant(1 : i32) : i32
    %x = rocdl.workgroup.id.x : i32
    %at = llvm.getelementptr %p[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %one, %at : i32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @k(%p: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, known_grid_size = array<i32: 8, 1, 1>, known_block_size = array<i32: 1, 1, 1>} {
    llvm.call @store(%p) : (!llvm.ptr<1>) -> ()
    llvm.return
  }
}
