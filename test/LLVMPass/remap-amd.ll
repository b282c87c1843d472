; A remapped kernel for AMD: its entry and its readings of ids change, and nothing
; else; what it promised not to read is taken back.

; REQUIRES: no-sanitizers
; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=mi300x;formula-file=%S/Inputs/reversed.swz;grid=8x4;block=64>,verify' -S %s | FileCheck %s
; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=mi300x;formula-file=%S/Inputs/reversed.swz;grid=8x4;block=64;tag=off>' -S %s | FileCheck %s --check-prefix=UNTAGGED
; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=mi300x;formula-file=%S/Inputs/reversed.swz;grid=8x4;block=64>' -S %s -o %t.ll
; RUN: swizzle-check %s %t.ll --formula-file=%S/Inputs/reversed.swz --grid=8x4 --block=64 | FileCheck %s --check-prefix=SAME
; RUN: swizzle-check %s %t.ll --grid=8x5 --assumed-grid=8x4 --block=64 --formula-file=%S/Inputs/reversed.swz | FileCheck %s --check-prefix=OTHER
; RUN: %llvm_tools/llc %t.ll -o - | FileCheck %s --check-prefix=ASM

; CHECK-LABEL: define amdgpu_kernel void @copy(
; CHECK-SAME:    #[[ATTRIBUTES:[0-9]+]]
; CHECK:         %[[X:.*]] = call i32 @llvm.amdgcn.workgroup.id.x()
; CHECK:         load i32, ptr addrspace(4) {{.*}}, align 4, !invariant.load
; CHECK:         %[[REVERSED:.*]] = sub i32 7, %[[X]]
; CHECK:         %[[GRID:.*]] = select i1 %{{.*}}, i32 %{{.*}}, i32 %[[X]]
; CHECK:         load i16, ptr addrspace(4) {{.*}}, align 2, !invariant.load
; CHECK:         %[[NEW:.*]] = select i1 %{{.*}}, i32 %[[GRID]], i32 %[[X]]
; CHECK:         %first = mul i32 %[[NEW]], 64
; CHECK-NOT:     insertvalue
; CHECK-NOT:     define
; CHECK:         ret void
; CHECK-NOT:     @llvm.amdgcn.workgroup.id.z
; CHECK:       attributes #[[ATTRIBUTES]] =
; CHECK-NOT:     amdgpu-no-implicitarg-ptr
; CHECK-SAME:    "swizzle.applied"="8x4: return gx - 1 - x, y"
; CHECK-NOT:     amdgpu-no-implicitarg-ptr
; UNTAGGED-NOT: swizzle.applied
; SAME: passed
; SAME: all of 32 workgroups
; OTHER: passed
; OTHER: all of 40 workgroups
; ASM: .kernarg_segment_size: 2{{[0-9]+}}
target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @copy(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) #0 {
entry:
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

attributes #0 = { "amdgpu-no-implicitarg-ptr" "amdgpu-no-workgroup-id-z" "target-cpu"="gfx942" "uniform-work-group-size"="true" }

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 600}
