; A claimed block is compared extent by extent, but for what follows: of a kernel that
; allows less than twice the threads that the block has, extents of 1 do. One that the
; kernel does not allow is no claim.

; REQUIRES: no-sanitizers
; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=h100;formula-file=%S/Inputs/reversed.swz;grid=8x4;block=64>,verify' -S -o %t.ll %s
; RUN: FileCheck %s < %t.ll
; RUN: swizzle-check %s %t.ll --kernel=as_many --formula-file=%S/Inputs/reversed.swz --grid=8x4 --block=64 | FileCheck %s --check-prefix=SAME
; RUN: swizzle-check %s %t.ll --kernel=as_many --formula='return x, y' --grid=8x4 --block=32 | FileCheck %s --check-prefix=SAME
; RUN: swizzle-check %s %t.ll --kernel=more --formula='return x, y' --grid=8x4 --block=64x2 | FileCheck %s --check-prefix=SAME
; SAME: passed

; CHECK-LABEL: define ptx_kernel void @as_many(
; CHECK:         @llvm.nvvm.read.ptx.sreg.ntid.x()
; CHECK-NOT:     @llvm.nvvm.read.ptx.sreg.ntid
; CHECK:         ret void
; CHECK-LABEL: define ptx_kernel void @more(
; CHECK-DAG:     @llvm.nvvm.read.ptx.sreg.ntid.x()
; CHECK-DAG:     @llvm.nvvm.read.ptx.sreg.ntid.y()
; CHECK-DAG:     @llvm.nvvm.read.ptx.sreg.ntid.z()
; CHECK:         ret void
; CHECK-LABEL: define ptx_kernel void @less(
; CHECK-NOT:     @llvm.nvvm.read.ptx.sreg.ntid
; CHECK:         ret void
; CHECK-LABEL: define ptx_kernel void @any(
; CHECK-DAG:     @llvm.nvvm.read.ptx.sreg.ntid.x()
; CHECK-DAG:     @llvm.nvvm.read.ptx.sreg.ntid.y()
; CHECK-DAG:     @llvm.nvvm.read.ptx.sreg.ntid.z()
; CHECK:         ret void
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @as_many(ptr noalias %in, ptr noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %x, 64
  %row = mul i32 %y, 1024
  %start = add i32 %row, %first
  %index = add i32 %start, %thread
  %wide = sext i32 %index to i64
  %from = getelementptr float, ptr %in, i64 %wide
  %to = getelementptr float, ptr %out, i64 %wide
  %value = load float, ptr %from
  store float %value, ptr %to
  ret void
}

define ptx_kernel void @more(ptr noalias %in, ptr noalias %out) #1 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %x, 64
  %row = mul i32 %y, 1024
  %start = add i32 %row, %first
  %index = add i32 %start, %thread
  %wide = sext i32 %index to i64
  %from = getelementptr float, ptr %in, i64 %wide
  %to = getelementptr float, ptr %out, i64 %wide
  %value = load float, ptr %from
  store float %value, ptr %to
  ret void
}

define ptx_kernel void @less(ptr noalias %in, ptr noalias %out) #2 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %x, 64
  %row = mul i32 %y, 1024
  %start = add i32 %row, %first
  %index = add i32 %start, %thread
  %wide = sext i32 %index to i64
  %from = getelementptr float, ptr %in, i64 %wide
  %to = getelementptr float, ptr %out, i64 %wide
  %value = load float, ptr %from
  store float %value, ptr %to
  ret void
}

define ptx_kernel void @any(ptr noalias %in, ptr noalias %out) #3 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %x, 64
  %row = mul i32 %y, 1024
  %start = add i32 %row, %first
  %index = add i32 %start, %thread
  %wide = sext i32 %index to i64
  %from = getelementptr float, ptr %in, i64 %wide
  %to = getelementptr float, ptr %out, i64 %wide
  %value = load float, ptr %from
  store float %value, ptr %to
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

attributes #0 = { "target-cpu"="sm_90" "nvvm.maxntid"="64" }
attributes #1 = { "target-cpu"="sm_90" "nvvm.maxntid"="128" }
attributes #2 = { "target-cpu"="sm_90" "nvvm.maxntid"="32" }
attributes #3 = { "target-cpu"="sm_90" }
