// As clang leaves a HIP saxpy: an id of 32 bits, widened for the address.
// options: grid=65536 block=256
module attributes {llvm.target_triple = "amdgcn-amd-amdhsa"} {
  gpu.module @hip {
    llvm.func amdgpu_kernelcc @_Z6kernelPf(%x: !llvm.ptr<1> {llvm.noundef}, %y: !llvm.ptr<1> {llvm.noundef}, %n: i32 {llvm.noundef}) attributes {gpu.kernel, rocdl.kernel, rocdl.flat_work_group_size = "1,256", "uniform-work-group-size" = "true"} {
      %0 = rocdl.workgroup.id.x range <i32, 0, 2147483647> : i32
      %1 = rocdl.workgroup.id.y range <i32, 0, 65536> : i32
      %2 = rocdl.workitem.id.x range <i32, 0, 1024> : i32
      %c8 = llvm.mlir.constant(8 : i32) : i32
      %3 = llvm.shl %0, %c8 : i32
      %4 = llvm.or %3, %2 : i32
      %5 = llvm.icmp "slt" %4, %n : i32
      llvm.cond_br %5, ^then, ^end
    ^then:
      %6 = llvm.zext %4 : i32 to i64
      %7 = llvm.getelementptr inbounds %x[%6] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %8 = llvm.load %7 {alignment = 4 : i64} : !llvm.ptr<1> -> f32
      %9 = llvm.getelementptr inbounds %y[%6] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      %10 = llvm.load %9 {alignment = 4 : i64} : !llvm.ptr<1> -> f32
      %11 = llvm.fadd %8, %10 : f32
      llvm.store %11, %9 {alignment = 4 : i64} : f32, !llvm.ptr<1>
      llvm.br ^end
    ^end:
      llvm.return
    }
  }
}
