; Through the packet of a launch its arguments are reached, and the signal that the host
; waits for. Whatever is no load of one of its sizes refuses a kernel, and a refused kernel
; leaves as it came.

; RUN: swizzle-llvm %s --options='chip=mi300x;formula-file=%S/Inputs/reversed.swz;grid=8x4;block=64' -o %t.ll --report=%t.json
; RUN: cmp %s %t.ll
; RUN: FileCheck %s --input-file=%t.json

target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workgroup.id.x()
declare ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
declare ptr addrspace(4) @llvm.amdgcn.queue.ptr()
declare i64 @llvm.amdgcn.dispatch.id()

; kernarg_address, at byte 40: %out without its name.
; CHECK: "name": "reads_arguments"
; CHECK: "reason_code": "dispatch-id"
; CHECK: "reason": "'rocdl.dispatch.ptr' points to the packet of the launch
define amdgpu_kernel void @reads_arguments(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %packet = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
  %at = getelementptr i8, ptr addrspace(4) %packet, i64 40
  %arguments = load ptr addrspace(4), ptr addrspace(4) %at
  %again = load ptr addrspace(1), ptr addrspace(4) %arguments
  %to = getelementptr i32, ptr addrspace(1) %again, i32 %x
  store i32 %x, ptr addrspace(1) %to
  ret void
}

; CHECK: "name": "keeps_it"
; CHECK: "reason_code": "dispatch-id"
define amdgpu_kernel void @keeps_it(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %packet = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
  %to = getelementptr ptr, ptr addrspace(1) %out, i32 %x
  store ptr addrspace(4) %packet, ptr addrspace(1) %to
  ret void
}

; A size and another use.
; CHECK: "name": "passes_it_on"
; CHECK: "reason_code": "dispatch-id"
define amdgpu_kernel void @passes_it_on(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %packet = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
  %at = getelementptr i8, ptr addrspace(4) %packet, i64 12
  %threads = load i32, ptr addrspace(4) %at
  call void @take(ptr addrspace(4) %packet)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %threads, ptr addrspace(1) %to
  ret void
}

; Fields that are chosen when it runs.
; CHECK: "name": "chooses"
; CHECK: "reason_code": "dispatch-id"
define amdgpu_kernel void @chooses(ptr addrspace(1) noalias %out, i64 %field) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %packet = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
  %at = getelementptr i8, ptr addrspace(4) %packet, i64 %field
  %value = load i32, ptr addrspace(4) %at
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %value, ptr addrspace(1) %to
  ret void
}

; Half a size, and one together with what is none.
; CHECK: "name": "reads_a_half"
; CHECK: "reason_code": "dispatch-id"
define amdgpu_kernel void @reads_a_half(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %packet = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
  %at = getelementptr i8, ptr addrspace(4) %packet, i64 14
  %value = load i16, ptr addrspace(4) %at
  %to = getelementptr i16, ptr addrspace(1) %out, i32 %x
  store i16 %value, ptr addrspace(1) %to
  ret void
}

; CHECK: "name": "reads_more"
; CHECK: "reason_code": "dispatch-id"
define amdgpu_kernel void @reads_more(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %packet = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
  %at = getelementptr i8, ptr addrspace(4) %packet, i64 8
  %value = load i32, ptr addrspace(4) %at
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %value, ptr addrspace(1) %to
  ret void
}

; CHECK: "name": "reads_the_queue"
; CHECK: "reason_code": "dispatch-id"
; CHECK: "reason": "'rocdl.queue.ptr' points to the queue of launches
define amdgpu_kernel void @reads_the_queue(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %queue = call ptr addrspace(4) @llvm.amdgcn.queue.ptr()
  %value = load i32, ptr addrspace(4) %queue
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %value, ptr addrspace(1) %to
  ret void
}

; CHECK: "name": "reads_the_number"
; CHECK: "reason_code": "dispatch-id"
; CHECK: "reason": "'rocdl.dispatch.id' numbers the launches of a queue
define amdgpu_kernel void @reads_the_number(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %value = call i64 @llvm.amdgcn.dispatch.id()
  %to = getelementptr i64, ptr addrspace(1) %out, i32 %x
  store i64 %value, ptr addrspace(1) %to
  ret void
}

define internal void @take(ptr addrspace(4) %packet) noinline {
  %value = load volatile i32, ptr addrspace(4) %packet
  ret void
}

attributes #0 = { "target-cpu"="gfx942" "uniform-work-group-size"="true" }
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 600}
