; Addresses that a loop of known length carries from where a table says that they
; start: the weights of an expert, walked in steps.

; RUN: swizzle-opt %s --swizzle-print-model -o /dev/null 2>&1 | FileCheck %s
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; Each turn reads where the next one starts.
; CHECK-LABEL: kernel @expert
; CHECK:      {{^}}  loop i < 7
; CHECK-NEXT: {{^}}    read arg1[4*tx + 256*i + 4096*arg0[4*x] + 256] 4 bytes, assumed
; CHECK:      {{^}}  read arg1[4*tx + 4096*arg0[4*x] + 2048] 4 bytes, assumed
; CHECK-NOT:  not modelled
define ptx_kernel void @expert(ptr addrspace(1) noalias %experts, ptr addrspace(1) noalias %weights, ptr addrspace(1) noalias %out) #0 {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %expert.at = getelementptr i32, ptr addrspace(1) %experts, i32 %x
  %expert = load i32, ptr addrspace(1) %expert.at
  %row = sext i32 %expert to i64
  %begin = getelementptr [1024 x float], ptr addrspace(1) %weights, i64 %row
  %mine = getelementptr float, ptr addrspace(1) %begin, i32 %t
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %from = phi ptr addrspace(1) [ %mine, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %next = getelementptr i8, ptr addrspace(1) %from, i64 256
  %v = load float, ptr addrspace(1) %next
  %more = fadd float %sum, %v
  %k1 = add nuw nsw i32 %k, 1
  %last = icmp eq i32 %k1, 8
  br i1 %last, label %done, label %loop
done:
  %place = shl nuw nsw i32 %x, 6
  %index = add nuw nsw i32 %place, %t
  %to = getelementptr float, ptr addrspace(1) %out, i32 %index
  store float %more, ptr addrspace(1) %to
  ret void
}

; What a turn reads says where the next one reads: a chain, which is not followed.
; CHECK-LABEL: kernel @chain
; CHECK-NOT:  read arg0
; CHECK:      not modelled: read by llvm.load
define ptx_kernel void @chain(ptr addrspace(1) noalias %links, ptr addrspace(1) noalias %out) #0 {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %at = phi i32 [ 0, %entry ], [ %link, %loop ]
  %from = getelementptr i32, ptr addrspace(1) %links, i32 %at
  %link = load i32, ptr addrspace(1) %from
  %k1 = add nuw nsw i32 %k, 1
  %last = icmp eq i32 %k1, 8
  br i1 %last, label %done, label %loop
done:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %link, ptr addrspace(1) %to
  ret void
}

; Behind a loop, what its turns computed says nothing: here there is none at all, and
; what it carries is what it began with.
; CHECK-LABEL: kernel @behind
; CHECK:      read arg0[0] 4 bytes
; CHECK-NOT:  not modelled
define ptx_kernel void @behind(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) #0 {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %trips = lshr i32 %x, 6
  br label %head
head:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %v = phi i32 [ 0, %entry ], [ %v1, %loop ]
  %go = icmp slt i32 %k, %trips
  br i1 %go, label %loop, label %exit
loop:
  %v1 = and i32 %k, 7
  %k1 = add nsw i32 %k, 1
  br label %head
exit:
  %v3 = and i32 %v, 3
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %v3
  %w = load i32, ptr addrspace(1) %from
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %w, ptr addrspace(1) %to
  ret void
}

attributes #0 = { "nvvm.reqntid"="64" }
