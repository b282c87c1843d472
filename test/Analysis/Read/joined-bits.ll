; Bits that are joined before they are compared: LLVM's form of "all of these are zero".

; RUN: swizzle-opt %s --swizzle-print-model -o /dev/null 2>&1 | FileCheck %s

target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workgroup.id.y()
declare i32 @llvm.amdgcn.workitem.id.x()

; CHECK-LABEL: kernel @first_thread
; CHECK: if -x == 0
; CHECK: -tx == 0
; CHECK: write arg0[0] 4 bytes
define amdgpu_kernel void @first_thread(ptr addrspace(1) %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %either = or i32 %x, %t
  %isFirst = icmp eq i32 %either, 0
  br i1 %isFirst, label %yes, label %no
yes:
  store i32 1, ptr addrspace(1) %out
  br label %no
no:
  ret void
}

; Three numbers, one of them wider, and the other way round.
; CHECK-LABEL: kernel @all_but_the_first
; CHECK-NOT: not modelled
; CHECK: write arg0[4*x] 4 bytes
; CHECK-NOT: not modelled
; CHECK-LABEL: kernel @below_a_power
define amdgpu_kernel void @all_but_the_first(ptr addrspace(1) %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %y = call i32 @llvm.amdgcn.workgroup.id.y()
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %two = or i32 %x, %y
  %wide = zext i32 %two to i64
  %wide_t = zext i32 %t to i64
  %all = or i64 %wide, %wide_t
  %isOther = icmp ne i64 %all, 0
  br i1 %isOther, label %yes, label %no
yes:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 1, ptr addrspace(1) %to
  br label %no
no:
  ret void
}

; CHECK: if -x + 7 >= 0
; CHECK: -tx + 7 >= 0
; CHECK: write arg0[4*x] 4 bytes
define amdgpu_kernel void @below_a_power(ptr addrspace(1) %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %either = or i32 %x, %t
  %small = icmp ult i32 %either, 8
  br i1 %small, label %yes, label %no
yes:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 1, ptr addrspace(1) %to
  br label %no
no:
  ret void
}

; Below six is not the same for each of them.
; CHECK-LABEL: kernel @below_six
; CHECK: assumed: what may or may not be done is done: llvm.store of arg0
define amdgpu_kernel void @below_six(ptr addrspace(1) %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %either = or i32 %x, %t
  %small = icmp ult i32 %either, 6
  br i1 %small, label %yes, label %no
yes:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 1, ptr addrspace(1) %to
  br label %no
no:
  ret void
}

; What is widened may be below a limit that its narrow number, with a sign, is not.
; CHECK-LABEL: kernel @widened
; CHECK: assumed: what may or may not be done is done: llvm.store of arg0
define amdgpu_kernel void @widened(ptr addrspace(1) %out, i8 %s) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %wide = zext i8 %s to i32
  %either = or i32 %wide, %x
  %small = icmp ult i32 %either, 128
  br i1 %small, label %yes, label %no
yes:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 1, ptr addrspace(1) %to
  br label %no
no:
  ret void
}

attributes #0 = { "amdgpu-flat-work-group-size"="64,64" }
