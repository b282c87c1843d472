; Members of a structure that is passed by value are arguments of their own, sizes and
; pointers alike, as long as the kernel only reads them.

; REQUIRES: no-sanitizers
; RUN: rm -rf %t && mkdir %t
; RUN: sed -n '/^;amd /s///p' %s > %t/amd.ll
; RUN: sed -n '/^;nvidia /s///p' %s > %t/nvidia.ll
; RUN: swizzle-opt %t/amd.ll --swizzle-print-model -o /dev/null 2>&1 | FileCheck %s --check-prefixes=MODEL,AMD
; RUN: swizzle-opt %t/nvidia.ll --swizzle-print-model -o /dev/null 2>&1 | FileCheck %s --check-prefixes=MODEL,NVIDIA
; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=mi300x;formula-file=%S/Inputs/reversed.swz;grid=8;block=64>' -disable-output -pass-remarks=swizzle -pass-remarks-missed=swizzle %t/amd.ll 2>&1 | FileCheck %s --check-prefix=ASSUMED
; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=mi300x;formula-file=%S/Inputs/reversed.swz;grid=8;block=64;args={?:64}>' -disable-output -pass-remarks=swizzle -pass-remarks-missed=swizzle %t/amd.ll 2>&1 | FileCheck %s --check-prefix=CLAIMED
; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=mi300x;formula-file=%S/Inputs/reversed.swz;grid=8;block=64;args={?:1}>' -disable-output -pass-remarks=swizzle -pass-remarks-missed=swizzle %t/amd.ll 2>&1 | FileCheck %s --check-prefix=MEETS
; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=mi300x;formula-file=%S/Inputs/reversed.swz;grid=8;block=64;strict>' -disable-output -pass-remarks=swizzle -pass-remarks-missed=swizzle %t/amd.ll 2>&1 | FileCheck %s --check-prefix=STRICT
; RUN: echo '{"schema": "swizzle-launches/1", "kernels": {"rows": {"grids": ["8"], "args": "{?:64}"}}}' > %t/launches.json
; RUN: swizzle-llvm %t/amd.ll --options='chip=mi300x;formula-file=%S/Inputs/reversed.swz;block=64;launches=%t/launches.json' --report=%t/report.json -o /dev/null
; RUN: FileCheck %s --check-prefix=REPORT < %t/report.json
; RUN: not swizzle-llvm %t/amd.ll --options='chip=mi300x;grid=8;args={?:many}' -o /dev/null 2>&1 | FileCheck %s --check-prefix=BAD
; RUN: not swizzle-llvm %t/amd.ll --options='chip=mi300x;grid=8;args={64' -o /dev/null 2>&1 | FileCheck %s --check-prefix=OPEN
; RUN: sh -c 'swizzle-check %t/amd.ll --kernel=rows --model --grid=8 --block=64; test $? = 3' | FileCheck %s --check-prefix=HOST

; HOST: unchecked: argument 0 is a structure by value
; BAD: option 'args': '{?:many}' is not as '{?:4096}' is: a size below 2^50 or '?' for each member of a structure
; OPEN: option 'args': '{64' is not as
; ASSUMED: kernel 'rows': remapped for mi300x; assumes that workgroups stay apart for the sizes that are launched as they do for those that were assumed (arg0.1 = 4096 (nominal))
; CLAIMED: kernel 'rows': remapped for mi300x; assumes that {{.*}}(arg0.1 = 64 (claimed))
; Rows of one element: workgroups meet.
; MEETS: kernel 'rows': may not be remapped (cross-workgroup-write): {{.*}}; as one launch has it: arg0.1 = 1 (claimed)
; MEETS: kernel 'rows': workgroups (0) and (1) both touch byte {{[0-9]+}} of arg0.0
; Nobody says that the pointers are apart.
; STRICT: kernel 'rows': may not be remapped (assumption):
; STRICT: kernel 'copies': may not be remapped (assumption): `strict` is given, and it is only assumed that arg0.0 and arg0.1 do not overlap in memory
; REPORT: "name": "rows"
; REPORT: (arg0.1 = 64 (claimed))

