; Kernels divide by what the host hands them: a number to multiply with, of which product
; the upper half counts, and one to shift by. With the numbers of a launch that is the
; division itself; where nobody gave them, those of a power of two stand for them.

; REQUIRES: no-sanitizers
; RUN: rm -rf %t && mkdir %t
; RUN: sed -n '/^;amd /s///p' %s > %t/amd.ll
; RUN: sed -n '/^;nvidia /s///p' %s > %t/nvidia.ll
; RUN: swizzle-opt %t/nvidia.ll --swizzle-print-model -o /dev/null 2>&1 | FileCheck %s --check-prefixes=MODEL,NVIDIA
; RUN: swizzle-opt %t/amd.ll --swizzle-print-model -o /dev/null 2>&1 | FileCheck %s --check-prefixes=MODEL,AMDS
; RUN: swizzle-llvm %t/nvidia.ll --options='chip=h200;formula-file=%S/Inputs/reversed.swz;grid=99;args=?+{3340530120:4}+0+0' --report=%t/by9.json -o /dev/null
; RUN: FileCheck %s --check-prefix=BY9 < %t/by9.json
; RUN: swizzle-llvm %t/nvidia.ll --options='chip=h200;formula-file=%S/Inputs/reversed.swz;grid=99;args=?+{1:3}+0+0' --report=%t/by8.json -o /dev/null
; RUN: FileCheck %s --check-prefix=BY8 < %t/by8.json
; RUN: swizzle-llvm %t/amd.ll --options='chip=mi300x;formula-file=%S/Inputs/reversed.swz;grid=99;block=64;args=?+3340530120+4' --report=%t/amd.json -o /dev/null
; RUN: FileCheck %s --check-prefix=BY9 < %t/amd.json

; out[x % d][x / d][t], of a divisor that is 9: apart with the numbers of 9, not with
; those of 8.
; MODEL-LABEL: kernel @tiles
; MODEL: write arg0[65536*x + 4*tx] 4 bytes
; MODEL-NOT: not modelled
; MODEL: = 1 (nominal)
; MODEL: = 12 (nominal)
; BY9: "name": "tiles"
; BY9: "outcome": "remapped"
; BY8: "name": "tiles"
; BY8: "reason_code": "cross-workgroup-write"

