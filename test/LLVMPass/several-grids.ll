; A launch that fits several of the grids that are claimed has one order: that of the
; grid of which most is known, and of two that are alike, of the first.

; REQUIRES: no-sanitizers
; DEFINE: %{pass} = %llvm_tools/opt -load-pass-plugin=%llvm_plugin -S -o %t.ll %s
; DEFINE: %{options} = chip=h100;formula-file=%S/Inputs/columns.swz;block=64
; DEFINE: %{check} = swizzle-check %s %t.ll --kernel=plain --block=64 --formula-file=%S/Inputs/columns.swz
; RUN: %{pass} -passes='swizzle<%{options};grid=8x3+?x?>,verify'
; RUN: %{check} --grid=8x3 | FileCheck %s
; RUN: %{check} --grid=5x7 | FileCheck %s
; RUN: %{pass} -passes='swizzle<%{options};grid=?x?+8x?+?x3>,verify'
; RUN: %{check} --grid=8x3 | FileCheck %s
; RUN: %{check} --grid=8x2 | FileCheck %s
; RUN: %{check} --grid=5x3 | FileCheck %s
; RUN: %{check} --grid=5x7 | FileCheck %s
; RUN: %{pass} -passes='swizzle<%{options};grid=8x?+9x?>,verify'
; RUN: %{check} --grid=8x3 | FileCheck %s
; RUN: %{check} --grid=9x3 | FileCheck %s
; RUN: swizzle-check %s %t.ll --kernel=plain --block=64 --formula='return x, y' --grid=5x3 | FileCheck %s
; RUN: %{pass} -passes='swizzle<%{options};grid=8x3+3x8>,verify'
; RUN: %{check} --grid=8x3 | FileCheck %s
; RUN: %{check} --grid=3x8 | FileCheck %s
; RUN: swizzle-check %s %t.ll --kernel=plain --block=64 --formula='return x, y' --grid=5x3 | FileCheck %s
; RUN: %{pass} -passes='swizzle<%{options}>,verify'
; RUN: swizzle-check %s %t.ll --kernel=told_twice --block=64 --formula-file=%S/Inputs/columns.swz --grid=8x3 | FileCheck %s
; CHECK: passed
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @plain(ptr noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %row = mul i32 %y, 64
  %i = add i32 %row, %x
  %to = getelementptr i32, ptr %out, i32 %i
  store i32 %i, ptr %to
  ret void
}

define ptx_kernel void @told_twice(ptr noalias %out) !swizzle.grid !0 !swizzle.grid !1 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %row = mul i32 %y, 64
  %i = add i32 %row, %x
  %to = getelementptr i32, ptr %out, i32 %i
  store i32 %i, ptr %to
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()

!0 = !{i32 8, i32 3, i32 1}
!1 = distinct !{i32 8, i32 3}
