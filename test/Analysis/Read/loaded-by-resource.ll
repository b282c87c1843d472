; A number that is loaded through a buffer resource, as Triton writes it for AMD, says
; where to go as well.

; RUN: swizzle-opt %s --swizzle-print-model -o /dev/null 2>&1 | FileCheck %s
; CHECK: read arg0[256*x + 4*tx] 4 bytes
; CHECK: read arg1[4*arg0[256*x + 4*tx]] 4 bytes, assumed
; CHECK-NOT: not modelled
target triple = "amdgcn-amd-amdhsa"

declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workitem.id.x()
declare ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1), i16, i64, i32)
declare i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8), i32, i32, i32)

define amdgpu_kernel void @gather(ptr addrspace(1) noalias %table, ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %first = shl nuw nsw i32 %x, 6
  %mine = getelementptr i32, ptr addrspace(1) %table, i32 %first
  %all = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %mine, i16 0, i64 2147483646, i32 159744)
  %offset = shl nuw nsw i32 %t, 2
  %number = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %all, i32 %offset, i32 0, i32 0)
  %from = getelementptr float, ptr addrspace(1) %in, i32 %number
  %v = load float, ptr addrspace(1) %from
  %index = add nuw nsw i32 %first, %t
  %to = getelementptr float, ptr addrspace(1) %out, i32 %index
  store float %v, ptr addrspace(1) %to
  ret void
}

; A lane that is off, by a mask that memory holds, is sent beyond the resource: it reads
; nothing.
; CHECK-LABEL: kernel @masked
; CHECK: if {{.*}}arg0[
; CHECK-NEXT: read arg1[256*x + 4*tx] 4 bytes, assumed
; CHECK-NOT: 2147483648
define amdgpu_kernel void @masked(ptr addrspace(1) noalias %limits, ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %one = getelementptr i32, ptr addrspace(1) %limits, i32 %x
  %limit = load i32, ptr addrspace(1) %one
  %inside = icmp slt i32 %t, %limit
  %first = shl nuw nsw i32 %x, 8
  %own = shl nuw nsw i32 %t, 2
  %offset = add nuw nsw i32 %first, %own
  %masked = select i1 %inside, i32 %offset, i32 -2147483648
  %all = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %in, i16 0, i64 2147483646, i32 159744)
  %number = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %all, i32 %masked, i32 0, i32 0)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  %mine = getelementptr i32, ptr addrspace(1) %to, i32 %t
  store i32 %number, ptr addrspace(1) %mine
  ret void
}

; Where the resource begins within the buffer, offsets begin.
; CHECK-LABEL: kernel @masked_behind
; CHECK: read arg1[4112] 4 bytes, assumed
define amdgpu_kernel void @masked_behind(ptr addrspace(1) noalias %limits, ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %one = getelementptr i32, ptr addrspace(1) %limits, i32 %x
  %limit = load i32, ptr addrspace(1) %one
  %inside = icmp slt i32 %t, %limit
  %masked = select i1 %inside, i32 16, i32 -2147483648
  %behind = getelementptr i8, ptr addrspace(1) %in, i32 4096
  %all = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %behind, i16 0, i64 4096, i32 159744)
  %number = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %all, i32 %masked, i32 0, i32 0)
  %w = shl i32 %x, 6
  %i = add i32 %w, %t
  %mine = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %number, ptr addrspace(1) %mine
  ret void
}

attributes #0 = { "amdgpu-flat-work-group-size"="64,64" "target-cpu"="gfx942" }
