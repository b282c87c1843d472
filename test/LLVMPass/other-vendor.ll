; LLVM IR for GPUs of one vendor and a chip of the other: an error before anything is
; compiled, from each program and from the plugin, that says what would be right.

; REQUIRES: no-sanitizers
; RUN: not swizzle-tune %s --agent=planner --chip=h200 --grid=8x4 --block=64 -o %t.none.ll 2>&1 | FileCheck %s --check-prefixes=AMD,TUNE --implicit-check-not=signal
; RUN: not ls %t.none.ll
; RUN: not swizzle-check %s %s --formula='return x, y' --chip=h200 --grid=8x4 --block=64 2>&1 | FileCheck %s --check-prefix=AMD
; RUN: not swizzle-compile %s --chip=h200 -o %t.none.ptx 2>&1 | FileCheck %s --check-prefix=TARGET
; RUN: not swizzle-compile %s --target=sm_90 -o %t.none.ptx 2>&1 | FileCheck %s --check-prefix=TARGET
; RUN: not swizzle-llvm %s --options='chip=h200;grid=8x4;block=64' 2>&1 | FileCheck %s --check-prefix=AMD
; RUN: not %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=h200;grid=8x4;block=64>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=AMD
; The same as the llvm dialect, and without a triple.
; RUN: %llvm_tools/mlir-translate --import-llvm %s -o %t.mlir
; RUN: not swizzle-compile %t.mlir --target=sm_90 2>&1 | FileCheck %s --check-prefix=TARGET
; RUN: grep -v 'target triple' %s > %t.bare.ll
; RUN: not swizzle-compile %t.bare.ll --target=sm_90 2>&1 | FileCheck %s --check-prefix=BARE
; RUN: not swizzle-tune %t.bare.ll --agent=planner --chip=h200 2>&1 | FileCheck %s --check-prefix=AMD
; The other way around.
; RUN: sed -e 's/amdgcn-amd-amdhsa/nvptx64-nvidia-cuda/' -e 's/amdgpu_kernel/ptx_kernel/' -e 's/llvm.amdgcn.workgroup.id/llvm.nvvm.read.ptx.sreg.ctaid/' -e 's/llvm.amdgcn.workitem.id/llvm.nvvm.read.ptx.sreg.tid/' -e 's/"target-cpu"="gfx942"//' %s > %t.nvidia.ll
; RUN: not swizzle-tune %t.nvidia.ll --agent=planner --chip=mi300x --grid=8x4 --block=64 -o %t.none.ll 2>&1 | FileCheck %s --check-prefix=NVIDIA
; RUN: not ls %t.none.ll
; RUN: grep -v 'target triple' %t.nvidia.ll > %t.bare.ll
; RUN: not swizzle-tune %t.bare.ll --agent=planner --chip=mi300x --grid=8x4 --block=64 2>&1 | FileCheck %s --check-prefix=UNNAMED
; RUN: not swizzle-check %t.nvidia.ll %t.nvidia.ll --formula='return x, y' --chip=mi300x --grid=8x4 --block=64 2>&1 | FileCheck %s --check-prefix=NVIDIA
; RUN: not swizzle-compile %t.nvidia.ll --target=gfx942 2>&1 | FileCheck %s --check-prefix=GFX
; RUN: not swizzle-llvm %t.nvidia.ll --options='chip=mi300x;grid=8x4;block=64' 2>&1 | FileCheck %s --check-prefix=NVIDIA
; RUN: not %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=mi300x;grid=8x4;block=64>' -disable-output %t.nvidia.ll 2>&1 | FileCheck %s --check-prefix=NVIDIA
; A kernel of the right vendor, with a chip that is not the usual one of its target.
; RUN: swizzle-tune %s --agent=planner --chip=mi250x --grid=8x4 --block=64 --compile=off 2>&1 | FileCheck %s --check-prefix=RIGHT

; TUNE: swizzle-tune: kernel copy:
; AMD: the LLVM IR is compiled for AMD (amdgcn-amd-amdhsa), and h200 is by NVIDIA; give a chip by AMD (mi100, {{.*}}) or a target of one, or compile the kernel's source for NVIDIA
; TARGET: swizzle-compile: the LLVM IR is compiled for AMD (amdgcn-amd-amdhsa), and sm_90 is by NVIDIA; give a chip by AMD (
; UNNAMED: swizzle-tune: kernel copy: the LLVM IR is compiled for NVIDIA, and mi300x is by AMD
; BARE: swizzle-compile: the LLVM IR is compiled for AMD, and sm_90 is by NVIDIA; give a chip by AMD (
; NVIDIA: the LLVM IR is compiled for NVIDIA (nvptx64-nvidia-cuda), and mi300x is by AMD; give a chip by NVIDIA ({{.*}}h200{{.*}}) or a target of one, or compile the kernel's source for AMD
; GFX: swizzle-compile: the LLVM IR is compiled for NVIDIA (nvptx64-nvidia-cuda), and gfx942 is by AMD
; RIGHT: best: leave it as it is
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @copy(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %y = call i32 @llvm.amdgcn.workgroup.id.y()
  %thread = call i32 @llvm.amdgcn.workitem.id.x()
  %first = mul i32 %x, 64
  %row = mul i32 %y, 1024
  %start = add i32 %row, %first
  %index = add i32 %start, %thread
  %wide = sext i32 %index to i64
  %from = getelementptr float, ptr addrspace(1) %in, i64 %wide
  %to = getelementptr float, ptr addrspace(1) %out, i64 %wide
  %value = load float, ptr addrspace(1) %from
  store float %value, ptr addrspace(1) %to
  ret void
}

declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workgroup.id.y()
declare i32 @llvm.amdgcn.workitem.id.x()

attributes #0 = { "target-cpu"="gfx942" "uniform-work-group-size"="true" }

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 500}
