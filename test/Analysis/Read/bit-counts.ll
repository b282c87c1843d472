; Bits of a number that the launch tells are counted: a tree of sums goes up by as many
; levels as a block's size has bits.

; RUN: swizzle-opt %s --swizzle-print-model -o /dev/null 2>&1 | FileCheck %s
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.cttz.i32(i32, i1)
declare i32 @llvm.ctlz.i32(i32, i1)
declare i32 @llvm.ctpop.i32(i32)

; Of 96 threads: 5 zeros behind, 25 before, 2 ones.
; CHECK-LABEL: kernel @counts
; CHECK:       write arg0[512*x + 4*tx + 20] 4 bytes
; CHECK:       write arg0[512*x + 4*tx + 100] 4 bytes
; CHECK:       write arg0[512*x + 4*tx + 8] 4 bytes
; CHECK-NOT:   not modelled
define ptx_kernel void @counts(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = shl i32 %x, 7
  %mine = add i32 %first, %t
  %behind = call i32 @llvm.cttz.i32(i32 %n, i1 true)
  %i = add i32 %mine, %behind
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 1, ptr addrspace(1) %p
  %before = call i32 @llvm.ctlz.i32(i32 %n, i1 false)
  %j = add i32 %mine, %before
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %j
  store i32 2, ptr addrspace(1) %q
  %ones = call i32 @llvm.ctpop.i32(i32 %n)
  %k = add i32 %mine, %ones
  %r = getelementptr i32, ptr addrspace(1) %out, i32 %k
  store i32 3, ptr addrspace(1) %r
  ret void
}

; CHECK-LABEL: kernel @unknown
; CHECK:       not modelled: write by llvm.store of arg0: result of llvm.intr.cttz
define ptx_kernel void @unknown(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %c = call i32 @llvm.cttz.i32(i32 %x, i1 false)
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %c
  store i32 1, ptr addrspace(1) %p
  ret void
}

attributes #0 = { "nvvm.reqntid"="96" }
