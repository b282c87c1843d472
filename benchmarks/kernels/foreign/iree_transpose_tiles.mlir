// As IREE leaves a transpose: each thread moves a column piece, ids linear.
// options: grid=256x256 block=256
gpu.module @dispatch {
  llvm.func @dispatch(%a: !llvm.ptr<1> {llvm.align = 16 : i32, llvm.noalias, llvm.nonnull, llvm.noundef, llvm.readonly}, %o: !llvm.ptr<1> {llvm.align = 16 : i32, llvm.noalias, llvm.nonnull, llvm.noundef}) attributes {gpu.kernel, rocdl.kernel, rocdl.flat_work_group_size = "256,256", rocdl.reqd_work_group_size = array<i32: 256, 1, 1>} {
    %bx = rocdl.workgroup.id.x : i32
    %by = rocdl.workgroup.id.y : i32
    %t = rocdl.workitem.id.x : i32
    %x = llvm.sext %bx : i32 to i64
    %y = llvm.sext %by : i32 to i64
    %tx = llvm.sext %t : i32 to i64
    %c0 = llvm.mlir.constant(0 : i64) : i64
    %c1 = llvm.mlir.constant(1 : i64) : i64
    %c4096 = llvm.mlir.constant(4096 : i64) : i64
    %c16 = llvm.mlir.constant(16 : i64) : i64
    %r0 = llvm.mul %y, %c16 overflow<nsw> : i64
    %cc = llvm.mul %x, %c16 overflow<nsw> : i64
    %tr = llvm.udiv %tx, %c16 : i64
    %tc = llvm.urem %tx, %c16 : i64
    %r = llvm.add %r0, %tr overflow<nsw> : i64
    %q = llvm.add %cc, %tc overflow<nsw> : i64
    %m = llvm.mul %r, %c4096 overflow<nsw> : i64
    %i = llvm.add %m, %q overflow<nsw> : i64
    %n = llvm.mul %q, %c4096 overflow<nsw> : i64
    %j = llvm.add %n, %r overflow<nsw> : i64
    %pa = llvm.getelementptr inbounds %a[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %po = llvm.getelementptr inbounds %o[%j] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %v = llvm.load %pa : !llvm.ptr<1> -> f32
    llvm.store %v, %po : f32, !llvm.ptr<1>
    llvm.return
  }
}
