; clang's code before any pass: ids are read in functions, and variables live on the stack.
; Such functions, marked always_inline or not, become a part of a kernel that gets another
; order, and stay as they are where none does.

; RUN: swizzle-llvm %s --options='chip=h100;formula-file=%S/Inputs/reversed.swz;grid=8x4;block=64' -o %t.ll --report=%t.json
; RUN: FileCheck %s < %t.ll
; RUN: FileCheck %s --check-prefix=REPORT < %t.json
; RUN: swizzle-check %s %t.ll --kernel=raw --formula-file=%S/Inputs/reversed.swz --grid=8x4 --block=64 | FileCheck %s --check-prefix=SAME
; RUN: swizzle-llvm %s --options='chip=h100' -o %t.kept.ll
; RUN: diff %s %t.kept.ll

; SAME: passed
; CHECK-LABEL: define ptx_kernel void @raw(
; CHECK-NOT:   call i32 @get_group_id(
; CHECK:       %[[X:.*]] = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
; CHECK-NOT:   call i32 @get_group_id(
; CHECK:       ret void
; REPORT:      "name": "raw"
; REPORT:      "outcome": "remapped"
target triple = "nvptx64-nvidia-cuda"

define internal i32 @group_x() alwaysinline {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  ret i32 %x
}

; Inlining this one declares an intrinsic, which a kernel that is kept does not need.
define internal i32 @get_group_id(i32 %axis) alwaysinline {
  %room = alloca i32
  %x = call i32 @get_id(ptr noalias %room, i32 %axis)
  ret i32 %x
}

define internal i32 @get_id(ptr noalias %room, i32 %axis) alwaysinline {
  %is_x = icmp eq i32 %axis, 0
  br i1 %is_x, label %first, label %second
first:
  %x = call i32 @group_x()
  ret i32 %x
second:
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  ret i32 %y
}

define ptx_kernel void @raw(ptr noalias %in, ptr noalias %out) {
  %index = alloca i32
  %x = call i32 @get_group_id(i32 0)
  %y = call i32 @get_group_id(i32 1)
  %row = mul i32 %y, 8
  %sum = add i32 %row, %x
  store i32 %sum, ptr %index
  %i = load i32, ptr %index
  %from = getelementptr i32, ptr %in, i32 %i
  %value = load i32, ptr %from
  %to = getelementptr i32, ptr %out, i32 %i
  store i32 %value, ptr %to
  ret void
}

; So does one that would stay a function, by whichever way it is called.
; REPORT:      "name": "not_marked_here"
; REPORT:      "outcome": "remapped"
; CHECK-LABEL: define ptx_kernel void @not_marked_here(
; CHECK-NOT:   call i32 @group_x(
; CHECK:       ret void
define ptx_kernel void @not_marked_here(ptr noalias %out) {
  %x = call i32 @group_x()
  %again = call i32 @group_x() noinline
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %row = mul i32 %y, 8
  %i = add i32 %row, %x
  %to = getelementptr i32, ptr %out, i32 %i
  store i32 %again, ptr %to
  ret void
}

; Of two that call each other, no end is found.
; REPORT:      "name": "endless"
; REPORT:      "reason_code": "recursive-call"
define internal i32 @even_x(i32 %n) {
  %done = icmp eq i32 %n, 0
  br i1 %done, label %last, label %next
last:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  ret i32 %x
next:
  %less = sub i32 %n, 1
  %rest = call i32 @odd_x(i32 %less)
  ret i32 %rest
}
define internal i32 @odd_x(i32 %n) {
  %less = sub i32 %n, 1
  %rest = call i32 @even_x(i32 %less)
  ret i32 %rest
}
define ptx_kernel void @endless(ptr noalias %out, i32 %n) {
  %x = call i32 @even_x(i32 %n)
  %to = getelementptr i32, ptr %out, i32 %x
  store i32 %x, ptr %to
  ret void
}

; What LLVM does not inline all the same, is found before anything is changed.
; REPORT:      "name": "other_collector"
; REPORT:      "reason_code": "hidden-id"
; REPORT-NEXT: "reason": "'collected_x', which reads the workgroup id, cannot be inlined: incompatible GC"
; CHECK-LABEL: define ptx_kernel void @other_collector(
; CHECK:       call i32 @collected_x()
define internal i32 @collected_x() alwaysinline gc "statepoint-example" {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  ret i32 %x
}
define ptx_kernel void @other_collector(ptr noalias %out) gc "shadow-stack" {
  %x = call i32 @collected_x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %row = mul i32 %y, 8
  %i = add i32 %row, %x
  %to = getelementptr i32, ptr %out, i32 %i
  store i32 %x, ptr %to
  ret void
}

; Nor is what would compute something else in the kernel.
; REPORT:      "name": "other_denormals"
; REPORT:      "reason_code": "hidden-id"
; CHECK-LABEL: define ptx_kernel void @other_denormals(
; CHECK:       call float @flushed(
define internal float @flushed(float %v) #1 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %f = sitofp i32 %x to float
  %product = fmul float %v, %f
  ret float %product
}
define ptx_kernel void @other_denormals(ptr noalias %out, float %v) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %row = mul i32 %y, 8
  %i = add i32 %row, %x
  %f = call float @flushed(float %v)
  %to = getelementptr float, ptr %out, i32 %i
  store float %f, ptr %to
  ret void
}

; What is inlined may rely on less than the kernel: from then on both do.
; REPORT:      "name": "null_is_valid_there"
; REPORT:      "outcome": "remapped"
; CHECK:       define ptx_kernel void @null_is_valid_there({{.*}} #[[VALID:[0-9]+]]
; CHECK:       attributes #[[VALID]] = {{.*}}null_pointer_is_valid
define internal i32 @x_or_null(ptr %at) alwaysinline null_pointer_is_valid {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %is_null = icmp eq ptr %at, null
  %or_zero = select i1 %is_null, i32 0, i32 %x
  ret i32 %or_zero
}
define ptx_kernel void @null_is_valid_there(ptr noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %same = call i32 @x_or_null(ptr %out)
  %row = mul i32 %y, 8
  %i = add i32 %row, %x
  %to = getelementptr i32, ptr %out, i32 %i
  store i32 %same, ptr %to
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()

attributes #1 = { "denormal-fp-math-f32"="preserve-sign,preserve-sign" }
