; Remainders in as few bits as the range of a number takes, as LLVM narrows them.

; RUN: swizzle-opt %s --swizzle-print-model -o /dev/null 2>&1 | FileCheck %s
; RUN: swizzle-llvm %s --options='chip=mi300x;grid=512' -o /dev/null --report=%t.json
; RUN: FileCheck %s --check-prefix=REPORT --input-file=%t.json

target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.workitem.id.x()

; Below 256, as 8 bits hold them, of which the greater half is negative.
; CHECK-LABEL: kernel @urem_of_8_bits
; CHECK-NOT: not modelled
; CHECK: write arg0[1024*x + 4*tx - 36*((tx) // 9)] 4 bytes
define amdgpu_kernel void @urem_of_8_bits(ptr addrspace(1) %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %n = trunc i32 %t to i8
  %r = urem i8 %n, 9
  %w = zext i8 %r to i32
  %f = mul i32 %x, 256
  %i = add i32 %f, %w
  %p = getelementptr float, ptr addrspace(1) %out, i32 %i
  store float 1.0, ptr addrspace(1) %p
  ret void
}

; x - x / 9 * 9, of which both the product and the number may be negative as signed ones.
; CHECK-LABEL: kernel @sub_of_8_bits
; CHECK-NOT: not modelled
; CHECK: write arg0[1024*x + 4*tx - 36*((tx) // 9)] 4 bytes
define amdgpu_kernel void @sub_of_8_bits(ptr addrspace(1) %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %n = trunc i32 %t to i8
  %q = udiv i8 %n, 9
  %m = mul i8 %q, 9
  %r = sub i8 %n, %m
  %w = zext i8 %r to i32
  %f = mul i32 %x, 256
  %i = add i32 %f, %w
  %p = getelementptr float, ptr addrspace(1) %out, i32 %i
  store float 1.0, ptr addrspace(1) %p
  ret void
}

; The same of 16 bits, and with the flags that LLVM finds.
; CHECK-LABEL: kernel @sub_of_16_bits
; CHECK-NOT: not modelled
; CHECK: write arg0[1024*x + 4*tx - 36*((tx) // 9)] 4 bytes
define amdgpu_kernel void @sub_of_16_bits(ptr addrspace(1) %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %n = trunc nuw nsw i32 %t to i16
  %q = udiv i16 %n, 9
  %m = mul nuw nsw i16 %q, 9
  %r = sub nuw nsw i16 %n, %m
  %w = zext nneg i16 %r to i32
  %f = mul i32 %x, 256
  %i = add i32 %f, %w
  %p = getelementptr float, ptr addrspace(1) %out, i32 %i
  store float 1.0, ptr addrspace(1) %p
  ret void
}

; Ids up to 511 do not fit into 8 bits: 0 and 256 are one number there.
; CHECK-LABEL: kernel @wraps
; REPORT:      "name": "wraps"
; REPORT:      "reason_code": "cross-workgroup-write"
; REPORT:      "counterexample": "workgroups (0) and (256) both touch byte 0 of arg0
define amdgpu_kernel void @wraps(ptr addrspace(1) %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %n = trunc i32 %x to i8
  %w = zext i8 %n to i32
  %p = getelementptr float, ptr addrspace(1) %out, i32 %w
  store float 1.0, ptr addrspace(1) %p
  ret void
}

; Nor is x - x / 9 * 9 the remainder of such a number: that of 256 is that of 0.
; REPORT:      "name": "sub_wraps"
; REPORT:      "reason_code": "cross-workgroup-write"
; REPORT:      "counterexample": "workgroups (0) and (256) both touch byte 0 of arg0
define amdgpu_kernel void @sub_wraps(ptr addrspace(1) %out) #0 {
  %x = call i32 @llvm.amdgcn.workgroup.id.x()
  %n = trunc i32 %x to i8
  %q = udiv i8 %n, 9
  %m = mul i8 %q, 9
  %r = sub i8 %n, %m
  %w = zext i8 %r to i32
  %k = zext i8 %q to i32
  %f = mul i32 %k, 9
  %i = add i32 %f, %w
  %p = getelementptr float, ptr addrspace(1) %out, i32 %i
  store float 1.0, ptr addrspace(1) %p
  ret void
}

attributes #0 = { "amdgpu-flat-work-group-size"="256,256" "target-cpu"="gfx942" "uniform-work-group-size"="true" }
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"amdhsa_code_object_version", i32 500}
