; Inline assembly for AMD that only lets time pass, and has no registers and no memory.

; REQUIRES: no-sanitizers
; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=mi300x;formula-file=%S/Inputs/reversed.swz;grid=8;block=64;strict>' -S -o %t.ll -pass-remarks=swizzle -pass-remarks-missed=swizzle < %s 2>&1 | FileCheck %s
; RUN: FileCheck %s --check-prefix=KEPT < %t.ll

; Only the copy that is read goes without it.
; KEPT-LABEL: define amdgpu_kernel void @counter(
; KEPT: call void asm sideeffect "s_waitcnt vmcnt(0)", ""()

; CHECK-DAG: kernel 'counter': remapped for mi300x
; CHECK-DAG: kernel 'counters': remapped for mi300x
; CHECK-DAG: kernel 'lines': remapped for mi300x
; CHECK-DAG: kernel 'number': remapped for mi300x
; CHECK-DAG: kernel 'newer': remapped for mi300x
; CHECK-DAG: kernel 'memory': may not be remapped (inline-asm):
; CHECK-DAG: kernel 'others': may not be remapped (inline-asm):
; CHECK-DAG: kernel 'one_line': may not be remapped (inline-asm):
; CHECK-DAG: kernel 'longer': may not be remapped (inline-asm):
; CHECK-DAG: kernel 'sends': may not be remapped (inline-asm):
; CHECK-DAG: kernel 'ends': may not be remapped (inline-asm):
; CHECK-DAG: kernel 'register': may not be remapped (inline-asm):
; CHECK-DAG: kernel 'labelled': may not be remapped (inline-asm):
; CHECK-DAG: kernel 'directive': may not be remapped (inline-asm):
; CHECK-DAG: kernel 'comment': remapped for mi300x
; CHECK-DAG: kernel 'yields': may not be remapped (inline-asm):

target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

declare i32 @llvm.amdgcn.workgroup.id.x()

define amdgpu_kernel void @counter(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  call void asm sideeffect "s_waitcnt vmcnt(0)", ""()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %x, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @counters(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  call void asm sideeffect "s_waitcnt vmcnt(0) & lgkmcnt(0)", ""()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %x, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @lines(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  call void asm sideeffect "\0A\09s_nop 0x1\0A\09s_sleep 2\0A\09 s_setprio 1 \0A", "~{s0}"()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %x, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @number(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  call void asm sideeffect "s_waitcnt vmcnt($0)", "n"(i32 3)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %x, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @newer(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  call void asm sideeffect "s_waitcnt_vscnt null, 0x0", ""()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %x, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @memory(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  call void asm sideeffect "s_waitcnt vmcnt(0)", "~{memory}"()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %x, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @others(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  call void asm sideeffect "s_nop 0\0A s_mov_b32 s0, s8", ""()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %x, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @one_line(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  call void asm sideeffect "s_nop 0; s_mov_b32 s0, s8", ""()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %x, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @longer(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  call void asm sideeffect "s_nopx 0", ""()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %x, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @sends(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  call void asm sideeffect "s_sendmsg sendmsg(MSG_INTERRUPT)", ""()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %x, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @ends(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  call void asm sideeffect "s_endpgm", ""()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %x, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @register(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  call void asm sideeffect "s_sleep $0", "s"(i32 %x)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %x, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @labelled(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  call void asm sideeffect "again: s_nop 0", ""()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %x, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @directive(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  call void asm sideeffect ".long 0", ""()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %x, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @comment(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  call void asm sideeffect "; waits", ""()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %x, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @yields(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %v = call i32 asm sideeffect "s_nop 0", "={s8}"()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %v, ptr addrspace(1) %to
  ret void
}

attributes #0 = { "uniform-work-group-size"="true" "target-cpu"="gfx942" }

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 500}
