; What tensor maps are of, by who launches the kernel.

; REQUIRES: no-sanitizers
; RUN: swizzle-llvm %s --options='chip=h200;grid=64x64;formula-file=%S/Inputs/reversed.swz;args=map:2:8192x4096:4096x1:128x64+map:2:4096x8192:8192x1:64x128+map:2:8192x8192:8192x1:128x128+4096' --report=%t.json -o %t.ll
; RUN: FileCheck %s --check-prefix=TOLD < %t.json
; RUN: not swizzle-llvm %s --options='chip=h200;grid=64x64;formula-file=%S/Inputs/reversed.swz;args=map:2:8192x4096:4096x2:128x64' -o %t.ll 2>&1 | FileCheck %s --check-prefix=BAD
; RUN: swizzle-llvm %s --options='chip=h200;grid=64x64;formula-file=%S/Inputs/reversed.swz;args=?+?+?+4096' --report=%t.json -o %t.ll
; RUN: FileCheck %s --check-prefix=UNTOLD < %t.json
; A box of the result that is higher than a step of the workgroups.
; RUN: swizzle-llvm %s --options='chip=h200;grid=64x64;formula-file=%S/Inputs/reversed.swz;args=map:2:8192x4096:4096x1:128x64+map:2:4096x8192:8192x1:64x128+map:2:8448x8192:8192x1:256x128+4096' --report=%t.json -o %t.ll
; RUN: FileCheck %s --check-prefix=MEETS < %t.json
; Boxes that reach beyond the tensor are not modelled, nor is another's argument.
; RUN: swizzle-llvm %s --options='chip=h200;grid=64x64;formula-file=%S/Inputs/reversed.swz;args=map:2:8192x4096:4096x1:128x64+map:2:4096x8192:8192x1:64x128+map:2:8000x8192:8192x1:128x128+4096' --report=%t.json -o %t.ll
; RUN: FileCheck %s --check-prefix=BEYOND < %t.json

; BAD: option 'args': 'map:2:8192x4096:4096x2:128x64' is not as 'map:2:4096x8192:8192x1:128x64' is: bytes of an element, extents, strides and box, the last stride 1

; TOLD: arg0 (from the launch), the tensor map of arg1 (from the launch), the tensor map of arg2 (from the launch)
; TOLD: the tensor of arg2 overlaps none of the tensor of arg0, the tensor of arg1 in memory
; TOLD: "modelled": {{[3-9]}}
; TOLD: "not_modelled": []
; UNTOLD: a tensor-map copy, whose descriptor is not known
; MEETS: "reason_code": "cross-workgroup-write"
; MEETS: both touch byte {{.*}} of the tensor of arg2
; BEYOND: a box that may reach beyond the tensor

target triple = "nvptx64-nvidia-cuda"
@shared = external addrspace(3) global [0 x i8], align 16
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @product(ptr byval([128 x i8]) align 64 %a, ptr byval([128 x i8]) align 64 %b, ptr byval([128 x i8]) align 64 %c, i32 %n) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  %row = shl i32 %x, 7
  %column = shl i32 %y, 7
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  call void asm sideeffect "@$0 cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [$1], [$2, {$3, $4}], [$5];", "b,r,l,r,r,r"(i1 %first, ptr addrspace(3) @shared, ptr %a, i32 %k, i32 %row, i32 65536)
  call void asm sideeffect "@$0 cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [$1], [$2, {$3, $4}], [$5];", "b,r,l,r,r,r"(i1 %first, ptr addrspace(3) @shared, ptr %b, i32 %column, i32 %k, i32 65536)
  %next = add i32 %k, 64
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  call void asm sideeffect "@$0 cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [$1, {$2, $3}], [$4];", "b,l,r,r,r"(i1 %first, ptr %c, i32 %column, i32 %row, ptr addrspace(3) @shared)
  ret void
}

attributes #0 = { "nvvm.reqntid"="128" }
