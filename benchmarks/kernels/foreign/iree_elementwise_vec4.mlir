// As IREE leaves an elementwise dispatch for ROCm: vectors of four, noalias bindings.
// options: grid=8192 block=256
gpu.module @dispatch {
  llvm.func @dispatch(%a: !llvm.ptr<1> {llvm.align = 16 : i32, llvm.noalias, llvm.nonnull, llvm.noundef, llvm.readonly}, %b: !llvm.ptr<1> {llvm.align = 16 : i32, llvm.noalias, llvm.nonnull, llvm.noundef, llvm.readonly}, %o: !llvm.ptr<1> {llvm.align = 16 : i32, llvm.noalias, llvm.nonnull, llvm.noundef}) attributes {gpu.kernel, rocdl.kernel, rocdl.flat_work_group_size = "256,256", rocdl.reqd_work_group_size = array<i32: 256, 1, 1>} {
    %bx = rocdl.workgroup.id.x : i32
    %by = rocdl.workgroup.id.y : i32
    %t = rocdl.workitem.id.x : i32
    %x = llvm.sext %bx : i32 to i64
    %y = llvm.sext %by : i32 to i64
    %tx = llvm.sext %t : i32 to i64
    %c0 = llvm.mlir.constant(0 : i64) : i64
    %c1 = llvm.mlir.constant(1 : i64) : i64
    %c1024 = llvm.mlir.constant(1024 : i64) : i64
    %c4 = llvm.mlir.constant(4 : i64) : i64
    %m = llvm.mul %x, %c1024 overflow<nsw> : i64
    %n = llvm.mul %tx, %c4 overflow<nsw> : i64
    %i = llvm.add %m, %n overflow<nsw> : i64
    %pa = llvm.getelementptr inbounds %a[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %pb = llvm.getelementptr inbounds %b[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %po = llvm.getelementptr inbounds %o[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %va = llvm.load %pa {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
    %vb = llvm.load %pb {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
    %s = llvm.fadd %va, %vb : vector<4xf32>
    llvm.store %s, %po {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
    llvm.return
  }
}
