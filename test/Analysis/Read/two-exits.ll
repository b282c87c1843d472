; Of a loop that may be left in two places, the exit counts by which it is left first:
; four tiles a workgroup, but for those beyond the edge.

; RUN: swizzle-opt %s --swizzle-print-model -o /dev/null 2>&1 | FileCheck %s
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: kernel @edge_first
; CHECK:      {{^}}  loop i < 3
; CHECK-NEXT: {{^}}    read arg1[-16384*x + 4*tx - 4096*i + 16773120] 4 bytes, assumed
; CHECK:      {{^}}  read arg1[-16384*x + 4*tx + 16760832] 4 bytes, assumed
define ptx_kernel void @edge_first(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias readonly %in, i32 %n) #0 {
entry:
  %x = call range(i32 0, 65536) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %tile = mul nuw nsw i32 %x, -4
  %n1 = sub nsw i32 %n, 1
  %first = add nsw i32 %n1, %tile
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %body ]
  %row = sub nsw i32 %first, %i
  %within = icmp sgt i32 %row, -1
  br i1 %within, label %body, label %done
body:
  %place = mul nsw i32 %row, 1024
  %at = add nsw i32 %place, %t
  %at64 = sext i32 %at to i64
  %from = getelementptr float, ptr addrspace(1) %in, i64 %at64
  %v = load float, ptr addrspace(1) %from
  %to = getelementptr float, ptr addrspace(1) %out, i64 %at64
  store float %v, ptr addrspace(1) %to
  %i1 = add nuw nsw i32 %i, 1
  %last = icmp eq i32 %i1, 4
  br i1 %last, label %done, label %head
done:
  ret void
}

attributes #0 = { "nvvm.reqntid"="256" }
