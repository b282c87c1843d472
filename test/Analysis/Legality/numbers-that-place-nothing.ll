; Numbers that nobody gave are why workgroups may meet that are far apart, if addresses rest
; on them. Where they are stored alone, compared with constants, or not used, they are not.

; RUN: swizzle-llvm %s --options='chip=h200;grid=2048;block=256;formula=@reverse;simulate=off' --report=%t.json -o /dev/null
; RUN: python3 -c "import json; [print(k['name'], k['outcome'], k['reason_code'], k['counterexample']) for k in json.load(open('%t.json'))['kernels']]" | FileCheck %s

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK: stored refused cross-workgroup-write workgroups (0) and (1500)
define ptx_kernel void @stored(ptr addrspace(1) noalias %out, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = urem i32 %x, 1500
  %first = shl i32 %row, 8
  %at = add i32 %first, %t
  %twice = mul i32 %n, 2
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %at
  store i32 %twice, ptr addrspace(1) %to
  ret void
}

; CHECK: compared refused cross-workgroup-write
define ptx_kernel void @compared(ptr addrspace(1) noalias %out, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = urem i32 %x, 1500
  %first = shl i32 %row, 8
  %at = add i32 %first, %t
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %yes, label %done
yes:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %at
  store i32 %x, ptr addrspace(1) %to
  br label %done
done:
  ret void
}

; CHECK: unused refused cross-workgroup-write
define ptx_kernel void @unused(ptr addrspace(1) noalias %out, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = urem i32 %x, 1500
  %first = shl i32 %row, 8
  %at = add i32 %first, %t
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %at
  store i32 %x, ptr addrspace(1) %to
  ret void
}

; Rows of 4096 numbers, as is assumed, would not do for 2048 workgroups, others may.
; CHECK: placed remapped
define ptx_kernel void @placed(ptr addrspace(1) noalias %out, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = urem i32 %x, %n
  %half = udiv i32 %x, %n
  %odd = mul i32 %half, %n
  %back = add i32 %odd, %row
  %wide = udiv i32 %n, 3
  %column = urem i32 %back, %wide
  %first = shl i32 %column, 8
  %at = add i32 %first, %t
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %at
  store i32 %x, ptr addrspace(1) %to
  ret void
}
