; Where a table says where something starts, and more is added to that than leads to the
; next number, numbers are taken to lie as far apart: sequences that are packed one behind
; the other do not overlap.

; RUN: swizzle-opt %s --swizzle-print-model -o /dev/null 2>&1 | FileCheck %s
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; A sequence has 64 tiles (the nominal grid) of 64 rows, of 16 bytes each.
; CHECK-LABEL: kernel @packed
; CHECK:       read arg1[1024*x + 16*tx + 65536*arg0[4*y]] 16 bytes, assumed
; CHECK-NOT:   not modelled
define ptx_kernel void @packed(ptr addrspace(1) noalias readonly %starts, ptr addrspace(1) noalias readonly %rows, ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %start.at = getelementptr i32, ptr addrspace(1) %starts, i32 %y
  %start = load i32, ptr addrspace(1) %start.at
  %tile = shl nuw nsw i32 %x, 6
  %row = add nuw nsw i32 %tile, %t
  %place = add nsw i32 %start, %row
  %from = getelementptr <4 x float>, ptr addrspace(1) %rows, i32 %place
  %v = load <4 x float>, ptr addrspace(1) %from
  %row.y = shl nuw nsw i32 %y, 8
  %to.row = add nuw nsw i32 %row.y, %row
  %to = getelementptr <4 x float>, ptr addrspace(1) %out, i32 %to.row
  store <4 x float> %v, ptr addrspace(1) %to
  ret void
}

; So it is of what leads on: which page has a token of a sequence. Tokens of a page lie
; between two numbers, which need not be further apart.
; CHECK-LABEL: kernel @paged
; CHECK:       {{^}}    read arg1[16*x + 4*i + 1024*arg0[4*y]] 4 bytes, assumed
; CHECK-NEXT:  {{^}}    read arg2[4*tx + 256*arg1[16*x + 4*i + 1024*arg0[4*y]]] 4 bytes, assumed
; CHECK:       {{^}}  read arg2[4*tx + 256*arg1[16*x + 1024*arg0[4*y] + 12]] 4 bytes, assumed
; CHECK-NOT:   not modelled
define ptx_kernel void @paged(ptr addrspace(1) noalias readonly %starts, ptr addrspace(1) noalias readonly %pages, ptr addrspace(1) noalias readonly %cache, ptr addrspace(1) noalias %out) #0 {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %start.at = getelementptr i32, ptr addrspace(1) %starts, i32 %y
  %start = load i32, ptr addrspace(1) %start.at
  %first = shl nuw nsw i32 %x, 2
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %token = add nuw nsw i32 %first, %i
  %at = add nsw i32 %start, %token
  %page.at = getelementptr i32, ptr addrspace(1) %pages, i32 %at
  %page = load i32, ptr addrspace(1) %page.at
  %from = getelementptr [64 x float], ptr addrspace(1) %cache, i32 %page, i32 %t
  %v = load float, ptr addrspace(1) %from
  %more = fadd float %sum, %v
  %i1 = add nuw nsw i32 %i, 1
  %last = icmp eq i32 %i1, 4
  br i1 %last, label %done, label %loop
done:
  %y64 = shl nuw nsw i32 %y, 2
  %tile = add nuw nsw i32 %y64, %x
  %row = shl nuw nsw i32 %tile, 6
  %place = add nuw nsw i32 %row, %t
  %to = getelementptr float, ptr addrspace(1) %out, i32 %place
  store float %more, ptr addrspace(1) %to
  ret void
}

attributes #0 = { "nvvm.reqntid"="64" }

; So it is of rows that a table says the ends of, too, if no loop goes over one: the grid
; does, as far as a row goes.
; CHECK-LABEL: kernel @ragged
; CHECK:       write arg1[256*x + 16384*y + 4*tx] 4 bytes, assumed
; CHECK:       what arg0 holds, which says where rows begin: one after the other
define ptx_kernel void @ragged(ptr addrspace(1) noalias readonly %ends, ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %start.at = getelementptr i32, ptr addrspace(1) %ends, i32 %y
  %start = load i32, ptr addrspace(1) %start.at
  %end.at = getelementptr i8, ptr addrspace(1) %start.at, i64 4
  %end = load i32, ptr addrspace(1) %end.at
  %row = add nsw i32 %start, %x
  %beyond = icmp sge i32 %row, %end
  br i1 %beyond, label %done, label %go
go:
  %tile = shl nsw i32 %row, 6
  %place = add nsw i32 %tile, %t
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %place
  store i32 %x, ptr addrspace(1) %to
  br label %done
done:
  ret void
}
