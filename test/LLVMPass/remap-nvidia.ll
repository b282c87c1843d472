; A remapped kernel for NVIDIA, for two grids that somebody names: each takes its
; own remap, any other grid keeps its order.

; REQUIRES: no-sanitizers
; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=h100;formula-file=%S/Inputs/reversed.swz;grid=8x4+16x2;block=64>,verify' -S -o %t.ll < %s
; RUN: FileCheck %s < %t.ll
; RUN: swizzle-check %s %t.ll --formula-file=%S/Inputs/reversed.swz --grid=8x4 --block=64 | FileCheck %s --check-prefix=SAME
; RUN: swizzle-check %s %t.ll --formula-file=%S/Inputs/reversed.swz --grid=16x2 --block=64 | FileCheck %s --check-prefix=SAME
; RUN: swizzle-check %s %t.ll --formula='return x, y' --grid=4x8 --block=64 | FileCheck %s --check-prefix=SAME
; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=h100;formula-file=%S/Inputs/reversed.swz;launches=%S/Inputs/launches.json>' -S %s | FileCheck %s
; The report has the lines that changed, as one about MLIR does.
; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=h100;formula-file=%S/Inputs/reversed.swz;grid=8x4;block=64;report=%t.json>' -S -o /dev/null < %s
; RUN: FileCheck %s --check-prefix=REPORT < %t.json
; The result is judged again, and is not remapped twice.
; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=h100;formula-file=%S/Inputs/reversed.swz;grid=8x4>' -pass-remarks-missed=swizzle -S -o %t.again.ll < %t.ll 2>&1 | FileCheck %s --check-prefix=AGAIN
; RUN: diff %t.ll %t.again.ll

; CHECK-LABEL: define ptx_kernel void @copy(
; CHECK-DAG:     %[[X:.*]] = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
; CHECK-DAG:     call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
; CHECK-DAG:     call i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()
; CHECK:         xor i32 %{{.*}}, 8
; CHECK:         xor i32 %{{.*}}, 16
; CHECK:       attributes {{.*}} "swizzle.applied"="8x4: return gx - 1 - x, y; 16x2: return gx - 1 - x, y"
; REPORT: "ir_difference": [
; REPORT: "+{{.*}} = xor i32
; SAME: passed
; AGAIN: may not be remapped (already-remapped):
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @copy(ptr noalias %in, ptr noalias %out) #0 {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %x, 64
  %row = mul i32 %y, 1024
  %start = add i32 %row, %first
  %index = add i32 %start, %thread
  %wide = sext i32 %index to i64
  %from = getelementptr float, ptr %in, i64 %wide
  %to = getelementptr float, ptr %out, i64 %wide
  %value = load float, ptr %from
  store float %value, ptr %to
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

attributes #0 = { "target-cpu"="sm_90" }
