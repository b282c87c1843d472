; The first active lane of a wavefront is its lane 0 where all threads come by: in the
; entry block. Triton 3.9 takes the number of a wavefront so.

; RUN: swizzle-opt %s --swizzle-print-model -o /dev/null 2>&1 | FileCheck %s

; CHECK-LABEL: kernel @entry
; CHECK:         write arg0[256*x + 4*tx] 4 bytes
; CHECK-LABEL: kernel @masked
; CHECK:         write arg0[256*x + 4*tx] 4 bytes
; CHECK-LABEL: kernel @behind_a_branch
; CHECK:         what the first active lane has
; CHECK-LABEL: kernel @narrow_rows
; CHECK:         what the first active lane has
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @entry(ptr addrspace(1) noalias %out) #0 !reqd_work_group_size !0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %thread = call range(i32 0, 256) i32 @llvm.amdgcn.workitem.id.x()
  %first = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %thread)
  %wave = and i32 %first, 192
  %lane = and i32 %thread, 63
  %low = or disjoint i32 %wave, %lane
  %block = mul nuw nsw i32 %x, 64
  %i = add nuw nsw i32 %block, %low
  %wide = zext i32 %i to i64
  %to = getelementptr float, ptr addrspace(1) %out, i64 %wide
  store float 0.0, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @masked(ptr addrspace(1) noalias %out) #0 !reqd_work_group_size !0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %thread = call range(i32 0, 256) i32 @llvm.amdgcn.workitem.id.x()
  %masked = and i32 %thread, 255
  %first = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %masked)
  %wave = and i32 %first, 192
  %lane = and i32 %masked, 63
  %low = or disjoint i32 %wave, %lane
  %block = mul nuw nsw i32 %x, 64
  %i = add nuw nsw i32 %block, %low
  %wide = zext i32 %i to i64
  %to = getelementptr float, ptr addrspace(1) %out, i64 %wide
  store float 0.0, ptr addrspace(1) %to
  ret void
}

define amdgpu_kernel void @behind_a_branch(ptr addrspace(1) noalias %out, i32 %n) #0 !reqd_work_group_size !0 {
  %thread = call range(i32 0, 256) i32 @llvm.amdgcn.workitem.id.x()
  %some = icmp sgt i32 %thread, 100
  br i1 %some, label %then, label %end

then:
  %first = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %thread)
  %wide = zext i32 %first to i64
  %to = getelementptr float, ptr addrspace(1) %out, i64 %wide
  store float 0.0, ptr addrspace(1) %to
  br label %end

end:
  ret void
}

define amdgpu_kernel void @narrow_rows(ptr addrspace(1) noalias %out) #0 !reqd_work_group_size !1 {
  %thread = call range(i32 0, 32) i32 @llvm.amdgcn.workitem.id.x()
  %first = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %thread)
  %wide = zext i32 %first to i64
  %to = getelementptr float, ptr addrspace(1) %out, i64 %wide
  store float 0.0, ptr addrspace(1) %to
  ret void
}

declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)

attributes #0 = { "target-cpu"="gfx942" "uniform-work-group-size"="true" }
!0 = !{i32 256, i32 1, i32 1}
!1 = !{i32 32, i32 8, i32 1}
