; Sizes that are passed are assumptions of the plan: with rows of 64 elements, of which
; workgroups write 64 each, they stay apart; with rows of 4096 they do, too, and with
; rows of 32 they do not.

; RUN: swizzle-llvm %s --options='chip=h200;formula=@reverse;grid=8x4;block=64;args=?+64' --report=%t.json -o %t.ll
; RUN: FileCheck %s < %t.json
; RUN: swizzle-llvm %s --options='chip=h200;formula=@reverse;grid=8x4;block=64;args=?+32' --report=%t.json -o %t.ll
; RUN: FileCheck %s --check-prefix=NARROW < %t.json
; RUN: not swizzle-llvm %s --options='chip=h200;args=?+many' 2>&1 | FileCheck %s --check-prefix=BAD

; CHECK: "outcome": "remapped"
; CHECK: arg1 = 64 (claimed)
; NARROW: "outcome": "refused"
; NARROW-NEXT: "reason_code": "cross-workgroup-write"
; BAD: swizzle: option 'args': 'many' is no size below 2^50, no tensor map 'map:...', no structure '{...}' and not '?'
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @fill(ptr noalias %out, i32 %row) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %x, %row
  %index = add i32 %first, %t
  %wide = sext i32 %index to i64
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %plane = zext i32 %y to i64
  %far = shl i64 %plane, 32
  %at = add i64 %far, %wide
  %to = getelementptr float, ptr %out, i64 %at
  store float 0.0, ptr %to
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

attributes #0 = { "nvvm.reqntid"="64" }
