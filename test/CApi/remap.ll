; swizzle-llvm does with one module what the plugin does, as text or bitcode, from a
; file or a pipe, and reports.

; RUN: swizzle-llvm %s --options='chip=h200;formula=@reverse;grid=8x4' --report=%t.json -o %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: FileCheck %s --check-prefix=REPORT < %t.json
; RUN: %llvm_tools/opt -passes=verify -disable-output %t.ll
; RUN: %llvm_tools/llvm-as %s -o %t.bc
; RUN: swizzle-llvm - --options='chip=h200;formula=@reverse;grid=8x4' < %t.bc | FileCheck %s
; RUN: swizzle-check %s %t.ll --formula='return gx - 1 - x, gy - 1 - y' --grid=8x4 --block=1 | FileCheck %s --check-prefix=SAME

; CHECK-LABEL: define ptx_kernel void @copy(
; CHECK-DAG:     call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
; CHECK:       "swizzle.applied"="8x4: return
; REPORT: "schema": "swizzle-report/1"
; REPORT: "name": "copy"
; REPORT: "kernel_hash": "{{[0-9a-f]+}}"
; REPORT: "signature": "r4[x+y] w4[x+y]"
; REPORT: "outcome": "remapped"
; REPORT: "formula":
; REPORT: "assumptions": [
; REPORT-NEXT: the grid is 8x4
; REPORT: "modelled": 2
; REPORT: "not_modelled": []
; SAME: passed
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @copy(ptr noalias %in, ptr noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %row = mul i32 %y, 8
  %index = add i32 %row, %x
  %from = getelementptr float, ptr %in, i32 %index
  %to = getelementptr float, ptr %out, i32 %index
  %value = load float, ptr %from
  store float %value, ptr %to
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
