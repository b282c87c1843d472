; A lane of a vector that is undefined at first, and overwritten, says nothing of the others:
; once frozen they are what they were.

; RUN: swizzle-opt %s --swizzle-print-model -o /dev/null 2>&1 | FileCheck %s
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: kernel @divided
; CHECK:       read arg0[4*tx + 512*((x) // 4)] 4 bytes
; CHECK-NOT:   not modelled
define ptx_kernel void @divided(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v0 = insertelement <2 x i32> poison, i32 7, i64 0
  %v = insertelement <2 x i32> %v0, i32 %x, i64 1
  %by = insertelement <2 x i32> <i32 poison, i32 4>, i32 3, i64 0
  %q = sdiv <2 x i32> %v, %by
  %frozen = freeze <2 x i32> %q
  %row = extractelement <2 x i32> %frozen, i64 1
  %a = shl i32 %row, 7
  %p = add i32 %a, %t
  %s = sext i32 %p to i64
  %from = getelementptr float, ptr addrspace(1) %in, i64 %s
  %f = load float, ptr addrspace(1) %from
  %mine0 = shl i32 %x, 7
  %mine = add i32 %mine0, %t
  %to = getelementptr float, ptr addrspace(1) %out, i32 %mine
  store float %f, ptr addrspace(1) %to
  ret void
}

; What may be poison itself is unknown once it is frozen.
; CHECK-LABEL: kernel @poison
; CHECK:       not modelled: read by llvm.load of arg0: a frozen value that may be poison
define ptx_kernel void @poison(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i32 %n) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %far = mul nsw i32 %x, 100000000
  %v = insertelement <2 x i32> <i32 poison, i32 4>, i32 %far, i64 0
  %frozen = freeze <2 x i32> %v
  %row = extractelement <2 x i32> %frozen, i64 0
  %s = sext i32 %row to i64
  %from = getelementptr float, ptr addrspace(1) %in, i64 %s
  %f = load float, ptr addrspace(1) %from
  %mine0 = shl i32 %x, 7
  %mine = add i32 %mine0, %t
  %to = getelementptr float, ptr addrspace(1) %out, i32 %mine
  store float %f, ptr addrspace(1) %to
  ret void
}

attributes #0 = { "nvvm.reqntid"="128" }
