; A block of more threads than the kernel promises, and a grid that CUDA does not launch,
; cannot be meant: whoever gave them is told, and they are not used.

; RUN: swizzle-llvm %s --options='chip=h100;block=512;grid=64x8;formula=@reverse' -o /dev/null --report=%t.json 2>&1 | FileCheck %s --check-prefix=BLOCK
; RUN: FileCheck %s --check-prefix=KEPT < %t.json
; RUN: swizzle-llvm %s --options='chip=h100;block=256;grid=64x65536;formula=@reverse' -o /dev/null 2>&1 | FileCheck %s --check-prefix=GRID
; RUN: swizzle-llvm %s --options='chip=h100;block=128x2;grid=64x65535;formula=@reverse' -o /dev/null 2>&1 | FileCheck %s --check-prefix=FITS --allow-empty
; RUN: not swizzle-llvm %s --options='chip=h100;block=512;grid=64x8;formula=@reverse;strict' -o /dev/null 2>&1 | FileCheck %s --check-prefix=STRICT
; RUN: sed 's/nvvm.maxntid/no.promise/' %s | swizzle-llvm - --options='chip=h100;block=2048;grid=64x8;formula=@reverse' -o /dev/null 2>&1 | FileCheck %s --check-prefix=LARGE
; BLOCK: the option's block 512x1x1 is ignored: the kernel's attributes promise 256 threads at most
; KEPT: "outcome"
; GRID: the option's grid 64x65536x1 is ignored: CUDA launches 65535 workgroups along y and along z at most
; FITS-NOT: ignored
; LARGE: the option's block 2048x1x1 is ignored: no workgroup has more than 1024 threads
; STRICT: kernel 'k': the option's block 512x1x1 is ignored
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = shl nuw nsw i32 %x, 8
  %at = add nuw nsw i32 %row, %t
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %at
  %v = load i32, ptr addrspace(1) %from
  %rows = shl nuw nsw i32 %y, 14
  %there = add nuw nsw i32 %rows, %at
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %there
  store i32 %v, ptr addrspace(1) %to
  ret void
}

attributes #0 = { "nvvm.maxntid"="256" }
