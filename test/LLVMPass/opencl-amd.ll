; get_global_id of OpenCL adds where the launch begins, which is passed behind the
; arguments: 0, as is assumed, and in any case one number for all workgroups. Where it
; stands hangs on the version of the code object.

; RUN: swizzle-llvm %s --options='chip=mi300x;grid=1024x32;block=256;simulate=off;formula-file=%S/Inputs/columns.swz' --report=%t.json -o /dev/null
; RUN: FileCheck %s < %t.json
; RUN: sed 's/i64 40/i64 0/; s/i32 500/i32 400/' %s | swizzle-llvm - --options='chip=mi300x;grid=1024x32;block=256;simulate=off;formula-file=%S/Inputs/columns.swz' --report=%t.4.json -o /dev/null
; RUN: FileCheck %s --check-prefix=OLD < %t.4.json
; OLD: "reason_code": "no-sizes"
; OLD: "modelled": 3
; CHECK: "outcome": "remapped"
; CHECK: (the launch's offset along x = 0 (nominal))
; CHECK: "modelled": 3
; CHECK-NEXT: "not_modelled": []
; Not under strict, and not at another place.
; RUN: swizzle-llvm %s --options='chip=mi300x;grid=1024x32;block=256;simulate=off;strict;formula-file=%S/Inputs/columns.swz' --report=%t.strict.json -o /dev/null
; RUN: FileCheck %s --check-prefix=STRICT < %t.strict.json
; STRICT: "reason_code": "assumption"
; RUN: sed 's/i64 40/i64 48/; s/i32 500/i32 400/' %s | swizzle-llvm - --options='chip=mi300x;grid=1024x32;block=256;simulate=off;formula-file=%S/Inputs/columns.swz' --report=%t.other.json -o /dev/null
; RUN: FileCheck %s --check-prefix=OTHER < %t.other.json
; OTHER: "modelled": 0

target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %o) #0 {
  %c = call i32 @llvm.amdgcn.workgroup.id.x()
  %d = call i32 @llvm.amdgcn.workgroup.id.y()
  %t = call range(i32 0, 256) i32 @llvm.amdgcn.workitem.id.x()
  %h = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %p = getelementptr i8, ptr addrspace(4) %h, i64 40
  %offset = load i64, ptr addrspace(4) %p, align 8
  %off = trunc i64 %offset to i32
  %cb = shl i32 %c, 8
  %i0 = add i32 %cb, %t
  %i1 = add i32 %i0, %off
  %x = zext i32 %i1 to i64
  %y = zext i32 %d to i64
  %r = mul i64 %y, 4194304
  %i = add i64 %r, %x
  %j = add i64 %i, 4194304
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %i
  %v = load float, ptr addrspace(1) %pa
  %pb = getelementptr float, ptr addrspace(1) %a, i64 %j
  %w = load float, ptr addrspace(1) %pb
  %s = fadd float %v, %w
  call void @__atomic_work_item_fence(i32 1, i32 3, i32 1)
  %po = getelementptr float, ptr addrspace(1) %o, i64 %i
  store float %s, ptr addrspace(1) %po
  ret void
}
declare void @__atomic_work_item_fence(i32, i32, i32)
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workgroup.id.y()
declare i32 @llvm.amdgcn.workitem.id.x()
declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
attributes #0 = { "amdgpu-flat-work-group-size"="256,256" "target-cpu"="gfx942" "uniform-work-group-size"="true" }
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 500}
