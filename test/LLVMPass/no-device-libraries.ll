; Calls that a compilation without device libraries leaves behind: what they are is
; known with the libraries, and that is said.

; REQUIRES: no-sanitizers
; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=mi300x;formula-file=%S/Inputs/reversed.swz;grid=8;block=64>' -disable-output -pass-remarks=swizzle -pass-remarks-missed=swizzle %s 2>&1 | FileCheck %s

; CHECK: kernel 'opencl_id': may not be remapped (id-helper): '_Z13get_global_idj' returns a workgroup id; link the device libraries (drop -nogpulib), or use __builtin_amdgcn_workgroup_id_x() or blockIdx.x
; CHECK: kernel 'hip_id': may not be remapped (id-helper): '__ockl_get_group_id' returns a workgroup id; link the device libraries (drop -nogpulib), or
; CHECK: kernel 'built_in': may not be remapped (unknown-callee): '_Z5clampiii' has no body here (if it is OpenCL's, link the device libraries: drop -nogpulib), so that it may read a workgroup id
; CHECK: kernel 'waits': may not be remapped (unknown-callee): '_Z7barrierj' has no body here (if it is OpenCL's, link
; CHECK: kernel 'image': may not be remapped (unknown-callee): '_Z11read_imagef14ocl_image2d_roDv2_i' has no body here (if it is OpenCL's, link
; CHECK: kernel 'library': may not be remapped (unknown-callee): '__ockl_wfred_add_i32' has no body here (link the device libraries: drop -nogpulib), so that
; CHECK: kernel 'both': may not be remapped (unknown-callee): '__ocml_sincos_f32' has no body (link the device libraries: drop -nogpulib) and is handed global memory
; What no library has, and what somebody else wrote, is not theirs.
; CHECK: kernel 'of_none': may not be remapped (unknown-callee): '__ocml_launch_f32' has no body here, so that
; CHECK: kernel 'of_somebody': may not be remapped (unknown-callee): '_Z6mine_2i' has no body here, so that
; CHECK: kernel 'unmangled': may not be remapped (unknown-callee): 'clamp' has no body here, so that

target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

declare i32 @llvm.amdgcn.workgroup.id.x()
declare i64 @_Z13get_global_idj(i32)
declare i64 @__ockl_get_group_id(i32)
declare i32 @_Z5clampiii(i32, i32, i32)
declare void @_Z7barrierj(i32)
declare <4 x float> @_Z11read_imagef14ocl_image2d_roDv2_i(ptr addrspace(4), <2 x i32>)
declare i32 @__ockl_wfred_add_i32(i32)
declare float @__ocml_sincos_f32(float, ptr)
declare float @__ocml_launch_f32(float)
declare i32 @_Z6mine_2i(i32)
declare i32 @clamp(i32)

define amdgpu_kernel void @opencl_id(ptr addrspace(1) noalias %out) #0 {
  %x = call i64 @_Z13get_global_idj(i32 0)
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %x
  store i32 1, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @hip_id(ptr addrspace(1) noalias %out) #0 {
  %x = call i64 @__ockl_get_group_id(i32 0)
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %x
  store i32 1, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @built_in(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %v = call i32 @_Z5clampiii(i32 %x, i32 0, i32 7)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %v, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @waits(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  call void @_Z7barrierj(i32 1)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 1, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @image(ptr addrspace(4) %image, ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %v = call <4 x float> @_Z11read_imagef14ocl_image2d_roDv2_i(ptr addrspace(4) %image, <2 x i32> zeroinitializer)
  %to = getelementptr <4 x float>, ptr addrspace(1) %out, i32 %x
  store <4 x float> %v, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @library(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %v = call i32 @__ockl_wfred_add_i32(i32 %x)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %v, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @both(ptr %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %to = getelementptr float, ptr %out, i32 %x
  %v = call float @__ocml_sincos_f32(float 1.0, ptr %to)
  ret void
}

define amdgpu_kernel void @of_none(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %v = call float @__ocml_launch_f32(float 1.0)
  %to = getelementptr float, ptr addrspace(1) %out, i32 %x
  store float %v, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @of_somebody(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %v = call i32 @_Z6mine_2i(i32 %x)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %v, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @unmangled(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %v = call i32 @clamp(i32 %x)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %v, ptr addrspace(1) %to
  ret void
}

attributes #0 = { "uniform-work-group-size"="true" "target-cpu"="gfx942" }

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 500}
