; A variant is run on what was invented for its original: how many bounds of loops
; there are, and which indices stay inside, both kernels' code would tell
; differently, as the ids of the variant are computed.
; RUN: swizzle-llvm %s --options='chip=h100;grid=64;block=64;formula=return gx - 1 - x' -o %t.ll
; RUN: swizzle-check %s %t.ll --grid=64 --block=64 --kernel=rows | FileCheck %s
; RUN: swizzle-check %s %t.ll --grid=64 --block=64 --kernel=gather | FileCheck %s
; RUN: sed 's/@gather(ptr %index,/@gather(i32 %less, ptr %index,/' %t.ll > %t.other.ll
; RUN: not swizzle-check %s %t.other.ll --grid=64 --block=64 --kernel=gather | FileCheck %s --check-prefix=OTHER
; CHECK: passed
; CHECK-NEXT: all of 64 workgroups run and compared, {{.*}}formula from the variant
; OTHER: unchecked: original and variant take different arguments
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; out[t] is the sum of x[starts[t]] to x[starts[t + 1] - 1].
define ptx_kernel void @rows(ptr noalias %starts, ptr noalias %x, ptr noalias %out) {
entry:
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %w, 64
  %t = add i32 %first, %thread
  %begin = getelementptr i32, ptr %starts, i32 %t
  %start = load i32, ptr %begin
  %after = getelementptr i32, ptr %begin, i32 1
  %stop = load i32, ptr %after
  br label %loop
loop:
  %j = phi i32 [ %start, %entry ], [ %next, %body ]
  %sum = phi float [ 0.0, %entry ], [ %more, %body ]
  %goes.on = icmp slt i32 %j, %stop
  br i1 %goes.on, label %body, label %end
body:
  %from = getelementptr float, ptr %x, i32 %j
  %value = load float, ptr %from
  %more = fadd float %sum, %value
  %next = add i32 %j, 1
  br label %loop
end:
  %to = getelementptr float, ptr %out, i32 %t
  store float %sum, ptr %to
  ret void
}

; out[t] = x[index[t] + 4 * w]
define ptx_kernel void @gather(ptr %index, ptr noalias %x, ptr noalias %out) {
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %w, 64
  %t = add i32 %first, %thread
  %place = getelementptr i32, ptr %index, i32 %t
  %i = load i32, ptr %place
  %shift = mul i32 %w, 4
  %sum = add i32 %i, %shift
  %from = getelementptr float, ptr %x, i32 %sum
  %value = load float, ptr %from
  %to = getelementptr float, ptr %out, i32 %t
  store float %value, ptr %to
  ret void
}
