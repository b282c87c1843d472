; What AMD's kernels carry that has to be understood before one is remapped.

; REQUIRES: no-sanitizers
; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='always-inline,swizzle<chip=mi300x;formula-file=%S/Inputs/reversed.swz;grid=8x4;block=64>' -disable-output -pass-remarks=swizzle -pass-remarks-missed=swizzle %s 2>&1 | FileCheck %s
; RUN: sed 's/i32 600/i32 400/' %s | %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='always-inline,swizzle<chip=mi300x;formula-file=%S/Inputs/reversed.swz;grid=8x4;block=64>' -disable-output -pass-remarks-missed=swizzle 2>&1 | FileCheck %s --check-prefix=OLD

; "amdgpu-no-cluster-id-x" is no cluster.
; CHECK-DAG: kernel 'no_cluster': remapped for mi300x
; Nor are clusters of one workgroup, which Triton 3.9 asks for.
; CHECK-DAG: kernel 'cluster_of_one': remapped for mi300x
; CHECK-DAG: kernel 'a_cluster': may not be remapped (cluster):
; The last workgroup may be smaller, and has to stay last.
; CHECK-DAG: kernel 'uneven': may not be remapped (uneven-workgroups):
; CHECK-DAG: kernel 'unsaid': may not be remapped (uneven-workgroups):
; CHECK-DAG: kernel 'packet': may not be remapped (dispatch-id):
; CHECK-DAG: kernel 'library': may not be remapped (id-helper):
; CHECK-DAG: kernel 'through_integers': remapped for mi300x
; CHECK-DAG: kernel 'resource': remapped for mi300x
; CHECK-DAG: kernel 'structure': remapped for mi300x
; CHECK-DAG: kernel 'sizes': remapped for mi300x
; What is left out of the hidden arguments cannot be read.
; CHECK-DAG: kernel 'no_hidden_arguments': may not be remapped (no-sizes): {{.*}}nor where amdgpu-implicitarg
; CHECK-DAG: kernel 'all_sizes': remapped for mi300x
; The types in a name belong to it.
; CHECK-DAG: kernel 'converts': remapped for mi300x
; A rounding mode is the wave's own, other registers of the hardware may not be.
; CHECK-DAG: kernel 'rounds': remapped for mi300x
; CHECK-DAG: kernel 'sets_others': may not be remapped (unknown-effect):
; CHECK-DAG: kernel 'fills': remapped for mi300x
; OLD-DAG: kernel 'no_cluster': may not be remapped (no-sizes):
target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @no_hidden_arguments(ptr addrspace(1) %out) #5 {
  %i = call i32 @index()
  %to = getelementptr float, ptr addrspace(1) %out, i32 %i
  store float 0.0, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @all_sizes(ptr addrspace(1) %out) #6 {
  %i = call i32 @index()
  %to = getelementptr float, ptr addrspace(1) %out, i32 %i
  store float 0.0, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @converts(ptr addrspace(1) %out) #0 {
  %i = call i32 @index()
  %to = getelementptr float, ptr addrspace(1) %out, i32 %i
  %v = call float @llvm.amdgcn.cvt.f32.bf8(i32 %i, i32 0)
  store float %v, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @rounds(ptr addrspace(1) %out) #0 {
  %i = call i32 @index()
  %to = getelementptr float, ptr addrspace(1) %out, i32 %i
  call void @llvm.amdgcn.s.setreg(i32 1473, i32 1)
  call void @llvm.amdgcn.wave.barrier()
  store float 0.0, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @sets_others(ptr addrspace(1) %out) #0 {
  %i = call i32 @index()
  %to = getelementptr float, ptr addrspace(1) %out, i32 %i
  call void @llvm.amdgcn.s.setreg(i32 1475, i32 1)
  store float 0.0, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @fills(ptr addrspace(1) noalias %out, i64 %n) #0 {
  %i = call i32 @index()
  %to = getelementptr [4096 x i8], ptr addrspace(1) %out, i32 %i
  call void @llvm.memset.inline.p1.i64(ptr addrspace(1) %to, i8 0, i64 %n, i1 false)
  ret void
}