; MODEL-LABEL: kernel @rows
; MODEL-NOT: read arg0
; MODEL: write arg0.0[16384*x + 4*tx] 4 bytes
; MODEL-NOT: not modelled
; MODEL: assumed: arg0.1 = 4096 (nominal)
; MODEL-LABEL: kernel @copies
; MODEL: buffer arg0.0
; MODEL-NOT: noalias
; MODEL: read arg0.0[256*x + 4*tx] 4 bytes
; MODEL: write arg0.1[256*x + 4*tx] 4 bytes
; Two members are read at once, one in part, an element of an array, and a number that
; is none of a size.
; MODEL-LABEL: kernel @pieces
; MODEL: if -tx + 1 >= 0
; MODEL-NEXT: else
; MODEL: write arg1[4*x] 4 bytes
; MODEL: assumed: arg0.1 = 4096 (nominal)
; MODEL: assumed: arg0.2 = 4096 (nominal)
; MODEL: assumed: arg0.4 = 4096 (nominal)
; What the kernel writes, or hands on, is none, nor is what an index chooses.
; MODEL-LABEL: kernel @indexed
; MODEL: write arg1[4*arg0[4*tx]] 4 bytes, assumed
; MODEL-NOT: arg0.
; NVIDIA-LABEL: kernel @written
; NVIDIA: not modelled: write
; NVIDIA-NOT: arg0.
; NVIDIA-LABEL: kernel @reference
; NVIDIA: write arg1[4*arg0[8]] 4 bytes, assumed
; NVIDIA-NOT: arg0.
; Other memory by reference may change while the kernel runs.
; AMD-LABEL: kernel @global_memory
; AMD: read arg0[8] 4 bytes
; AMD: write arg1[4*arg0[8]] 4 bytes, assumed
; AMD-NOT: arg0.
; AMD-LABEL: kernel @volatile
; AMD: not modelled: write {{.*}}loaded from memory
; AMD-NOT: arg0.

