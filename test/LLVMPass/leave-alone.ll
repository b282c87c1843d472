; With no kernel remapped, the module leaves as it came, to the byte: kernels that
; gain nothing, kernels that are refused, and modules for other machines.

; REQUIRES: no-sanitizers
; RUN: %llvm_tools/opt -passes=verify -S %s -o %t.before
; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=h100;grid=4096;block=64>' -S %s -o %t.after
; RUN: diff %t.before %t.after
; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=h100;grid=4096;block=64>' -disable-output -pass-remarks-missed=swizzle %s 2>&1 | FileCheck %s
; RUN: sed -e 's/nvptx64-nvidia-cuda/x86_64-unknown-linux-gnu/' -e 's/ptx_kernel//' %s > %t.host.ll
; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=h100>' -disable-output %t.host.ll 2>&1 | count 0

; CHECK-DAG: kernel 'alone': kept as it is (no-reuse):
; CHECK-DAG: kernel 'waits': may not be remapped (atomic-load):
; CHECK-DAG: kernel 'asks': may not be remapped (volatile):
; CHECK-DAG: kernel 'helped': may not be remapped (hidden-id): 'helper', which reads the workgroup id, cannot be inlined: incompatible GC
; CHECK-DAG: kernel 'calls': may not be remapped (indirect-call):
; CHECK-DAG: kernel 'assembly': may not be remapped (inline-asm):
; CHECK-DAG: kernel 'clustered': may not be remapped (cluster):
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @alone(ptr noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %x, 64
  %index = add i32 %first, %thread
  %to = getelementptr float, ptr %out, i32 %index
  store float 0.0, ptr %to, !nontemporal !0
  ret void
}

define ptx_kernel void @waits(ptr noalias %flag, ptr noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %value = load atomic i32, ptr %flag acquire, align 4
  %to = getelementptr i32, ptr %out, i32 %x
  store i32 %value, ptr %to
  ret void
}

define ptx_kernel void @asks(ptr noalias %flag, ptr noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %value = load volatile i32, ptr %flag
  %to = getelementptr i32, ptr %out, i32 %x
  store i32 %value, ptr %to
  ret void
}

define internal i32 @helper() noinline gc "statepoint-example" {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  ret i32 %x
}

define ptx_kernel void @helped(ptr noalias %out) gc "shadow-stack" {
  %x = call i32 @helper()
  %to = getelementptr i32, ptr %out, i32 %x
  store i32 0, ptr %to
  ret void
}

define ptx_kernel void @calls(ptr noalias %out, ptr %function) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  call void %function()
  %to = getelementptr i32, ptr %out, i32 %x
  store i32 0, ptr %to
  ret void
}

define ptx_kernel void @assembly(ptr noalias %out) {
  %x = call i32 asm sideeffect "mov.u32 $0, %ctaid.x;", "=r"()
  %to = getelementptr i32, ptr %out, i32 %x
  store i32 0, ptr %to
  ret void
}

define ptx_kernel void @clustered(ptr noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr i32, ptr %out, i32 %x
  store i32 0, ptr %to
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

attributes #0 = { "nvvm.cluster_dim"="2,1,1" }

!0 = !{i32 1}
