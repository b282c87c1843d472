; A claim about one axis of the grid is listed where the proof rests on it: what is
; compared with the launch at run time is a whole grid.
; RUN: swizzle-llvm %s --options='grid=64x?;block=64;formula=@reverse;chip=h200' --report=%t.json -o /dev/null
; RUN: FileCheck %s < %t.json
; RUN: swizzle-llvm %s --options='grid=64x?;block=64;formula=@reverse;chip=h200;strict' --report=%t.json -o /dev/null
; RUN: FileCheck %s --check-prefix=STRICT < %t.json
; RUN: swizzle-llvm %s --options='grid=64x1;block=64;formula=@reverse;chip=h200;strict' --report=%t.json -o /dev/null
; RUN: FileCheck %s --check-prefix=WHOLE < %t.json
; CHECK: "assumptions": [
; CHECK: workgroups stay apart for the sizes that are launched as they do for those that were assumed (grid x = 64 (claimed), grid z = 1 (claimed), grid y = 1 (nominal))
; STRICT: "reason_code": "assumption"
; WHOLE: "outcome": "remapped"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr noalias %a, ptr noalias %b) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %xm = and i32 %x, 63
  %w64 = mul i32 %xm, 64
  %i = add i32 %w64, %t
  %i64 = sext i32 %i to i64
  %p = getelementptr float, ptr %a, i64 %i64
  %v = load float, ptr %p
  %xf = uitofp i32 %x to float
  %s = fadd float %v, %xf
  %q = getelementptr float, ptr %b, i64 %i64
  store float %s, ptr %q
  ret void
}
