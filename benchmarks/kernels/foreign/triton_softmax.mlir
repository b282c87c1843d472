// As Triton leaves its softmax: a row a program, two passes.
// options: grid=8192 block=128
gpu.module @kernels {
  llvm.func @kernel(%a: !llvm.ptr<1> {llvm.align = 16 : i32}, %o: !llvm.ptr<1> {llvm.align = 16 : i32}) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
    %pid = nvvm.read.ptx.sreg.ctaid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %cols = llvm.mlir.constant(8192 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %zero = llvm.mlir.constant(0.0 : f32) : f32
    %row = llvm.mul %pid, %cols overflow<nsw> : i32
    llvm.br ^loop(%c0, %zero : i32, f32)
  ^loop(%k: i32, %acc: f32):
    %more = llvm.icmp "slt" %k, %cols : i32
    llvm.cond_br %more, ^body, ^second(%c0 : i32)
  ^body:
    %j = llvm.add %k, %tid overflow<nsw> : i32
    %i = llvm.add %row, %j overflow<nsw> : i32
    %pa = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v = llvm.load %pa : !llvm.ptr<1> -> f32
    %s = llvm.fadd %v, %acc : f32
    %next = llvm.add %k, %c128 overflow<nsw> : i32
    llvm.br ^loop(%next, %s : i32, f32)
  ^second(%k2: i32):
    %more2 = llvm.icmp "slt" %k2, %cols : i32
    llvm.cond_br %more2, ^body2, ^done
  ^body2:
    %j2 = llvm.add %k2, %tid overflow<nsw> : i32
    %i2 = llvm.add %row, %j2 overflow<nsw> : i32
    %pa2 = llvm.getelementptr %a[%i2] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v2 = llvm.load %pa2 : !llvm.ptr<1> -> f32
    %q = llvm.fdiv %v2, %acc : f32
    %po = llvm.getelementptr %o[%i2] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %q, %po : f32, !llvm.ptr<1>
    %next2 = llvm.add %k2, %c128 overflow<nsw> : i32
    llvm.br ^second(%next2 : i32)
  ^done:
    llvm.return
  }
}