; A divisor that serves two divisions, as AMD's compilers share what is extended; lanes of
; a vector; the remainder of a multiple, which is below 32.
; AMDS-LABEL: kernel @twice
; AMDS: write arg0[4*((128*x + ((tx) // 2)) // 4096)] 4 bytes
; AMDS: assumed: arg1 = 2147483648 (nominal)
; AMDS-LABEL: kernel @rotates
; AMDS: write arg0[{{.*}}] 4 bytes
; AMDS-NOT: not modelled

; The upper half alone.
; NVIDIA-LABEL: kernel @shifts_alone
; NVIDIA: write arg0[4*((128*x + ((tx) // 2)) // 4096)] 4 bytes
; NVIDIA: assumed: arg2 = 2147483648 (nominal)
; NVIDIA: assumed: arg3 = 12 (nominal)

;nvidia target triple = "nvptx64-nvidia-cuda"
;nvidia %Magic = type { i32, i32 }
;nvidia declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
;nvidia declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;nvidia declare i32 @llvm.nvvm.mulhi.ui(i32, i32)
;nvidia define ptx_kernel void @tiles(ptr noalias %out, ptr noalias readonly byval(%Magic) align 4 %d, i32 %unused, i32 %too) #0 {
;nvidia   %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
;nvidia   %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;nvidia   %m = load i32, ptr %d, align 4
;nvidia   %at = getelementptr inbounds i8, ptr %d, i64 4
;nvidia   %s = load i32, ptr %at, align 4
;nvidia   %high = call i32 @llvm.nvvm.mulhi.ui(i32 %x, i32 %m)
;nvidia   %sum = add i32 %high, %x
;nvidia   %q = lshr i32 %sum, %s
;nvidia   %whole = mul i32 %q, 9
;nvidia   %r = sub i32 %x, %whole
;nvidia   %row = mul i32 %r, 16384
;nvidia   %column = mul i32 %q, 64
;nvidia   %first = add i32 %row, %column
;nvidia   %i = add i32 %first, %t
;nvidia   %wide = sext i32 %i to i64
;nvidia   %to = getelementptr i32, ptr %out, i64 %wide
;nvidia   store i32 %x, ptr %to, align 4
;nvidia   ret void
;nvidia }
;nvidia define ptx_kernel void @shifts_alone(ptr noalias %out, ptr noalias readonly byval(%Magic) align 4 %d, i32 %m, i32 %s) #1 {
;nvidia   %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
;nvidia   %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;nvidia   %first = mul i32 %x, 256
;nvidia   %n = add i32 %first, %t
;nvidia   %high = call i32 @llvm.nvvm.mulhi.ui(i32 %n, i32 %m)
;nvidia   %q = lshr i32 %high, %s
;nvidia   %to = getelementptr i32, ptr %out, i32 %q
;nvidia   store i32 1, ptr %to, align 4
;nvidia   ret void
;nvidia }
;nvidia define ptx_kernel void @lanes(ptr noalias %out, ptr noalias readonly byval(%Magic) align 8 %d, i32 %unused, i32 %too) #0 {
;nvidia   %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
;nvidia   %both = load <2 x i32>, ptr %d, align 8
;nvidia   %wide = zext <2 x i32> %both to <2 x i64>
;nvidia   %products = mul <2 x i64> %wide, splat (i64 77)
;nvidia   %high = lshr <2 x i64> %products, splat (i64 32)
;nvidia   %to = getelementptr <2 x i64>, ptr %out, i32 %x
;nvidia   store <2 x i64> %high, ptr %to, align 16
;nvidia   ret void
;nvidia }
;nvidia attributes #0 = { "nvvm.reqntid"="64" }
;nvidia attributes #1 = { "nvvm.reqntid"="256" }

;amd target triple = "amdgcn-amd-amdhsa"
;amd declare i32 @llvm.amdgcn.workgroup.id.x()
;amd declare i32 @llvm.amdgcn.workitem.id.x()
;amd define amdgpu_kernel void @tiles(ptr addrspace(1) noalias %out, i32 %m, i32 %s) #0 {
;amd   %x = call i32 @llvm.amdgcn.workgroup.id.x()
;amd   %t = call i32 @llvm.amdgcn.workitem.id.x()
;amd   %wx = zext i32 %x to i64
;amd   %wm = zext i32 %m to i64
;amd   %product = mul nuw i64 %wx, %wm
;amd   %upper = lshr i64 %product, 32
;amd   %high = trunc nuw i64 %upper to i32
;amd   %sum = add i32 %high, %x
;amd   %q = lshr i32 %sum, %s
;amd   %whole = mul i32 %q, 9
;amd   %r = sub i32 %x, %whole
;amd   %row = mul i32 %r, 16384
;amd   %column = mul i32 %q, 64
;amd   %first = add i32 %row, %column
;amd   %i = add i32 %first, %t
;amd   %wide = sext i32 %i to i64
;amd   %to = getelementptr i32, ptr addrspace(1) %out, i64 %wide
;amd   store i32 %x, ptr addrspace(1) %to, align 4
;amd   ret void
;amd }
;amd define amdgpu_kernel void @twice(ptr addrspace(1) noalias %out, i32 %m, i32 %s) #1 {
;amd   %x = call i32 @llvm.amdgcn.workgroup.id.x()
;amd   %t = call i32 @llvm.amdgcn.workitem.id.x()
;amd   %first = mul i32 %x, 256
;amd   %n = add i32 %first, %t
;amd   %next = add i32 %n, 16
;amd   %wm = zext i32 %m to i64
;amd   %wn = zext i32 %n to i64
;amd   %p = mul nuw i64 %wn, %wm
;amd   %ph = lshr i64 %p, 32
;amd   %high = trunc nuw i64 %ph to i32
;amd   %q = lshr i32 %high, %s
;amd   %wo = zext i32 %next to i64
;amd   %o = mul nuw i64 %wo, %wm
;amd   %oh = lshr i64 %o, 32
;amd   %other = trunc nuw i64 %oh to i32
;amd   %r = lshr i32 %other, %s
;amd   %to = getelementptr i32, ptr addrspace(1) %out, i32 %q
;amd   store i32 %r, ptr addrspace(1) %to, align 4
;amd   ret void
;amd }
;amd define amdgpu_kernel void @rotates(ptr addrspace(1) noalias %out) #2 {
;amd   %x = call i32 @llvm.amdgcn.workgroup.id.x()
;amd   %t = call i32 @llvm.amdgcn.workitem.id.x()
;amd   %first = shl i32 %x, 5
;amd   %t3 = mul i32 %t, 3
;amd   %r = and i32 %t3, 31
;amd   %i = add i32 %first, %r
;amd   %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
;amd   store i32 1, ptr addrspace(1) %to, align 4
;amd   ret void
;amd }
;amd attributes #1 = { "amdgpu-flat-work-group-size"="256,256" "uniform-work-group-size"="true" }
;amd attributes #2 = { "amdgpu-flat-work-group-size"="32,32" "uniform-work-group-size"="true" }
;amd attributes #0 = { "amdgpu-flat-work-group-size"="64,64" "uniform-work-group-size"="true" }
;amd !llvm.module.flags = !{!0}
;amd !0 = !{i32 1, !"amdhsa_code_object_version", i32 500}
