; If nothing is remapped, text leaves as it came, comments and blanks included:
; kernels that gain nothing, that are refused, and modules without kernels.

; RUN: swizzle-llvm %s --options='chip=h200;grid=4096;block=64' --report=%t.json -o %t.ll
; RUN: diff %s %t.ll
; RUN: FileCheck %s < %t.json
; RUN: sed 's/ptx_kernel//' %s > %t.host.ll
; RUN: rm -f %t.none.json
; RUN: swizzle-llvm %t.host.ll --options='chip=h200' --report=%t.none.json | diff %t.host.ll -
; RUN: FileCheck %s --check-prefix=EMPTY < %t.none.json
; EMPTY: "kernels": []
; RUN: swizzle-llvm %t.host.ll --options='chip=h200' -o /dev/null 2>&1 | FileCheck %s --check-prefix=HOST
; HOST: swizzle-llvm: no kernel was found: no function is marked as one, for NVIDIA or AMD
; RUN: sed 's/ptx_kernel/spir_kernel/' %s | swizzle-llvm - --options='chip=h200' -o /dev/null 2>&1 | FileCheck %s --check-prefix=SPIR
; SPIR: swizzle-llvm: no kernel was found: 'alone' is one for SPIR-V, which is not read
; What was done is said in a line for each.
; RUN: swizzle-llvm %s --options='chip=h200;grid=4096+64;block=64' -o /dev/null 2>&1 | FileCheck %s --check-prefix=LINES
; LINES: alone, grid 4096: kept as it is (
; LINES-NEXT: alone, grid 64: kept as it is (
; LINES-NEXT: ticket, grid 4096: may not be remapped (atomic-result-used)
; The kernels name no target; without one there is no chip to plan for.
; RUN: swizzle-llvm %s --options='target=sm_90;grid=4096;block=64' --report=%t.target.json -o %t.ll
; RUN: FileCheck %s --check-prefix=TARGET < %t.target.json
; RUN: not swizzle-llvm %s --options='grid=4096;block=64' 2>&1 | FileCheck %s --check-prefix=NONE
; RUN: not swizzle-llvm %S --options='chip=h200' -o %t.none 2>&1 | FileCheck %s --check-prefix=FOLDER
; FOLDER: swizzle-llvm: cannot read '{{.*}}CApi'
; Bitcode comes out as text.
; RUN: %llvm_tools/llvm-as %s -o %t.bc
; RUN: swizzle-llvm %t.bc --options='chip=h200;grid=4096;block=64' | FileCheck %s --check-prefix=TEXT

; CHECK: "name": "alone"
; CHECK: "outcome": "kept"
; CHECK: "name": "ticket"
; CHECK: "outcome": "refused"
; CHECK-NEXT: "reason_code": "atomic-result-used"
; TARGET: "chip": "h100"
; NONE: swizzle-llvm: swizzle: kernel 'alone'
; TEXT: define ptx_kernel void @alone(

define ptx_kernel void @alone(ptr noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr   float, ptr %out, i32 %x    ; odd blanks
  store float 0.0, ptr %to
  ret void
}

define ptx_kernel void @ticket(ptr noalias %next, ptr noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %mine = atomicrmw add ptr %next, i32 1 monotonic
  %to = getelementptr i32, ptr %out, i32 %mine
  store i32 %x, ptr %to
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
