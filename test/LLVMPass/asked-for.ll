; Something is done if a launch asks for it: by a bool, a number that says which way, or a
; buffer that is not null. The model is of launches that ask for all of it, and says so: what
; is written then is compared with all else.

; REQUIRES: no-sanitizers
; DEFINE: %{args} =
; DEFINE: %{run} = %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=h200;grid=8x1x32;block=64%{args};formula-file=%S/Inputs/reversed.swz>' -disable-output -pass-remarks=swizzle -pass-remarks-missed=swizzle %s
; RUN: %{run} 2>&1 | FileCheck %s
; What is claimed is taken instead.
; REDEFINE: %{args} = ;args=?+?+0
; RUN: %{run} 2>&1 | FileCheck %s --check-prefix=UNASKED
; REDEFINE: %{args} = ;args=?+?+2
; RUN: %{run} 2>&1 | FileCheck %s --check-prefix=TWO
; TWO: '2' for argument 2, which is 'i1': it is 0 or 1; it is left out

target triple = "nvptx64-nvidia-cuda"

; Workgroups of z = 0 clear what all of them add to: that is right in one order alone.
; CHECK: kernel 'if_bool': may not be remapped (cross-workgroup-write): {{.*}}sizes that nobody gave: arg2 = 1 (nominal)
; UNASKED: kernel 'if_bool': remapped
define ptx_kernel void @if_bool(ptr addrspace(1) noalias %sums, ptr addrspace(1) noalias readonly %parts, i1 zeroext %clear) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %z = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %begin = mul nuw nsw i32 %x, 64
  %at = add nuw nsw i32 %begin, %t
  %first = icmp eq i32 %z, 0
  %clears = and i1 %first, %clear
  %to = getelementptr float, ptr addrspace(1) %sums, i32 %at
  br i1 %clears, label %zero, label %add
zero:
  store float 0.0, ptr addrspace(1) %to
  br label %add
add:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %of = mul nuw nsw i32 %z, 512
  %part = add nuw nsw i32 %of, %at
  %from = getelementptr float, ptr addrspace(1) %parts, i32 %part
  %value = load float, ptr addrspace(1) %from
  %old = atomicrmw fadd ptr addrspace(1) %to, float %value monotonic
  ret void
}

; CHECK: kernel 'if_number': may not be remapped (cross-workgroup-write): {{.*}}arg2 = 3 (nominal)
; UNASKED: kernel 'if_number': remapped
define ptx_kernel void @if_number(ptr addrspace(1) noalias %sums, ptr addrspace(1) noalias readonly %parts, i32 %mode) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %z = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %begin = mul nuw nsw i32 %x, 64
  %at = add nuw nsw i32 %begin, %t
  %to = getelementptr float, ptr addrspace(1) %sums, i32 %at
  %of = mul nuw nsw i32 %z, 512
  %part = add nuw nsw i32 %of, %at
  %from = getelementptr float, ptr addrspace(1) %parts, i32 %part
  %value = load float, ptr addrspace(1) %from
  %stores = icmp eq i32 %mode, 3
  br i1 %stores, label %store, label %end
store:
  store float %value, ptr addrspace(1) %to
  br label %end
end:
  ret void
}

; The least of several.
; CHECK: kernel 'if_one_of_two': may not be remapped (cross-workgroup-write): {{.*}}arg2 = 3 (nominal)
; UNASKED: kernel 'if_one_of_two': remapped
define ptx_kernel void @if_one_of_two(ptr addrspace(1) noalias %sums, ptr addrspace(1) noalias readonly %parts, i32 %mode) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %begin = mul nuw nsw i32 %x, 64
  %at = add nuw nsw i32 %begin, %t
  %from = getelementptr float, ptr addrspace(1) %parts, i32 %at
  %value = load float, ptr addrspace(1) %from
  switch i32 %mode, label %end [
    i32 4, label %apart
    i32 3, label %store
  ]
apart:
  %own = getelementptr float, ptr addrspace(1) %sums, i32 %at
  store float %value, ptr addrspace(1) %own
  br label %end
store:
  store float %value, ptr addrspace(1) %sums
  br label %end
end:
  ret void
}

; Whichever side the null is on, and whatever is added to the pointer first.
; CHECK: kernel 'if_buffer': may not be remapped (cross-workgroup-write): {{.*}}arg0 is not null (nominal)
define ptx_kernel void @if_buffer(ptr addrspace(1) noalias %sums, ptr addrspace(1) noalias readonly %parts) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %z = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %begin = mul nuw nsw i32 %x, 64
  %at = add nuw nsw i32 %begin, %t
  %to = getelementptr float, ptr addrspace(1) %sums, i32 %at
  %of = mul nuw nsw i32 %z, 512
  %part = add nuw nsw i32 %of, %at
  %from = getelementptr float, ptr addrspace(1) %parts, i32 %part
  %value = load float, ptr addrspace(1) %from
  %none = icmp eq ptr addrspace(1) null, %to
  br i1 %none, label %end, label %store
store:
  store float %value, ptr addrspace(1) %to
  br label %end
end:
  ret void
}

; An optional buffer that is only read keeps nobody from anything.
; CHECK: kernel 'bias': remapped
define ptx_kernel void @bias(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias readonly %bias) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %z = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %begin = mul nuw nsw i32 %x, 64
  %at = add nuw nsw i32 %begin, %t
  %of = mul nuw nsw i32 %z, 512
  %place = add nuw nsw i32 %of, %at
  %none = icmp eq ptr addrspace(1) %bias, null
  br i1 %none, label %store, label %read
read:
  %from = getelementptr float, ptr addrspace(1) %bias, i32 %at
  %value = load float, ptr addrspace(1) %from
  br label %store
store:
  %sum = phi float [ 0.0, %0 ], [ %value, %read ]
  %to = getelementptr float, ptr addrspace(1) %out, i32 %place
  store float %sum, ptr addrspace(1) %to
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
