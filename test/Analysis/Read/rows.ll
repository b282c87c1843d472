; Rows of a sparse matrix, as compilers leave loops over them: each row is as long as
; the loop over it, which may take several numbers in a turn.

; RUN: swizzle-opt %s --swizzle-print-model -o /dev/null 2>&1 | FileCheck %s
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; for (k = rows[x]; k < rows[x + 1]; ++k) sum += values[k];   two at a time, an odd
; one before.
; CHECK-LABEL: kernel @unrolled
; CHECK:      {{^}}  read arg1[128*x] 4 bytes, assumed
; CHECK:      {{^}}  loop i < 16
; CHECK-NEXT: {{^}}    read arg1[128*x + 8*i + 4] 4 bytes, assumed
; CHECK-NEXT: {{^}}    read arg1[128*x + 8*i + 8] 4 bytes, assumed
; CHECK-NOT:  not modelled
; CHECK:      what arg0 holds, which says where rows begin: one after the other
define ptx_kernel void @unrolled(ptr addrspace(1) noalias %rows, ptr addrspace(1) noalias %values, ptr addrspace(1) noalias %out) #0 {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %row = zext nneg i32 %x to i64
  %start.at = getelementptr i32, ptr addrspace(1) %rows, i64 %row
  %end.at = getelementptr i8, ptr addrspace(1) %start.at, i64 4
  %start = load i32, ptr addrspace(1) %start.at
  %end = load i32, ptr addrspace(1) %end.at
  %any = icmp slt i32 %start, %end
  br i1 %any, label %begin, label %done
begin:
  %count = sub i32 %end, %start
  %odd = and i32 %count, 1
  %even = icmp eq i32 %odd, 0
  br i1 %even, label %pairs, label %single
single:
  %at = sext i32 %start to i64
  %from = getelementptr i32, ptr addrspace(1) %values, i64 %at
  %v = load i32, ptr addrspace(1) %from
  %next = add nsw i32 %start, 1
  br label %pairs
pairs:
  %first = phi i32 [ %start, %begin ], [ %next, %single ]
  %so.far = phi i32 [ 0, %begin ], [ %v, %single ]
  %only = icmp eq i32 %first, %end
  br i1 %only, label %done, label %loop
loop:
  %k = phi i32 [ %first, %pairs ], [ %k2, %loop ]
  %sum = phi i32 [ %so.far, %pairs ], [ %sum2, %loop ]
  %at0 = sext i32 %k to i64
  %from0 = getelementptr i32, ptr addrspace(1) %values, i64 %at0
  %v0 = load i32, ptr addrspace(1) %from0
  %sum1 = add i32 %sum, %v0
  %k1 = add nsw i32 %k, 1
  %at1 = sext i32 %k1 to i64
  %from1 = getelementptr i32, ptr addrspace(1) %values, i64 %at1
  %v1 = load i32, ptr addrspace(1) %from1
  %sum2 = add i32 %sum1, %v1
  %k2 = add nsw i32 %k, 2
  %last = icmp eq i32 %k2, %end
  br i1 %last, label %done, label %loop
done:
  %total = phi i32 [ 0, %entry ], [ %so.far, %pairs ], [ %sum2, %loop ]
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %row
  store i32 %total, ptr addrspace(1) %to
  ret void
}

; A subgroup takes a row, a number each thread.
; CHECK-LABEL: kernel @together
; CHECK:      {{^}}  loop i < 16
; CHECK-NEXT: {{^}}    read arg1[2048*x + 4*tx + 128*i] 4 bytes, assumed
; CHECK-NOT:  not modelled
define ptx_kernel void @together(ptr addrspace(1) noalias %rows, ptr addrspace(1) noalias %values, ptr addrspace(1) noalias %out) #1 {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = zext nneg i32 %x to i64
  %start.at = getelementptr i32, ptr addrspace(1) %rows, i64 %row
  %end.at = getelementptr i8, ptr addrspace(1) %start.at, i64 4
  %start = load i32, ptr addrspace(1) %start.at
  %end = load i32, ptr addrspace(1) %end.at
  %first = add nsw i32 %start, %t
  br label %head
head:
  %k = phi i32 [ %first, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %within = icmp slt i32 %k, %end
  br i1 %within, label %loop, label %done
loop:
  %at = sext i32 %k to i64
  %from = getelementptr i32, ptr addrspace(1) %values, i64 %at
  %v = load i32, ptr addrspace(1) %from
  %more = add i32 %sum, %v
  %next = add nsw i32 %k, 32
  br label %head
done:
  %place = mul nuw nsw i32 %x, 32
  %mine = add nuw nsw i32 %place, %t
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %mine
  store i32 %sum, ptr addrspace(1) %to
  ret void
}

; Pairs in a table are no rows: what one pair ends with, no other begins with. They have no
; order, but do not overlap.
; CHECK-LABEL: kernel @pairs
; CHECK:      {{^}}    read arg1[4*i + 64*arg0[8*x]] 4 bytes, assumed
; CHECK-NOT:  where rows begin
define ptx_kernel void @pairs(ptr addrspace(1) noalias %pairs, ptr addrspace(1) noalias %values, ptr addrspace(1) noalias %out) #0 {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %pair = zext nneg i32 %x to i64
  %start.at = getelementptr [2 x i32], ptr addrspace(1) %pairs, i64 %pair
  %end.at = getelementptr i8, ptr addrspace(1) %start.at, i64 4
  %start = load i32, ptr addrspace(1) %start.at
  %end = load i32, ptr addrspace(1) %end.at
  br label %head
head:
  %k = phi i32 [ %start, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %within = icmp slt i32 %k, %end
  br i1 %within, label %loop, label %done
loop:
  %at = sext i32 %k to i64
  %from = getelementptr i32, ptr addrspace(1) %values, i64 %at
  %v = load i32, ptr addrspace(1) %from
  %more = add i32 %sum, %v
  %next = add nsw i32 %k, 1
  br label %head
done:
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %pair
  store i32 %sum, ptr addrspace(1) %to
  ret void
}

attributes #0 = { "nvvm.reqntid"="1" }
attributes #1 = { "nvvm.reqntid"="32" }
