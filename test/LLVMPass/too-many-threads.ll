; More threads than any chip runs are no guess at the block, and nobody's option.

; RUN: swizzle-llvm %s --options='chip=h200;grid=64;formula=@reverse' -o /dev/null 2>&1 | FileCheck %s --allow-empty
; RUN: sed 's/100000,100000/4294967296,4294967297/' %s | swizzle-llvm - --options='chip=h200;grid=64;formula=@reverse' -o /dev/null 2>&1 | FileCheck %s --allow-empty
; RUN: sed 's/100000,100000/16,16,2,1/' %s | swizzle-llvm - --options='chip=h200;grid=64;formula=@reverse' -o /dev/null 2>&1 | FileCheck %s --allow-empty
; CHECK-NOT: option
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @k(ptr %a) "nvvm.maxntid"="100000,100000" {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %p = getelementptr i32, ptr %a, i32 %x
  store i32 %x, ptr %p
  ret void
}
