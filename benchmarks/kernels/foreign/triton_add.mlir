// As Triton leaves its vector addition: blocks of 1024, a mask at the end.
// options: grid=16384 block=128
gpu.module @kernels {
  llvm.func @kernel(%a: !llvm.ptr<1> {llvm.align = 16 : i32}, %b: !llvm.ptr<1> {llvm.align = 16 : i32}, %o: !llvm.ptr<1> {llvm.align = 16 : i32}, %n: i32) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
    %pid = nvvm.read.ptx.sreg.ctaid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c1024 = llvm.mlir.constant(1024 : i32) : i32
    %c8 = llvm.mlir.constant(8 : i32) : i32
    %base = llvm.mul %pid, %c1024 overflow<nsw> : i32
    %off = llvm.mul %tid, %c8 overflow<nsw> : i32
    %i = llvm.add %base, %off overflow<nsw> : i32
    %in = llvm.icmp "slt" %i, %n : i32
    llvm.cond_br %in, ^then, ^end
  ^then:
    %pa = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %pb = llvm.getelementptr %b[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %po = llvm.getelementptr %o[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %va = llvm.load %pa : !llvm.ptr<1> -> vector<4xf32>
    %vb = llvm.load %pb : !llvm.ptr<1> -> vector<4xf32>
    %s = llvm.fadd %va, %vb : vector<4xf32>
    llvm.store %s, %po : vector<4xf32>, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }
}
