; On amdhsa a trap ends the launch: no loop is left for it. Elsewhere it may end its wave
; alone, and the others go on.

; RUN: swizzle-llvm %s --options='chip=mi300x;grid=64x32;block=64;simulate=off;formula-file=%S/Inputs/columns.swz' --report=%t.json -o /dev/null
; RUN: FileCheck %s < %t.json
; RUN: sed 's/amdgcn-amd-amdhsa/amdgcn-amd-amdpal/' %s > %t.pal.ll
; RUN: swizzle-llvm %t.pal.ll --options='chip=mi300x;grid=64x32;block=64;simulate=off;formula-file=%S/Inputs/columns.swz' --report=%t.pal.json -o /dev/null
; RUN: FileCheck %s --check-prefix=PAL < %t.pal.json
; CHECK: "modelled": 3
; CHECK-NEXT: "not_modelled": []
; PAL: "reason": "a loop of blocks with several exits"

target triple = "amdgcn-amd-amdhsa"

declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workgroup.id.y()
declare void @llvm.trap()

define amdgpu_kernel void @k(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i64 %length) #0 {
entry:
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %y = call i32 @llvm.amdgcn.workgroup.id.y()
  %wide = zext i32 %x to i64
  %row = shl nuw nsw i64 %wide, 8
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %go ]
  %sum = phi float [ 0.0, %entry ], [ %more, %go ]
  %i = add nuw nsw i64 %row, %k
  %within = icmp ult i64 %i, %length
  br i1 %within, label %go, label %panic
go:
  %from = getelementptr float, ptr addrspace(1) %in, i64 %i
  %value = load float, ptr addrspace(1) %from
  %more = fadd float %sum, %value
  %next = add nuw nsw i64 %k, 1
  %again = icmp ult i64 %next, 256
  br i1 %again, label %loop, label %done
done:
  %line = shl nuw nsw i32 %y, 6
  %place = add nuw nsw i32 %line, %x
  %to = getelementptr float, ptr addrspace(1) %out, i32 %place
  store float %more, ptr addrspace(1) %to
  ret void
panic:
  call void @llvm.trap()
  unreachable
}

attributes #0 = { "amdgpu-flat-work-group-size"="64,64" "target-cpu"="gfx942" "uniform-work-group-size"="true" }

!llvm.module.flags = !{!0}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 500}
