; Inline assembly of no text, for AMD: a barrier for the compiler, or for what it knows
; of a value. Registers that it yields without being given them are those of the
; machine, among them the workgroup's ids.

; REQUIRES: no-sanitizers
; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=mi300x;formula-file=%S/Inputs/reversed.swz;grid=8;block=64;strict>' -S -o %t.ll -pass-remarks=swizzle -pass-remarks-missed=swizzle < %s 2>&1 | FileCheck %s

; CHECK-DAG: kernel 'orders': remapped for {{[a-z0-9]+}}
; CHECK-DAG: kernel 'hides': remapped for {{[a-z0-9]+}}
; CHECK-DAG: kernel 'comments': remapped for {{[a-z0-9]+}}
; CHECK-DAG: kernel 'comments_first': may not be remapped (inline-asm):
; CHECK-DAG: kernel 'takes': may not be remapped (inline-asm):
; CHECK-DAG: kernel 'waits': may not be remapped (inline-asm):
target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @orders(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  call void asm sideeffect "", "~{memory}"()
  store i32 %x, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @hides(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  %v = call i32 asm "", "=v,0"(i32 %x)
  store i32 %v, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @comments(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  %v = call i32 asm sideeffect "; keeps $0 here\0A  ; s_mov_b32 $0, s8", "=v,0"(i32 %x)
  store i32 %v, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @comments_first(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  %v = call i32 asm sideeffect "; keeps $0 here\0As_mov_b32 $0, s8", "=s,0"(i32 %x)
  store i32 %v, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @takes(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  %v = call i32 asm "", "={s8}"()
  store i32 %v, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @waits(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  call void asm sideeffect "s_waitcnt vmcnt(0)", "~{memory}"()
  store i32 %x, ptr addrspace(1) %to
  ret void
}

declare i32 @llvm.amdgcn.workgroup.id.x()

attributes #0 = { "uniform-work-group-size"="true" "target-cpu"="gfx942" }

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 500}
