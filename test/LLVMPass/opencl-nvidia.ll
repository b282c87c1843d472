; clang puts the body of an OpenCL kernel into a function of its own, which stays one at
; any level. It is inlined where the kernel is remapped; and no launch of NVIDIA's has a
; smaller last workgroup, whatever the attribute says.

; RUN: swizzle-llvm %s --options='chip=h200;grid=64x32;block=64;simulate=off;formula-file=%S/Inputs/columns.swz' --report=%t.json -o - | FileCheck %s
; RUN: FileCheck %s --check-prefix=REPORT < %t.json
; REPORT: "outcome": "remapped"
; So it is of any other function that reads ids.
; RUN: sed 's/__clang_ocl_kern_imp_copy/body/g' %s | swizzle-llvm - --options='chip=h200;grid=64x32;block=64;simulate=off;formula-file=%S/Inputs/columns.swz' -o - | FileCheck %s --check-prefix=OTHER
; OTHER-LABEL: define ptx_kernel void @copy(
; OTHER-NOT: call void @body(
; OTHER: call {{.*}}@llvm.nvvm.read.ptx.sreg.ctaid.x()
; OTHER: store float

; CHECK-LABEL: define ptx_kernel void @copy(
; CHECK-NOT: call void @__clang_ocl_kern_imp_copy
; CHECK: call {{.*}}@llvm.nvvm.read.ptx.sreg.ctaid.x()
; CHECK: store float

target triple = "nvptx64-nvidia-nvcl"

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @copy(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) #0 {
  tail call void @__clang_ocl_kern_imp_copy(ptr addrspace(1) %in, ptr addrspace(1) %out)
  ret void
}

define void @__clang_ocl_kern_imp_copy(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) #1 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul nsw i32 %x, 64
  %column = add nsw i32 %first, %t
  %row = mul nsw i32 %y, 4096
  %i = add nsw i32 %row, %column
  %from = getelementptr float, ptr addrspace(1) %in, i32 %column
  %value = load float, ptr addrspace(1) %from
  %to = getelementptr float, ptr addrspace(1) %out, i32 %i
  store float %value, ptr addrspace(1) %to
  ret void
}

attributes #0 = { noinline "uniform-work-group-size"="false" }
attributes #1 = { noinline optnone }
