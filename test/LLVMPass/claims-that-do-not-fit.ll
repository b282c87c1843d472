; A claim that does not fit its argument changes nothing, which is said: one list may be
; for several kernels, so that it is no error.

; RUN: swizzle-llvm %s --options='chip=h200;grid=8;block=64;args=64+32+7+1;formula=@reverse' --report=%t.json -o /dev/null 2>&1 | FileCheck %s
; CHECK: kernel 'k': 'args': 4 are given for 3 arguments: '!llvm.ptr<1>', 'i32', 'f32'; it is left out
; CHECK: kernel 'k': 'args': '64' for argument 0, which is '!llvm.ptr<1>': a pointer has no size; {{.*}}; it is left out
; CHECK: kernel 'k': 'args': '7' for argument 2, which is 'f32': only integers are sizes; '?' is right; it is left out
; The others count.
; RUN: FileCheck %s --check-prefix=REPORT < %t.json
; REPORT: arg1 = 32 (claimed)

; RUN: not swizzle-llvm %s --options='chip=h200;args=?;args=?+64' 2>&1 | FileCheck %s --check-prefix=TWICE
; TWICE: option 'args' is given twice

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @k(ptr addrspace(1) noalias %a, i32 %n, float %f) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %row = mul i32 %x, %n
  %index = sext i32 %row to i64
  %place = getelementptr float, ptr addrspace(1) %a, i64 %index
  store float %f, ptr addrspace(1) %place
  ret void
}