;amd target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
;amd target triple = "amdgcn-amd-amdhsa"
;amd %rows = type { ptr, i32, float }
;amd %copies = type { ptr, ptr }
;amd %pieces = type { [8 x i8], float, i32, i32, i16, [2 x i64] }
;amd declare i32 @llvm.amdgcn.workgroup.id.x()
;amd declare i32 @llvm.amdgcn.workitem.id.x()
;amd define amdgpu_kernel void @rows(ptr addrspace(4) noalias readonly byref(%rows) align 8 %p) #0 {
;amd   %x = call i32 @llvm.amdgcn.workgroup.id.x()
;amd   %t = call i32 @llvm.amdgcn.workitem.id.x()
;amd   %out = load ptr, ptr addrspace(4) %p
;amd   %at = getelementptr i8, ptr addrspace(4) %p, i64 8
;amd   %n = load i32, ptr addrspace(4) %at
;amd   %last = getelementptr i8, ptr addrspace(4) %p, i64 12
;amd   %v = load float, ptr addrspace(4) %last
;amd   %row = mul nsw i32 %x, %n
;amd   %i = add nsw i32 %row, %t
;amd   %to = getelementptr float, ptr %out, i32 %i
;amd   store float %v, ptr %to
;amd   ret void
;amd }
;amd define amdgpu_kernel void @copies(ptr addrspace(4) noalias readonly byref(%copies) align 8 %p) #0 {
;amd   %x = call i32 @llvm.amdgcn.workgroup.id.x()
;amd   %t = call i32 @llvm.amdgcn.workitem.id.x()
;amd   %from = load ptr, ptr addrspace(4) %p
;amd   %at = getelementptr i8, ptr addrspace(4) %p, i64 8
;amd   %out = load ptr, ptr addrspace(4) %at
;amd   %row = shl i32 %x, 6
;amd   %i = add nsw i32 %row, %t
;amd   %a = getelementptr float, ptr %from, i32 %i
;amd   %v = load float, ptr %a
;amd   %to = getelementptr float, ptr %out, i32 %i
;amd   store float %v, ptr %to
;amd   ret void
;amd }
;amd define amdgpu_kernel void @pieces(ptr addrspace(4) byref(%pieces) align 8 %p, ptr addrspace(1) noalias %out) #0 {
;amd   %x = call i32 @llvm.amdgcn.workgroup.id.x()
;amd   %t = call i32 @llvm.amdgcn.workitem.id.x()
;amd   %first = getelementptr i8, ptr addrspace(4) %p, i64 12
;amd   %both = load <2 x i32>, ptr addrspace(4) %first
;amd   %a = extractelement <2 x i32> %both, i32 0
;amd   %b = extractelement <2 x i32> %both, i32 1
;amd   %array = getelementptr i8, ptr addrspace(4) %p, i64 24
;amd   %c = load i32, ptr addrspace(4) %array
;amd   %sum = add i32 %a, %b
;amd   %less = lshr i32 %sum, 12
;amd   %part = lshr i32 %c, 12
;amd   %bound = add i32 %less, %part
;amd   %least = sub i32 %bound, 1
;amd   %yes = icmp uge i32 %t, %least
;amd   br i1 %yes, label %writes, label %done
;amd writes:
;amd   %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
;amd   store i32 1, ptr addrspace(1) %to
;amd   br label %done
;amd done:
;amd   ret void
;amd }
;amd define amdgpu_kernel void @indexed(ptr addrspace(4) byref([8 x i32]) align 8 %p, ptr addrspace(1) noalias %out) #0 {
;amd   %t = call i32 @llvm.amdgcn.workitem.id.x()
;amd   %at = getelementptr i32, ptr addrspace(4) %p, i32 %t
;amd   %n = load i32, ptr addrspace(4) %at
;amd   %to = getelementptr i32, ptr addrspace(1) %out, i32 %n
;amd   store i32 1, ptr addrspace(1) %to
;amd   ret void
;amd }
;amd define amdgpu_kernel void @global_memory(ptr addrspace(1) byref(%rows) align 8 %p, ptr addrspace(1) noalias %out) #0 {
;amd   %at = getelementptr i8, ptr addrspace(1) %p, i64 8
;amd   %n = load i32, ptr addrspace(1) %at
;amd   %to = getelementptr i32, ptr addrspace(1) %out, i32 %n
;amd   store i32 1, ptr addrspace(1) %to
;amd   ret void
;amd }
;amd define amdgpu_kernel void @volatile(ptr addrspace(4) byref(%rows) align 8 %p, ptr addrspace(1) noalias %out) #0 {
;amd   %at = getelementptr i8, ptr addrspace(4) %p, i64 8
;amd   %n = load volatile i32, ptr addrspace(4) %at
;amd   %to = getelementptr i32, ptr addrspace(1) %out, i32 %n
;amd   store i32 1, ptr addrspace(1) %to
;amd   ret void
;amd }
;amd attributes #0 = { "uniform-work-group-size"="true" "target-cpu"="gfx942" "amdgpu-flat-work-group-size"="64,64" }
;amd !llvm.module.flags = !{!0}
;amd !0 = !{i32 1, !"amdhsa_code_object_version", i32 500}

