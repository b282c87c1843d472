// As Triton leaves its tutorial product: groups of eight rows, a remap by hand.
// options: grid=4096 block=128
gpu.module @kernels {
  llvm.func @kernel(%a: !llvm.ptr<1> {llvm.align = 16 : i32}, %b: !llvm.ptr<1> {llvm.align = 16 : i32}, %o: !llvm.ptr<1> {llvm.align = 16 : i32}) attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
    %pid = nvvm.read.ptx.sreg.ctaid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %tiles = llvm.mlir.constant(64 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %zero = llvm.mlir.constant(0.0 : f32) : f32

    %g = llvm.mlir.constant(512 : i32) : i32
    %h = llvm.mlir.constant(8 : i32) : i32
    %gid = llvm.sdiv %pid, %g : i32
    %first = llvm.mul %gid, %h : i32
    %within = llvm.srem %pid, %g : i32
    %dm = llvm.srem %within, %h : i32
    %pm = llvm.add %first, %dm : i32
    %pn = llvm.sdiv %within, %h : i32

    %rm0 = llvm.mul %pm, %c64 overflow<nsw> : i32
    %rn0 = llvm.mul %pn, %c64 overflow<nsw> : i32
    %tm = llvm.srem %tid, %c64 : i32
    %rm = llvm.add %rm0, %tm overflow<nsw> : i32
    %rn = llvm.add %rn0, %tm overflow<nsw> : i32
    %arow = llvm.mul %rm, %c4096 overflow<nsw> : i32
    llvm.br ^loop(%c0, %zero : i32, f32)
  ^loop(%k: i32, %acc: f32):
    %more = llvm.icmp "slt" %k, %c4096 : i32
    llvm.cond_br %more, ^body, ^done
  ^body:
    %ia = llvm.add %arow, %k overflow<nsw> : i32
    %kr = llvm.mul %k, %c4096 overflow<nsw> : i32
    %ib = llvm.add %kr, %rn overflow<nsw> : i32
    %pa = llvm.getelementptr %a[%ia] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f16
    %pb = llvm.getelementptr %b[%ib] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f16
    %va = llvm.load %pa : !llvm.ptr<1> -> f16
    %vb = llvm.load %pb : !llvm.ptr<1> -> f16
    %p = llvm.fmul %va, %vb : f16
    %w = llvm.fpext %p : f16 to f32
    %s = llvm.fadd %w, %acc : f32
    %next = llvm.add %k, %c32 overflow<nsw> : i32
    llvm.br ^loop(%next, %s : i32, f32)
  ^done:
    %orow = llvm.mul %rm, %c4096 overflow<nsw> : i32
    %io = llvm.add %orow, %rn overflow<nsw> : i32
    %po = llvm.getelementptr %o[%io] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %acc, %po : f32, !llvm.ptr<1>
    llvm.return
  }
}
