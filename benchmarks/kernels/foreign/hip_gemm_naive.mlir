// As clang leaves a naive HIP product: one element a thread, the loop in branches.
// options: grid=8x2048 block=256
module attributes {llvm.target_triple = "amdgcn-amd-amdhsa"} {
  gpu.module @hip {
    llvm.func amdgpu_kernelcc @_Z6kernelPf(%a: !llvm.ptr<1> {llvm.noalias, llvm.readonly}, %b: !llvm.ptr<1> {llvm.noalias, llvm.readonly}, %o: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, rocdl.flat_work_group_size = "1,256", "uniform-work-group-size" = "true"} {
      %0 = rocdl.workgroup.id.x range <i32, 0, 2147483647> : i32
      %1 = rocdl.workgroup.id.y range <i32, 0, 65536> : i32
      %2 = rocdl.workitem.id.x range <i32, 0, 1024> : i32
      %c8 = llvm.mlir.constant(8 : i32) : i32
      %n = llvm.mlir.constant(2048 : i64) : i64
      %c0 = llvm.mlir.constant(0 : i64) : i64
      %c1 = llvm.mlir.constant(1 : i64) : i64
      %zero = llvm.mlir.constant(0.0 : f32) : f32
      %3 = llvm.shl %0, %c8 : i32
      %4 = llvm.or %3, %2 : i32
      %j = llvm.zext %4 : i32 to i64
      %i = llvm.zext %1 : i32 to i64
      %row = llvm.mul %i, %n overflow<nsw, nuw> : i64
      llvm.br ^loop(%c0, %zero : i64, f32)
    ^loop(%k: i64, %acc: f32):
      %ia = llvm.add %row, %k overflow<nsw, nuw> : i64
      %kn = llvm.mul %k, %n overflow<nsw, nuw> : i64
      %ib = llvm.add %kn, %j overflow<nsw, nuw> : i64
      %pa = llvm.getelementptr inbounds %a[%ia] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %pb = llvm.getelementptr inbounds %b[%ib] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %va = llvm.load %pa : !llvm.ptr<1> -> f32
      %vb = llvm.load %pb : !llvm.ptr<1> -> f32
      %p = llvm.fmul %va, %vb : f32
      %s = llvm.fadd %p, %acc : f32
      %next = llvm.add %k, %c1 overflow<nsw, nuw> : i64
      %done = llvm.icmp "eq" %next, %n : i64
      llvm.cond_br %done, ^exit, ^loop(%next, %s : i64, f32)
    ^exit:
      %io = llvm.add %row, %j overflow<nsw, nuw> : i64
      %po = llvm.getelementptr inbounds %o[%io] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      llvm.store %s, %po : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}
