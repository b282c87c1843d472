; Where a table says where to go, and a number from memory whether to, accesses through
; AMD's buffer resources are as assumed as others are; and an offset that wraps around as
; many times in every thread is the number that is left.

; RUN: swizzle-opt %s --swizzle-print-model -o /dev/null 2>&1 | FileCheck %s
; RUN: swizzle-llvm %s --options='chip=mi300x;grid=1024;block=256;simulate=off;formula=@reverse' --report=%t.json -o %t.ll
; RUN: python3 -c "import json; [print(k['name'], k['outcome'], k['reason_code']) for k in json.load(open('%t.json'))['kernels']]" | FileCheck %s --check-prefix=JUDGED

target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workitem.id.x()
declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1), i16, i64, i32)
declare float @llvm.amdgcn.raw.ptr.buffer.load.f32(ptr addrspace(8), i32, i32, i32 immarg)
declare void @llvm.amdgcn.raw.ptr.buffer.store.f32(float, ptr addrspace(8), i32, i32, i32 immarg)
declare i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8), i32, i32, i32 immarg)

; CHECK-LABEL: kernel @gather
; CHECK:       read arg1[1024*x + 4*tx] 4 bytes
; CHECK:       read arg0[4*arg1[1024*x + 4*tx]] 4 bytes, assumed
; JUDGED: gather remapped
define amdgpu_kernel void @gather(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %table, ptr addrspace(1) noalias %y) #0 {
  %b = call i32 @llvm.amdgcn.workgroup.id.x()
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %s = shl i32 %b, 8
  %i = or disjoint i32 %t, %s
  %at = shl i32 %i, 2
  %r = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %x, i16 0, i64 2147483646, i32 159744)
  %rt = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %table, i16 0, i64 2147483646, i32 159744)
  %ry = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %y, i16 0, i64 2147483646, i32 159744)
  %j = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %rt, i32 %at, i32 0, i32 0)
  %from = shl i32 %j, 2
  %v = call float @llvm.amdgcn.raw.ptr.buffer.load.f32(ptr addrspace(8) %r, i32 %from, i32 0, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.f32(float %v, ptr addrspace(8) %ry, i32 %at, i32 0, i32 0)
  ret void
}

; An offset beyond all buffers is how a lane is left out.
; CHECK-LABEL: kernel @masked
; CHECK:       read arg1[1024*x + 4*tx] 4 bytes
; CHECK:       read arg0[1024*x + 4*tx] 4 bytes, assumed
; CHECK:       write arg2[1024*x + 4*tx] 4 bytes
; JUDGED: masked remapped
define amdgpu_kernel void @masked(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %table, ptr addrspace(1) noalias %y) #0 {
  %b = call i32 @llvm.amdgcn.workgroup.id.x()
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %s = shl i32 %b, 8
  %i = or disjoint i32 %t, %s
  %at = shl i32 %i, 2
  %r = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %x, i16 0, i64 2147483646, i32 159744)
  %ry = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %y, i16 0, i64 2147483646, i32 159744)
  %from = getelementptr i32, ptr addrspace(1) %table, i32 %i
  %j = load i32, ptr addrspace(1) %from
  %few = icmp slt i32 %j, 5
  %place = select i1 %few, i32 %at, i32 -2147483648
  %v = call float @llvm.amdgcn.raw.ptr.buffer.load.f32(ptr addrspace(8) %r, i32 %place, i32 0, i32 0)
  call void @llvm.amdgcn.raw.ptr.buffer.store.f32(float %v, ptr addrspace(8) %ry, i32 %at, i32 0, i32 0)
  ret void
}

; 4 * (256*x + tx + 2^30 - 1) is 4 * (256*x + tx - 1) in 32 bits: a workgroup reads what the
; one before it writes, and the first thread's offset is beyond the buffer.
; CHECK-LABEL: kernel @shift
; CHECK:       read arg0[1024*x + 4*tx - 4] 4 bytes
; CHECK:       write arg0[1024*x + 4*tx] 4 bytes
; JUDGED: shift refused cross-workgroup-write
define amdgpu_kernel void @shift(ptr addrspace(1) %x) #0 {
  %b = call i32 @llvm.amdgcn.workgroup.id.x()
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %r = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %x, i16 0, i64 2147483646, i32 159744)
  %s = shl i32 %b, 8
  %i = add i32 %t, %s
  %j0 = add i32 %s, -1
  %j = add i32 %j0, %t
  %before = shl i32 %j, 2
  %v = call float @llvm.amdgcn.raw.ptr.buffer.load.f32(ptr addrspace(8) %r, i32 %before, i32 0, i32 0)
  %w = fadd float %v, 1.0
  %at = shl i32 %i, 2
  call void @llvm.amdgcn.raw.ptr.buffer.store.f32(float %w, ptr addrspace(8) %r, i32 %at, i32 0, i32 0)
  ret void
}

attributes #0 = { "target-cpu"="gfx942" "amdgpu-flat-work-group-size"="256,256" "uniform-work-group-size"="true" }
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 500}
