; Every tool takes LLVM IR, as text and as bitcode, where it takes MLIR.

; RUN: swizzle-sim %s --chip=h100 --grid=16x4 --block=64 | FileCheck %s --check-prefix=SIM
; RUN: swizzle-opt %s --swizzle-print-model -o /dev/null 2>&1 | FileCheck %s --check-prefix=MODEL
; RUN: swizzle-check %s --model --grid=16x4 --block=64 | FileCheck %s --check-prefix=CHECK-MODEL
; RUN: swizzle-check %s --races --grid=16x4 --block=64 | FileCheck %s --check-prefix=RACES
; RUN: swizzle-tune %s --agent=planner --chip=h100 --grid=16x4 --block=64 2>&1 | FileCheck %s --check-prefix=TUNE
; RUN: swizzle-compile %s --target=sm_90 --json=%t.json -o %t.ptx
; RUN: FileCheck %s --check-prefix=PTX < %t.ptx
; RUN: FileCheck %s --check-prefix=JSON < %t.json

; RUN: %llvm_tools/opt -passes=strip-dead-prototypes %s -o %t.bc
; RUN: swizzle-opt %t.bc --swizzle-print-model -o /dev/null 2>&1 | FileCheck %s --check-prefix=MODEL
; RUN: swizzle-sim %t.bc --chip=h100 --grid=16x4 --block=64 | FileCheck %s --check-prefix=SIM
; RUN: swizzle-compile %t.bc --target=sm_90 -o - | FileCheck %s --check-prefix=PTX
; What clang emits for the same module is what is compiled: nothing is dropped.
; RUN: swizzle-compile %s --target=sm_90 --emit=llvm -o - | FileCheck %s --check-prefix=KEPT

; RUN: not swizzle-compile %s --target=gfx942 2>&1 | FileCheck %s --check-prefix=OTHER
; RUN: not swizzle-compile %s --target=sm_90 --kernel=mm 2>&1 | FileCheck %s --check-prefix=NONE
; RUN: not swizzle-compile %s --target=sm_90 --timeout=9 2>&1 | FileCheck %s --check-prefix=CHILD
; RUN: echo 'define void @f(' > %t.bad.ll
; RUN: not swizzle-compile %t.bad.ll --target=sm_90 2>&1 | FileCheck %s --check-prefix=BAD
; RUN: not swizzle-opt %t.bad.ll 2>&1 | FileCheck %s --check-prefix=BAD
; RUN: not swizzle-tune %t.bad.ll --agent=planner 2>&1 | FileCheck %s --check-prefix=BAD

; SIM: kernel @copy, grid 16x4, block 64, on h100
; MODEL: kernel @copy
; MODEL: read arg0[256*x + 4096*y + 4*tx] 4 bytes
; MODEL: write arg1[256*x + 4096*y + 4*tx] 4 bytes
; CHECK-MODEL: passed
; RACES: no race
; TUNE: best: leave it as it is
; PTX: .visible .entry copy(
; PTX: .reqntid 64
; JSON: "block":[64,1,1],"name":"copy"
; KEPT: load float, {{.*}} !range_of_mine
; OTHER: the LLVM IR is compiled for NVIDIA (nvptx64-nvidia-cuda), and gfx942 is by AMD
; NONE: no kernel is called mm; there are copy
; CHILD: LLVM IR is compiled in this process; drop --timeout
; BAD: {{.*}}.bad.ll:{{[0-9]+}}: expected
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @copy(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) #0 {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %x, 64
  %row = mul i32 %y, 1024
  %start = add i32 %row, %first
  %index = add i32 %start, %thread
  %wide = sext i32 %index to i64
  %from = getelementptr float, ptr addrspace(1) %in, i64 %wide
  %to = getelementptr float, ptr addrspace(1) %out, i64 %wide
  %value = load float, ptr addrspace(1) %from, !range_of_mine !0
  store float %value, ptr addrspace(1) %to
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

attributes #0 = { "target-cpu"="sm_90" "nvvm.reqntid"="64" }
!0 = !{i32 1}
