; A structure that is handed over by value is each thread's own: what is written to it
; no other workgroup sees. Values that are only kept for a debugger touch nothing.

; REQUIRES: no-sanitizers
; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=h100;formula-file=%S/Inputs/reversed.swz;grid=8;block=64;strict>' -S -o %t.ll -pass-remarks=swizzle -pass-remarks-missed=swizzle < %s 2>&1 | FileCheck %s
; CHECK-DAG: kernel 'by_value': remapped for {{[a-z0-9]+}}
; CHECK-DAG: kernel 'by_reference': may not be remapped (cross-workgroup-write):
; CHECK-DAG: kernel 'debugged': remapped for {{[a-z0-9]+}}
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @by_value(ptr noalias %out, ptr byval([64 x i32]) %own) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %own, i32 %t
  store i32 %x, ptr %at
  %v = load i32, ptr %at
  %to = getelementptr i32, ptr %out, i32 %x
  store i32 %v, ptr %to
  ret void
}

define ptx_kernel void @by_reference(ptr noalias %out, ptr noalias %all) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %all, i32 %t
  store i32 %x, ptr %at
  ret void
}

define ptx_kernel void @debugged(ptr noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr i32, ptr %out, i32 %x
  store i32 %x, ptr %to
  call void (...) @llvm.fake.use(i32 %x)
  ret void
}

declare void @llvm.fake.use(...)
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
