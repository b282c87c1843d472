; On AMD, clang reads gridDim and blockDim from the packet of the launch: threads of the
; grid at bytes 12, 16 and 20, those of a workgroup at 4, 6 and 8. The loads stay as they
; are: a remap changes ids, and no size.

; RUN: swizzle-opt %s --swizzle-print-model -o /dev/null 2>&1 | FileCheck %s
; RUN: swizzle-llvm %s --options='chip=mi300x;formula-file=%S/Inputs/reversed.swz;grid=8x4;block=64;strict' -o %t.ll --report=%t.json
; RUN: FileCheck %s --check-prefix=REMAPPED --input-file=%t.ll
; RUN: FileCheck %s --check-prefix=REPORT --input-file=%t.json
; RUN: swizzle-check %s %t.ll --kernel=grid_stride --grid=8x4 --block=64 | FileCheck %s --check-prefix=SAME
; RUN: swizzle-check %s %t.ll --kernel=by_division --grid=8x4 --block=64 | FileCheck %s --check-prefix=SAME
; SAME: passed
; SAME: all of 32 workgroups

; The packet is older than the sizes behind the arguments, which a remap compares.
; RUN: sed 's/i32 600/i32 400/' %s > %t.old.ll
; RUN: swizzle-opt %t.old.ll --swizzle-print-model -o /dev/null 2>&1 | FileCheck %s
; RUN: swizzle-llvm %t.old.ll --options='chip=mi300x;grid=8x4;block=64' -o /dev/null --report=%t.json
; RUN: FileCheck %s --check-prefix=OLD --input-file=%t.json
; OLD-COUNT-2: "reason_code": "no-sizes"

; Where workgroups differ in size, its threads do not say how many workgroups there are.
; RUN: sed 's/group-size"="true"/group-size"="false"/' %s > %t.uneven.ll
; RUN: swizzle-llvm %t.uneven.ll --options='chip=mi300x;grid=8x4;block=64' -o /dev/null --report=%t.json
; RUN: FileCheck %s --check-prefix=UNEVEN --input-file=%t.json
; UNEVEN-COUNT-2: "reason_code": "uneven-workgroups"

target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workgroup.id.y()
declare i32 @llvm.amdgcn.workitem.id.x()
declare ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()

; for (i = blockIdx.x * blockDim.x + threadIdx.x; i < 16384; i += gridDim.x * blockDim.x)
; CHECK-LABEL: kernel @grid_stride grid 64x64x1 block 64x1x1
; CHECK-NOT: not modelled
; CHECK: loop i < 4
; CHECK: write arg0[256*x + 65536*y + 4*tx + 16384*i] 4 bytes
; REMAPPED-LABEL: define amdgpu_kernel void @grid_stride(
; REMAPPED: %[[X:.*]] = call i32 @llvm.amdgcn.workgroup.id.x()
; REMAPPED: %[[NEW:.*]] = select i1 %{{.*}}, i32 %{{.*}}, i32 %[[X]]
; REMAPPED: %threads = load i32, ptr addrspace(4) %threadsAt
; REMAPPED: %first = mul i32 %[[NEW]], %block
; REMAPPED: %next = add i32 %i, %threads
; REPORT: "name": "grid_stride"
; REPORT: "outcome": "remapped"
define amdgpu_kernel void @grid_stride(ptr addrspace(1) noalias %out) #0 !reqd_work_group_size !1 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %y = call i32 @llvm.amdgcn.workgroup.id.y()
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %packet = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
  %threadsAt = getelementptr i8, ptr addrspace(4) %packet, i64 12
  %threads = load i32, ptr addrspace(4) %threadsAt
  %blockAt = getelementptr i8, ptr addrspace(4) %packet, i64 4
  %short = load i16, ptr addrspace(4) %blockAt
  %block = zext i16 %short to i32
  %first = mul i32 %x, %block
  %start = add i32 %first, %t
  %row = getelementptr [16384 x float], ptr addrspace(1) %out, i32 %y
  br label %head
head:
  %i = phi i32 [ %start, %0 ], [ %next, %body ]
  %more = icmp ult i32 %i, 16384
  br i1 %more, label %body, label %done
body:
  %to = getelementptr float, ptr addrspace(1) %row, i32 %i
  store float 1.0, ptr addrspace(1) %to
  %next = add i32 %i, %threads
  br label %head
done:
  ret void
}

; out[((blockIdx.x * gridDim.y) + blockIdx.y) * 64 + threadIdx.x], where gridDim.y is the
; threads of the grid along y by those of a workgroup.
; CHECK-LABEL: kernel @by_division grid 64x64x1 block 64x1x1
; CHECK-NOT: not modelled
; CHECK: write arg0[16384*x + 256*y + 4*tx] 4 bytes
; CHECK-NOT: not modelled
; REPORT: "name": "by_division"
; REPORT: "outcome": "remapped"
define amdgpu_kernel void @by_division(ptr addrspace(1) noalias %out) #0 !reqd_work_group_size !1 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %y = call i32 @llvm.amdgcn.workgroup.id.y()
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %grid = call i32 @grid_y()
  %column = mul i32 %x, %grid
  %group = add i32 %column, %y
  %first = shl i32 %group, 6
  %i = add i32 %first, %t
  %to = getelementptr float, ptr addrspace(1) %out, i32 %i
  store float 1.0, ptr addrspace(1) %to
  ret void
}

; As `gridDim.y` is without optimisation, through a generic pointer.
define internal i32 @grid_y() alwaysinline {
  %packet = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
  %generic = addrspacecast ptr addrspace(4) %packet to ptr
  %threadsAt = getelementptr i8, ptr %generic, i64 16
  %threads = load i32, ptr %threadsAt
  %blockAt = getelementptr i8, ptr %generic, i64 6
  %short = load i16, ptr %blockAt
  %block = zext i16 %short to i32
  %grid = udiv i32 %threads, %block
  ret i32 %grid
}

attributes #0 = { "target-cpu"="gfx942" "uniform-work-group-size"="true" }
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 600}
!1 = !{i32 64, i32 1, i32 1}
