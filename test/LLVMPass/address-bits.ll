; Kernels look at the lowest bits of addresses: they begin where a buffer is aligned, or
; move more at once if it is. The model is of a launch that passes aligned buffers, and
; says so, unless the argument promises it.

; REQUIRES: no-sanitizers
; DEFINE: %{options} =
; DEFINE: %{run} = %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=h200;grid=64;block=64;args=?+?+100;formula=@reverse%{options}>' -disable-output -pass-remarks=swizzle -pass-remarks-missed=swizzle %s
; RUN: %{run} 2>&1 | FileCheck %s
; RUN: swizzle-llvm %s --options='chip=h200;grid=64;block=64;args=?+?+100;formula=@reverse' -o /dev/null --report=%t.json
; RUN: FileCheck %s --check-prefix=REPORT < %t.json
; REDEFINE: %{options} = ;strict
; RUN: %{run} 2>&1 | FileCheck %s --check-prefix=STRICT

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; Four numbers at once where the row is aligned.
; CHECK: kernel 'if_aligned': remapped
; STRICT: kernel 'if_aligned': may not be remapped (assumption): `strict` is given
; REPORT: "name": "if_aligned"
; REPORT: workgroups stay apart for the sizes that are launched as they do for those that were assumed (arg2 = 100 (claimed), arg0 is aligned to 16 bytes (nominal))
; REPORT: "not_modelled": [],
define ptx_kernel void @if_aligned(ptr noalias readonly %in, ptr noalias %out, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = mul nsw i32 %x, %n
  %from = getelementptr float, ptr %in, i32 %base
  %to = getelementptr float, ptr %out, i32 %base
  %a = ptrtoint ptr %from to i64
  %low = and i64 %a, 15
  %aligned = icmp eq i64 %low, 0
  br i1 %aligned, label %four, label %one
four:
  %inside = icmp ult i32 %t, 25
  br i1 %inside, label %move, label %end
move:
  %v = getelementptr <4 x float>, ptr %from, i32 %t
  %w = getelementptr <4 x float>, ptr %to, i32 %t
  %value = load <4 x float>, ptr %v, align 16
  store <4 x float> %value, ptr %w, align 16
  br label %end
one:
  %i = phi i32 [ %t, %0 ], [ %next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %end
body:
  %p = getelementptr float, ptr %from, i32 %i
  %q = getelementptr float, ptr %to, i32 %i
  %number = load float, ptr %p
  store float %number, ptr %q
  %next = add nsw i32 %i, 64
  br label %one
end:
  ret void
}

; What arguments promise is no assumption, whatever else is passed.
; CHECK: kernel 'if_promised': remapped
; STRICT: kernel 'if_promised': remapped
define ptx_kernel void @if_promised(ptr noalias readonly align 16 %in, ptr noalias align 16 %out, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %inside = icmp slt i32 %x, %n
  br i1 %inside, label %look, label %end
look:
  %from = getelementptr <4 x float>, ptr %in, i32 %x
  %a = ptrtoint ptr %from to i64
  %low = and i64 %a, 15
  %aligned = icmp eq i64 %low, 0
  br i1 %aligned, label %move, label %one
move:
  %to = getelementptr <4 x float>, ptr %out, i32 %x
  %value = load <4 x float>, ptr %from, align 16
  store <4 x float> %value, ptr %to, align 16
  br label %end
one:
  store float 1.0, ptr %out
  br label %end
end:
  ret void
}
