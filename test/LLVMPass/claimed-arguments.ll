; What somebody says that launches pass is looked at: where workgroups meet with it, far
; apart too, the kernel is refused, and where they do not it rests on what was said.

; REQUIRES: no-sanitizers
; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=h200;grid=64;args=?+8;formula-file=%S/Inputs/reversed.swz>' -disable-output -pass-remarks=swizzle -pass-remarks-missed=swizzle %s 2>&1 | FileCheck %s --check-prefix=MEETS
; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=h200;grid=64;args=?+64;formula-file=%S/Inputs/reversed.swz>' -disable-output -pass-remarks=swizzle -pass-remarks-missed=swizzle %s 2>&1 | FileCheck %s --check-prefix=APART
; RUN: swizzle-llvm %s --options='chip=h200;grid=64;args=?+64;formula-file=%S/Inputs/reversed.swz' --report=%t.json -o /dev/null
; RUN: FileCheck %s --check-prefix=REPORT < %t.json

; MEETS: kernel 'slots': may not be remapped (cross-workgroup-write): {{.*}}; as one launch has it: arg1 = 8 (claimed)
; MEETS: kernel 'slots': workgroups (0) and (8) both touch byte {{[0-9]+}} of arg0
; APART: kernel 'slots': remapped for h200; assumes that
; REPORT: workgroups stay apart for the sizes that are launched as they do for those that were assumed (arg1 = 64 (claimed))

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; A slot for each of n workgroups: out[x % n][t] = x.
define ptx_kernel void @slots(ptr addrspace(1) noalias %out, i32 %n) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %slot = srem i32 %x, %n
  %first = mul nsw i32 %slot, 64
  %i = add nsw i32 %first, %t
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %x, ptr addrspace(1) %to
  ret void
}

attributes #0 = { "nvvm.reqntid"="64" }