;nvidia target triple = "nvptx64-nvidia-cuda"
;nvidia %rows = type { ptr, i32, float }
;nvidia %copies = type { ptr, ptr }
;nvidia %pieces = type { [8 x i8], float, i32, i32, i16, [2 x i64] }
;nvidia declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
;nvidia declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;nvidia define ptx_kernel void @rows(ptr noalias byval(%rows) align 8 %p) #0 {
;nvidia   %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
;nvidia   %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;nvidia   %out = load ptr, ptr %p
;nvidia   %at = getelementptr i8, ptr %p, i64 8
;nvidia   %n = load i32, ptr %at
;nvidia   %row = mul nsw i32 %x, %n
;nvidia   %i = add nsw i32 %row, %t
;nvidia   %to = getelementptr float, ptr %out, i32 %i
;nvidia   store float 0.0, ptr %to
;nvidia   ret void
;nvidia }
;nvidia define ptx_kernel void @copies(ptr noalias byval(%copies) align 8 %p) #0 {
;nvidia   %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
;nvidia   %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;nvidia   %from = load ptr, ptr %p
;nvidia   %at = getelementptr i8, ptr %p, i64 8
;nvidia   %out = load ptr, ptr %at
;nvidia   %row = shl i32 %x, 6
;nvidia   %i = add nsw i32 %row, %t
;nvidia   %a = getelementptr float, ptr %from, i32 %i
;nvidia   %v = load float, ptr %a
;nvidia   %to = getelementptr float, ptr %out, i32 %i
;nvidia   store float %v, ptr %to
;nvidia   ret void
;nvidia }
;nvidia define ptx_kernel void @pieces(ptr byval(%pieces) align 8 %p, ptr addrspace(1) noalias %out) #0 {
;nvidia   %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
;nvidia   %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;nvidia   %first = getelementptr i8, ptr %p, i64 12
;nvidia   %both = load i64, ptr %first, align 4
;nvidia   %a = trunc i64 %both to i32
;nvidia   %high = lshr i64 %both, 32
;nvidia   %b = trunc i64 %high to i32
;nvidia   %array = getelementptr i8, ptr %p, i64 24
;nvidia   %c = load i32, ptr %array
;nvidia   %sum = add i32 %a, %b
;nvidia   %less = lshr i32 %sum, 12
;nvidia   %part = lshr i32 %c, 12
;nvidia   %bound = add i32 %less, %part
;nvidia   %least = sub i32 %bound, 1
;nvidia   %yes = icmp uge i32 %t, %least
;nvidia   br i1 %yes, label %writes, label %done
;nvidia writes:
;nvidia   %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
;nvidia   store i32 1, ptr addrspace(1) %to
;nvidia   br label %done
;nvidia done:
;nvidia   ret void
;nvidia }
;nvidia define ptx_kernel void @indexed(ptr byval([8 x i32]) align 8 %p, ptr addrspace(1) noalias %out) #0 {
;nvidia   %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;nvidia   %at = getelementptr i32, ptr %p, i32 %t
;nvidia   %n = load i32, ptr %at
;nvidia   %to = getelementptr i32, ptr addrspace(1) %out, i32 %n
;nvidia   store i32 1, ptr addrspace(1) %to
;nvidia   ret void
;nvidia }
;nvidia define ptx_kernel void @written(ptr byval(%rows) align 8 %p, ptr addrspace(1) noalias %out) #0 {
;nvidia   %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
;nvidia   %place = getelementptr i32, ptr %p, i32 %t
;nvidia   store i32 %t, ptr %place
;nvidia   %at = getelementptr i8, ptr %p, i64 8
;nvidia   %n = load i32, ptr %at
;nvidia   %to = getelementptr i32, ptr addrspace(1) %out, i32 %n
;nvidia   store i32 1, ptr addrspace(1) %to
;nvidia   ret void
;nvidia }
;nvidia define ptx_kernel void @reference(ptr byref(%rows) align 8 %p, ptr addrspace(1) noalias %out) #0 {
;nvidia   %at = getelementptr i8, ptr %p, i64 8
;nvidia   %n = load i32, ptr %at
;nvidia   %to = getelementptr i32, ptr addrspace(1) %out, i32 %n
;nvidia   store i32 1, ptr addrspace(1) %to
;nvidia   ret void
;nvidia }
;nvidia attributes #0 = { "nvvm.reqntid"="64" }
