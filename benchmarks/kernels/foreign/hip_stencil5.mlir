// As clang leaves a HIP five-point stencil: neighbours by byte offsets.
// options: grid=16x4096 block=256
module attributes {llvm.target_triple = "amdgcn-amd-amdhsa"} {
  gpu.module @hip {
    llvm.func amdgpu_kernelcc @_Z6kernelPf(%a: !llvm.ptr<1> {llvm.noalias, llvm.readonly}, %o: !llvm.ptr<1> {llvm.noalias}) attributes {gpu.kernel, rocdl.kernel, rocdl.flat_work_group_size = "1,256", "uniform-work-group-size" = "true"} {
      %0 = rocdl.workgroup.id.x range <i32, 0, 2147483647> : i32
      %1 = rocdl.workgroup.id.y range <i32, 0, 65536> : i32
      %2 = rocdl.workitem.id.x range <i32, 0, 1024> : i32
      %c8 = llvm.mlir.constant(8 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %w = llvm.mlir.constant(4098 : i64) : i64
      %3 = llvm.shl %0, %c8 : i32
      %4 = llvm.or %3, %2 : i32
      %5 = llvm.add %4, %c1 overflow<nsw, nuw> : i32
      %6 = llvm.add %1, %c1 overflow<nsw, nuw> : i32
      %7 = llvm.zext %5 : i32 to i64
      %8 = llvm.zext %6 : i32 to i64
      %9 = llvm.mul %8, %w overflow<nsw, nuw> : i64
      %10 = llvm.add %9, %7 overflow<nsw, nuw> : i64
      %p = llvm.getelementptr inbounds %a[%10] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %pw = llvm.getelementptr inbounds %p[-4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %pe = llvm.getelementptr inbounds %p[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %pn = llvm.getelementptr inbounds %p[-16392] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %ps = llvm.getelementptr inbounds %p[16392] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %v = llvm.load %p : !llvm.ptr<1> -> f32
      %vw = llvm.load %pw : !llvm.ptr<1> -> f32
      %ve = llvm.load %pe : !llvm.ptr<1> -> f32
      %vn = llvm.load %pn : !llvm.ptr<1> -> f32
      %vs = llvm.load %ps : !llvm.ptr<1> -> f32
      %s0 = llvm.fadd %v, %vw : f32
      %s1 = llvm.fadd %s0, %ve : f32
      %s2 = llvm.fadd %s1, %vn : f32
      %s3 = llvm.fadd %s2, %vs : f32
      %po = llvm.getelementptr inbounds %o[%10] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      llvm.store %s3, %po : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}
