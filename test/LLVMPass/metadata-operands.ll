; Intrinsics that take metadata have no translation, and keep no other kernel from being
; read: strict arithmetic is arithmetic, and a register may be anything.

; RUN: swizzle-llvm %s --options='chip=h100;formula=@reverse;grid=8;block=64;strict' -o %t.ll --report=%t.json
; RUN: FileCheck %s < %t.json
; RUN: FileCheck %s --check-prefix=LL < %t.ll
; RUN: swizzle-check %s %t.ll --kernel=strict --formula=@reverse --grid=8 --block=64 | FileCheck %s --check-prefix=SAME
; SAME: passed
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.experimental.constrained.fadd.f32(float, float, metadata, metadata)
declare float @llvm.experimental.constrained.sqrt.f32(float, metadata, metadata)
declare i1 @llvm.experimental.constrained.fcmp.f32(float, float, metadata, metadata)
declare i32 @llvm.experimental.constrained.fptosi.i32.f32(float, metadata)
declare i64 @llvm.read_register.i64(metadata)

; CHECK:      "name": "strict"
; CHECK:      "outcome": "remapped"
; LL-LABEL: define ptx_kernel void @strict(
; LL: @llvm.experimental.constrained.fadd.f32({{.*}} metadata !"round.dynamic"
define ptx_kernel void @strict(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %o) strictfp {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %x, 64
  %i = add i32 %first, %t
  %p = getelementptr float, ptr addrspace(1) %a, i32 %i
  %v = load float, ptr addrspace(1) %p
  %s = call float @llvm.experimental.constrained.fadd.f32(float %v, float 1.0, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  %r = call float @llvm.experimental.constrained.sqrt.f32(float %s, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  %b = call i1 @llvm.experimental.constrained.fcmp.f32(float %r, float 0.5, metadata !"olt", metadata !"fpexcept.strict") strictfp
  %n = call i32 @llvm.experimental.constrained.fptosi.i32.f32(float %r, metadata !"fpexcept.strict") strictfp
  %m = select i1 %b, i32 %n, i32 7
  %q = getelementptr i32, ptr addrspace(1) %o, i32 %i
  store i32 %m, ptr addrspace(1) %q
  ret void
}

; A function that is called as the intrinsic does not stand for it.
define i64 @read_register() {
  ret i64 0
}

; CHECK:      "name": "reads_a_register"
; CHECK:      "outcome": "refused"
; CHECK:      "reason": "{{.*}}read_register
define ptx_kernel void @reads_a_register(ptr addrspace(1) noalias %o) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %e = call i64 @llvm.read_register.i64(metadata !0)
  %q = getelementptr i64, ptr addrspace(1) %o, i32 %x
  store i64 %e, ptr addrspace(1) %q
  ret void
}

!0 = !{!"ctaid.x"}
