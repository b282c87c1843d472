; What lies before the first element is not touched; whoever reads what its neighbour
; writes is found all the same: by not being the first one, and by a difference that
; stops at 0.

; RUN: swizzle-llvm %s --options='chip=h200;grid=64;block=128;formula=return gx - 1 - x, y, z' --report=%t.json -o %t.ll
; RUN: FileCheck %s --input-file=%t.json

; CHECK: "name": "is_not_the_first"
; CHECK: "reason_code": "cross-workgroup-write"
; CHECK: "name": "stops_at_the_first"
; CHECK: "reason_code": "cross-workgroup-write"
; CHECK: "name": "reads_its_own"
; CHECK: "outcome": "remapped"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @is_not_the_first(ptr noalias %a) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %is_first = icmp eq i32 %x, 0
  br i1 %is_first, label %end, label %others

others:
  %begin = shl i32 %x, 7
  %before = add i32 %begin, -1
  %wide_before = zext i32 %before to i64
  %from = getelementptr float, ptr %a, i64 %wide_before
  %value = load float, ptr %from
  %i = add i32 %begin, %t
  %wide = zext i32 %i to i64
  %to = getelementptr float, ptr %a, i64 %wide
  store float %value, ptr %to
  br label %end

end:
  ret void
}

define ptx_kernel void @stops_at_the_first(ptr noalias %a) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %begin = shl i32 %x, 7
  %i = add i32 %begin, %t
  %before = call i32 @llvm.usub.sat.i32(i32 %i, i32 1)
  %wide_before = zext i32 %before to i64
  %from = getelementptr float, ptr %a, i64 %wide_before
  %value = load float, ptr %from
  %wide = zext i32 %i to i64
  %to = getelementptr float, ptr %a, i64 %wide
  store float %value, ptr %to
  ret void
}

define ptx_kernel void @reads_its_own(ptr noalias %a) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %begin = shl i32 %x, 7
  %before = call i32 @llvm.usub.sat.i32(i32 %t, i32 1)
  %j = add i32 %begin, %before
  %wide_before = zext i32 %j to i64
  %from = getelementptr float, ptr %a, i64 %wide_before
  %value = load float, ptr %from
  %i = add i32 %begin, %t
  %wide = zext i32 %i to i64
  %to = getelementptr float, ptr %a, i64 %wide
  store float %value, ptr %to
  ret void
}
