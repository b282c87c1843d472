// As IREE leaves a matrix-vector product: one row a workgroup, a loop in branches.
// options: grid=4096 block=256
gpu.module @dispatch {
  llvm.func @dispatch(%a: !llvm.ptr<1> {llvm.align = 16 : i32, llvm.noalias, llvm.nonnull, llvm.noundef, llvm.readonly}, %v: !llvm.ptr<1> {llvm.align = 16 : i32, llvm.noalias, llvm.nonnull, llvm.noundef, llvm.readonly}, %o: !llvm.ptr<1> {llvm.align = 16 : i32, llvm.noalias, llvm.nonnull, llvm.noundef}) attributes {gpu.kernel, rocdl.kernel, rocdl.flat_work_group_size = "256,256", rocdl.reqd_work_group_size = array<i32: 256, 1, 1>} {
    %bx = rocdl.workgroup.id.x : i32
    %by = rocdl.workgroup.id.y : i32
    %t = rocdl.workitem.id.x : i32
    %x = llvm.sext %bx : i32 to i64
    %y = llvm.sext %by : i32 to i64
    %tx = llvm.sext %t : i32 to i64
    %c0 = llvm.mlir.constant(0 : i64) : i64
    %c1 = llvm.mlir.constant(1 : i64) : i64
    %c4096 = llvm.mlir.constant(4096 : i64) : i64
    %c256 = llvm.mlir.constant(256 : i64) : i64
    %zero = llvm.mlir.constant(0.0 : f32) : f32
    %row = llvm.mul %x, %c4096 overflow<nsw> : i64
    llvm.br ^loop(%c0, %zero : i64, f32)
  ^loop(%k: i64, %acc: f32):
    %more = llvm.icmp "slt" %k, %c4096 : i64
    llvm.cond_br %more, ^body, ^done
  ^body:
    %j = llvm.add %k, %tx overflow<nsw> : i64
    %i = llvm.add %row, %j overflow<nsw> : i64
    %pa = llvm.getelementptr inbounds %a[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %pv = llvm.getelementptr inbounds %v[%j] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %l = llvm.load %pa : !llvm.ptr<1> -> f32
    %r = llvm.load %pv : !llvm.ptr<1> -> f32
    %p = llvm.fmul %l, %r : f32
    %s = llvm.fadd %p, %acc : f32
    %next = llvm.add %k, %c256 overflow<nsw> : i64
    llvm.br ^loop(%next, %s : i64, f32)
  ^done:
    %to = llvm.add %row, %tx overflow<nsw> : i64
    %po = llvm.getelementptr inbounds %o[%to] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    llvm.store %acc, %po : f32, !llvm.ptr<1>
    llvm.return
  }
}
