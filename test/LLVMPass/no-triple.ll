; A module without a target triple, as IREE writes it: the calling convention says
; that its kernel is one for AMD, reads its ids and sizes as AMD does, and has to say
; that workgroups are of one size.

; REQUIRES: no-sanitizers
; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<target=gfx942;formula-file=%S/Inputs/reversed.swz>,verify' -S %s | FileCheck %s
; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<target=gfx942;formula-file=%S/Inputs/reversed.swz>' -S %s | %llvm_tools/llc -mtriple=amdgcn-amd-amdhsa -mcpu=gfx942 -o - | FileCheck %s --check-prefix=ASM
; RUN: sed 's/"uniform-work-group-size"="true"//' %s | %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<target=gfx942;formula-file=%S/Inputs/reversed.swz>' -disable-output -pass-remarks-missed=swizzle 2>&1 | FileCheck %s --check-prefix=UNEVEN
; RUN: sed 's/i32 500/i32 400/' %s | %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<target=gfx942;formula-file=%S/Inputs/reversed.swz>' -disable-output -pass-remarks-missed=swizzle 2>&1 | FileCheck %s --check-prefix=OLD

; Without any number of the grid as well: the remap reads its extents.
; RUN: sed 's/i32 500/i32 400/; s/range(i32 0, 8)//' %s | %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<target=gfx942;formula-file=%S/Inputs/reversed.swz>' -disable-output -pass-remarks-missed=swizzle 2>&1 | FileCheck %s --check-prefix=OLD

; CHECK-NOT: nvvm
; CHECK:     call i32 @llvm.amdgcn.workgroup.id.x()
; CHECK-NOT: nvvm
; CHECK:     call {{.*}}@llvm.amdgcn.implicitarg.ptr()
; CHECK-NOT: nvvm
; CHECK:     "swizzle.applied"="8: return gx - 1 - x, y"
; CHECK-NOT: nvvm
; ASM: .kernarg_segment_size: 2{{[0-9]+}}
; UNEVEN: uneven-workgroups
; OLD: no-sizes
target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"

define amdgpu_kernel void @copy(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) #0 {
  %x = call range(i32 0, 8) i32 @llvm.amdgcn.workgroup.id.x()
  %thread = call i32 @llvm.amdgcn.workitem.id.x()
  %first = mul i32 %x, 64
  %index = add i32 %first, %thread
  %wide = sext i32 %index to i64
  %from = getelementptr float, ptr addrspace(1) %in, i64 %wide
  %to = getelementptr float, ptr addrspace(1) %out, i64 %wide
  %value = load float, ptr addrspace(1) %from
  store float %value, ptr addrspace(1) %to
  ret void
}

declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workitem.id.x()

attributes #0 = { "amdgpu-flat-work-group-size"="64,64" "amdgpu-no-implicitarg-ptr" "uniform-work-group-size"="true" }
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 500}
