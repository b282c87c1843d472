; Loops that end whatever other threads write: what is read is a limit for what the loop
; counts, or the lanes of a subgroup leave one after the other.

; RUN: swizzle-llvm %s --options='grid=64;block=64;formula=@reverse;simulate=off;chip=mi300x' --report=%t.json -o /dev/null
; RUN: python3 -c "import json; [print(k['name'], k['outcome'], k['reason_code']) for k in json.load(open('%t.json'))['kernels']]" | FileCheck %s

target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workitem.id.x()
declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
@bins = internal addrspace(3) global [64 x i32] poison
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)
declare i32 @llvm.amdgcn.ds.permute(i32, i32)

; The length is read again in each turn, since what is written might be it.
; CHECK: copies_a_list remapped
define amdgpu_kernel void @copies_a_list(ptr addrspace(1) noalias %lengths, ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) #0 {
entry:
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %mine = getelementptr i32, ptr addrspace(1) %lengths, i32 %x
  %n = load i32, ptr addrspace(1) %mine
  store i32 %n, ptr addrspace(1) %mine
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %done
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %tile = shl i32 %x, 6
  %at = add i32 %tile, %i
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %at
  %v = load i32, ptr addrspace(1) %from
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %at
  store i32 %v, ptr addrspace(1) %to
  %i1 = add nuw nsw i32 %i, 1
  %limit = load i32, ptr addrspace(1) %mine
  %more = icmp slt i32 %i1, %limit
  br i1 %more, label %loop, label %done
done:
  ret void
}

; What is compared with it stays: only another workgroup ends that.
; CHECK: waits refused waiting-loop
define amdgpu_kernel void @waits(ptr addrspace(1) noalias %count, ptr addrspace(1) noalias %out) #0 {
entry:
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  br label %loop
loop:
  %limit = load i32, ptr addrspace(1) %count
  fence syncscope("agent") acquire
  %more = icmp slt i32 %limit, %x
  br i1 %more, label %loop, label %done
done:
  %next = add i32 %x, 1
  store i32 %next, ptr addrspace(1) %count
  ret void
}

; So it is if what the loop counts may stand still.
; CHECK: waits_and_counts refused waiting-loop
define amdgpu_kernel void @waits_and_counts(ptr addrspace(1) noalias %count, ptr addrspace(1) noalias %out) #0 {
entry:
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  br label %loop
loop:
  %i = phi i32 [ %x, %entry ], [ %i1, %loop ]
  %limit = load i32, ptr addrspace(1) %count
  fence syncscope("agent") acquire
  %reached = icmp sge i32 %limit, %i
  %one = zext i1 %reached to i32
  %i1 = add i32 %i, %one
  %more = icmp slt i32 %limit, %i1
  br i1 %more, label %loop, label %done
done:
  %next = add i32 %x, 1
  store i32 %next, ptr addrspace(1) %count
  ret void
}

; And if it goes round, or away from the limit.
; CHECK: goes_round refused waiting-loop
define amdgpu_kernel void @goes_round(ptr addrspace(1) noalias %count, ptr addrspace(1) noalias %out) #0 {
entry:
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %limit = load i32, ptr addrspace(1) %count
  fence syncscope("agent") acquire
  %i1 = xor i32 %i, 1
  %more = icmp sle i32 %limit, %i
  br i1 %more, label %loop, label %done
done:
  %next = add i32 %x, 1
  store i32 %next, ptr addrspace(1) %count
  ret void
}

; CHECK: goes_away refused waiting-loop
define amdgpu_kernel void @goes_away(ptr addrspace(1) noalias %count, ptr addrspace(1) noalias %out) #0 {
entry:
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %limit = load i32, ptr addrspace(1) %count
  fence syncscope("agent") acquire
  %i1 = add i32 %i, 1
  %more = icmp slt i32 %limit, %i1
  br i1 %more, label %loop, label %done
done:
  %next = add i32 %x, 1
  store i32 %next, ptr addrspace(1) %count
  ret void
}

; Each turn serves the lanes that have the place of the first one.
; CHECK: lane_by_lane remapped
define amdgpu_kernel void @lane_by_lane(ptr addrspace(1) noalias readonly %places, ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %tile = shl i32 %x, 6
  %i = or disjoint i32 %t, %tile
  %from = getelementptr i32, ptr addrspace(1) %places, i32 %i
  %place = load i32, ptr addrspace(1) %from
  %mine = call i32 @llvm.amdgcn.ds.permute(i32 %t, i32 %place)
  br label %loop
loop:
  %first = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %mine)
  %same = icmp eq i32 %first, %mine
  br i1 %same, label %done, label %loop
done:
  %wide = zext i32 %mine to i64
  %p = inttoptr i64 %wide to ptr addrspace(1)
  %old = atomicrmw max ptr addrspace(1) %p, i32 1 syncscope("agent") monotonic
  ret void
}

; What a launch leaves for its kernel nobody writes: here, where ids begin.
; CHECK: tries_its_own_again remapped
define amdgpu_kernel void @tries_its_own_again(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %launch = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %at = getelementptr i8, ptr addrspace(4) %launch, i64 40
  %first = load i64, ptr addrspace(4) %at
  %begin = trunc i64 %first to i32
  %place = add i32 %begin, %t
  %few = and i32 %place, 63
  %bin = getelementptr i32, ptr addrspace(3) @bins, i32 %few
  br label %again
again:
  %before = load volatile i32, ptr addrspace(3) %bin
  %more = add i32 %before, 1
  store volatile i32 %more, ptr addrspace(3) %bin
  %now = load volatile i32, ptr addrspace(3) %bin
  %mine = icmp eq i32 %now, %more
  br i1 %mine, label %done, label %again
done:
  %b = shl i32 %x, 6
  %i = add i32 %b, %t
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %now, ptr addrspace(1) %to
  ret void
}

; One that never ends has no such test, whatever leads there.
; CHECK: never_ends refused waiting-loop
define amdgpu_kernel void @never_ends(ptr addrspace(1) noalias %places, ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %place = load i32, ptr addrspace(1) %places
  %first = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %place)
  %same = icmp eq i32 %first, %place
  br i1 %same, label %done, label %spin
spin:
  br label %spin
done:
  store i32 %x, ptr addrspace(1) %places
  ret void
}

attributes #0 = { "target-cpu"="gfx942" "amdgpu-flat-work-group-size"="64,64" "uniform-work-group-size"="true" }
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 500}
