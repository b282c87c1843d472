; A kernel that is called as a function, too, computes with its caller's ids there: it
; keeps its order, by whatever name it is called, and its caller gets a copy of its own.
; That a pointer to it is kept, as to launch it from the device, is no call.

; REQUIRES: no-sanitizers
; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=h100;formula-file=%S/Inputs/reversed.swz;grid=8;block=64>' -S -o %t.ll -pass-remarks=swizzle -pass-remarks-missed=swizzle < %s 2>&1 | FileCheck %s
; RUN: swizzle-check %s %t.ll --kernel=caller --formula-file=%S/Inputs/reversed.swz --grid=8 --block=64 | FileCheck %s --check-prefix=SAME

; CHECK-DAG: kernel 'called': may not be remapped (called): 'caller' calls it as a function, too
; CHECK-DAG: kernel 'renamed': may not be remapped (called): 'by_another_name' calls it as a function, too
; CHECK-DAG: kernel 'caller': remapped for {{[a-z0-9]+}}
; CHECK-DAG: kernel 'kept': remapped for {{[a-z0-9]+}}
; SAME: passed
target triple = "nvptx64-nvidia-cuda"

@table = constant ptr @kept
@other = alias void (ptr), ptr @renamed

define ptx_kernel void @called(ptr noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr i32, ptr %out, i32 %x
  store i32 %x, ptr %to
  ret void
}

define ptx_kernel void @renamed(ptr noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr i32, ptr %out, i32 %x
  store i32 %x, ptr %to
  ret void
}

define ptx_kernel void @caller(ptr noalias %out) {
  call ptx_kernel void @called(ptr %out)
  ret void
}

define ptx_kernel void @by_another_name(ptr noalias %out) {
  call ptx_kernel void @other(ptr %out)
  ret void
}

define ptx_kernel void @kept(ptr noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr i32, ptr %out, i32 %x
  store i32 %x, ptr %to
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
