; The same of kernels for AMD: of a block of 64, whose kernel allows less than twice as
; many threads, one extent is compared. A range that says nothing counts for nothing.

; REQUIRES: no-sanitizers
; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=mi300x;formula-file=%S/Inputs/reversed.swz;grid=8x4;block=64>,verify' -S -o %t.ll %s
; RUN: FileCheck %s < %t.ll
; RUN: swizzle-check %s %t.ll --kernel=as_many --formula-file=%S/Inputs/reversed.swz --grid=8x4 --block=64 | FileCheck %s --check-prefix=SAME
; RUN: swizzle-check %s %t.ll --kernel=as_many --formula='return x, y' --grid=8x4 --block=32 | FileCheck %s --check-prefix=SAME
; SAME: passed

; CHECK-LABEL: define amdgpu_kernel void @as_many(
; CHECK:         load i16
; CHECK-NOT:     load i16
; CHECK:         ret void
; CHECK-LABEL: define amdgpu_kernel void @more(
; CHECK-COUNT-3: load i16
; CHECK:         ret void
; CHECK-LABEL: define amdgpu_kernel void @nonsense(
; CHECK-COUNT-3: load i16
; CHECK:         ret void
; CHECK-LABEL: define amdgpu_kernel void @other_vendor(
; CHECK-COUNT-3: load i16
; CHECK:         ret void
target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @as_many(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %y = call i32 @llvm.amdgcn.workgroup.id.y()
  %thread = call i32 @llvm.amdgcn.workitem.id.x()
  %first = mul i32 %x, 64
  %row = mul i32 %y, 512
  %start = add i32 %row, %first
  %index = add i32 %start, %thread
  %wide = sext i32 %index to i64
  %from = getelementptr float, ptr addrspace(1) %in, i64 %wide
  %to = getelementptr float, ptr addrspace(1) %out, i64 %wide
  %value = load float, ptr addrspace(1) %from
  store float %value, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @more(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) #1 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %y = call i32 @llvm.amdgcn.workgroup.id.y()
  %thread = call i32 @llvm.amdgcn.workitem.id.x()
  %first = mul i32 %x, 64
  %row = mul i32 %y, 512
  %start = add i32 %row, %first
  %index = add i32 %start, %thread
  %wide = sext i32 %index to i64
  %from = getelementptr float, ptr addrspace(1) %in, i64 %wide
  %to = getelementptr float, ptr addrspace(1) %out, i64 %wide
  %value = load float, ptr addrspace(1) %from
  store float %value, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @nonsense(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) #2 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %y = call i32 @llvm.amdgcn.workgroup.id.y()
  %thread = call i32 @llvm.amdgcn.workitem.id.x()
  %first = mul i32 %x, 64
  %row = mul i32 %y, 512
  %start = add i32 %row, %first
  %index = add i32 %start, %thread
  %wide = sext i32 %index to i64
  %from = getelementptr float, ptr addrspace(1) %in, i64 %wide
  %to = getelementptr float, ptr addrspace(1) %out, i64 %wide
  %value = load float, ptr addrspace(1) %from
  store float %value, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @other_vendor(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) #3 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %y = call i32 @llvm.amdgcn.workgroup.id.y()
  %thread = call i32 @llvm.amdgcn.workitem.id.x()
  %first = mul i32 %x, 64
  %row = mul i32 %y, 512
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

attributes #0 = { "amdgpu-flat-work-group-size"="1,64" "target-cpu"="gfx942" "uniform-work-group-size"="true" }
attributes #1 = { "amdgpu-flat-work-group-size"="1,128" "target-cpu"="gfx942" "uniform-work-group-size"="true" }
attributes #2 = { "amdgpu-flat-work-group-size"="128,64" "target-cpu"="gfx942" "uniform-work-group-size"="true" }
attributes #3 = { "nvvm.maxntid"="64" "target-cpu"="gfx942" "uniform-work-group-size"="true" }
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 600}
