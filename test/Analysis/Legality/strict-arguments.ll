; Under `strict`, numbers that are passed at run time matter only where they may let
; workgroups meet: not where they bound what is done, are what is written, or are not used.

; RUN: swizzle-llvm %s --options='chip=h100;formula=@reverse;grid=64;block=64;strict' -o %t.ll --report=%t.json
; RUN: FileCheck %s < %t.json
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK:      "name": "unused"
; CHECK:      "outcome": "remapped"
define ptx_kernel void @unused(ptr addrspace(1) noalias %out, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %x, 64
  %i = add i32 %first, %t
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %i, ptr addrspace(1) %to
  ret void
}

; CHECK:      "name": "bounds"
; CHECK:      "outcome": "remapped"
define ptx_kernel void @bounds(ptr addrspace(1) noalias %out, i32 %n, i32 %factor) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %x, 64
  %i = add i32 %first, %t
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %then, label %done
then:
  %value = mul i32 %i, %factor
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %value, ptr addrspace(1) %to
  br label %done
done:
  ret void
}

; CHECK:      "name": "repeats"
; CHECK:      "outcome": "remapped"
define ptx_kernel void @repeats(ptr addrspace(1) noalias %out, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %x, 64
  %i = add i32 %first, %t
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  store i32 %k, ptr addrspace(1) %to
  %next = add i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; A distance between rows may be shorter than a row.
; CHECK:      "name": "pitch"
; CHECK:      "outcome": "refused"
; CHECK:      "reason_code": "assumption"
define ptx_kernel void @pitch(ptr addrspace(1) noalias %out, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %x, %n
  %i = add i32 %first, %t
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %i, ptr addrspace(1) %to
  ret void
}

; Where they begin to read may be where another workgroup writes.
; CHECK:      "name": "in_place"
; CHECK:      "outcome": "refused"
define ptx_kernel void @in_place(ptr addrspace(1) noalias %out, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %x, 64
  %i = add i32 %first, %t
  %j = add i32 %i, %n
  %from = getelementptr i32, ptr addrspace(1) %out, i32 %j
  %v = load i32, ptr addrspace(1) %from
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %v, ptr addrspace(1) %to
  ret void
}

; Workgroups beyond some number write what the first one writes.
; CHECK:      "name": "wraps"
; CHECK:      "outcome": "refused"
define ptx_kernel void @wraps(ptr addrspace(1) noalias %out, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %x, 64
  %i = add i32 %first, %t
  %j = urem i32 %i, %n
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %j
  store i32 %i, ptr addrspace(1) %to
  ret void
}