define amdgpu_kernel void @no_cluster(ptr addrspace(1) %out) #0 {
  %i = call i32 @index()
  %to = getelementptr float, ptr addrspace(1) %out, i32 %i
  store float 0.0, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @a_cluster(ptr addrspace(1) %out) #1 {
  %i = call i32 @index()
  %to = getelementptr float, ptr addrspace(1) %out, i32 %i
  store float 0.0, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @cluster_of_one(ptr addrspace(1) %out) #4 {
  %i = call i32 @index()
  %to = getelementptr float, ptr addrspace(1) %out, i32 %i
  store float 0.0, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @uneven(ptr addrspace(1) %out) #2 {
  %i = call i32 @index()
  %to = getelementptr float, ptr addrspace(1) %out, i32 %i
  store float 0.0, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @unsaid(ptr addrspace(1) %out) #3 {
  %i = call i32 @index()
  %to = getelementptr float, ptr addrspace(1) %out, i32 %i
  store float 0.0, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @packet(ptr addrspace(1) %out) #0 {
  %i = call i32 @index()
  %packet = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
  %value = load i32, ptr addrspace(4) %packet
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %value, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @library(ptr addrspace(1) %out) #0 {
  %i = call i64 @__ockl_get_group_id(i32 0)
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %i
  store i32 0, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @through_integers(ptr addrspace(1) %out) #0 {
  %i = call i32 @index()
  %number = ptrtoint ptr addrspace(1) %out to i64
  %pointer = inttoptr i64 %number to ptr
  %to = getelementptr float, ptr %pointer, i32 %i
  store float 0.0, ptr %to
  ret void
}

define amdgpu_kernel void @resource(ptr addrspace(1) %out) #0 {
  %i = call i32 @index()
  %bytes = shl i32 %i, 2
  %rsrc = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %out, i16 0, i64 8192, i32 159744)
  call void @llvm.amdgcn.raw.ptr.buffer.store.f32(float 0.0, ptr addrspace(8) %rsrc, i32 %bytes, i32 0, i32 0)
  ret void
}

%pair = type { ptr addrspace(1), i64 }

define amdgpu_kernel void @structure(ptr addrspace(4) byref(%pair) align 8 %pair) #0 {
  %i = call i32 @index()
  %out = load ptr addrspace(1), ptr addrspace(4) %pair
  %to = getelementptr float, ptr addrspace(1) %out, i32 %i
  store float 0.0, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @sizes(ptr addrspace(1) %out) #0 {
  %arguments = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %place = getelementptr inbounds i8, ptr addrspace(4) %arguments, i64 12
  %short = load i16, ptr addrspace(4) %place, align 4
  %size = zext i16 %short to i32
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %y = call i32 @llvm.amdgcn.workgroup.id.y()
  %thread = call i32 @llvm.amdgcn.workitem.id.x()
  %first = mul i32 %x, %size
  %row = mul i32 %y, 512
  %start = add i32 %row, %first
  %i = add i32 %start, %thread
  %to = getelementptr float, ptr addrspace(1) %out, i32 %i
  store float 0.0, ptr addrspace(1) %to
  ret void
}

define internal i32 @index() alwaysinline {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %y = call i32 @llvm.amdgcn.workgroup.id.y()
  %thread = call i32 @llvm.amdgcn.workitem.id.x()
  %first = mul i32 %x, 64
  %row = mul i32 %y, 512
  %start = add i32 %row, %first
  %index = add i32 %start, %thread
  ret i32 %index
}

declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workgroup.id.y()
declare i32 @llvm.amdgcn.workitem.id.x()
declare ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1), i16, i64, i32)
declare void @llvm.amdgcn.raw.ptr.buffer.store.f32(float, ptr addrspace(8), i32, i32, i32)
declare i64 @__ockl_get_group_id(i32)

attributes #0 = { "amdgpu-no-cluster-id-x" "amdgpu-no-cluster-id-y" "uniform-work-group-size"="true" }
attributes #1 = { "amdgpu-cluster-dims"="2,1,1" "uniform-work-group-size"="true" }
attributes #2 = { "uniform-work-group-size"="false" }
attributes #3 = { "target-cpu"="gfx942" }
attributes #4 = { "amdgpu-cluster-dims"="1,1,1" "uniform-work-group-size"="true" }

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 600}
attributes #5 = { "amdgpu-implicitarg-num-bytes"="8" "uniform-work-group-size"="true" }
attributes #6 = { "amdgpu-implicitarg-num-bytes"="18" "uniform-work-group-size"="true" }
