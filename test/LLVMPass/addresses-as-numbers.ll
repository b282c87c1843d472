; Addresses that are counted with as numbers: what is added leads on in the same memory.
; A difference of two addresses leads nowhere that is known.

; RUN: swizzle-opt %s --swizzle-print-model -o /dev/null | FileCheck %s
; RUN: swizzle-llvm %s --options='chip=h100;formula=@reverse;grid=64;block=64;strict' -o %t.ll --report=%t.json
; RUN: FileCheck %s --check-prefix=JUDGED < %t.json
; JUDGED: "name": "sums"
; JUDGED: "outcome": "remapped"
; JUDGED: "name": "differences"
; JUDGED: "outcome": "refused"
; JUDGED: "name": "signs"
; JUDGED: "outcome": "remapped"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i8 @llvm.ucmp.i8.i32(i32, i32)
declare i8 @llvm.scmp.i8.i32(i32, i32)

; CHECK-LABEL: kernel @sums
; CHECK: read arg0[256*x + 4*tx + 16] 4 bytes
; CHECK: write arg1[256*x - 4*tx + 252] 4 bytes
; CHECK-NOT: not modelled
define ptx_kernel void @sums(ptr noalias %in, ptr noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul nuw nsw i32 %x, 64
  %i = add nuw nsw i32 %first, %t
  %wide = zext i32 %i to i64
  %bytes = shl nuw nsw i64 %wide, 2
  %in.at = ptrtoint ptr %in to i64
  %in.here = add i64 %bytes, %in.at
  %in.there = add i64 %in.here, 16
  %from = inttoptr i64 %in.there to ptr
  %v = load i32, ptr %from
  %block = zext i32 %first to i64
  %block.bytes = shl nuw nsw i64 %block, 2
  %t.wide = zext i32 %t to i64
  %t.bytes = shl nuw nsw i64 %t.wide, 2
  %out.at = ptrtoint ptr %out to i64
  %out.end = add i64 %out.at, 252
  %out.back = sub i64 %out.end, %t.bytes
  %out.here = add i64 %out.back, %block.bytes
  %to = inttoptr i64 %out.here to ptr
  store i32 %v, ptr %to
  ret void
}

; Three times as far as %out is from %in.
; CHECK-LABEL: kernel @differences
; CHECK: not modelled: write
define ptx_kernel void @differences(ptr noalias %in, ptr noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %in.at = ptrtoint ptr %in to i64
  %out.at = ptrtoint ptr %out to i64
  %apart = sub i64 %out.at, %in.at
  %far = mul i64 %apart, 3
  %there = add i64 %in.at, %far
  %to = inttoptr i64 %there to ptr
  store i32 %x, ptr %to
  ret void
}

; out[5 * i + 2 + (i <=> 8) + (t <=> 3)]: each thread has its own five.
; CHECK-LABEL: kernel @signs
; CHECK-NOT: not modelled
define ptx_kernel void @signs(ptr noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul nuw nsw i32 %x, 64
  %i = add nuw nsw i32 %first, %t
  %a = call i8 @llvm.ucmp.i8.i32(i32 %i, i32 8)
  %b = call i8 @llvm.scmp.i8.i32(i32 %t, i32 3)
  %a.wide = sext i8 %a to i32
  %b.wide = sext i8 %b to i32
  %sum = add nsw i32 %a.wide, %b.wide
  %up = add nsw i32 %sum, 2
  %base = mul nuw nsw i32 %i, 5
  %at = add nuw nsw i32 %base, %up
  %at.wide = zext i32 %at to i64
  %to = getelementptr i32, ptr %out, i64 %at.wide
  store i32 %x, ptr %to
  ret void
}

attributes #0 = { "nvvm.reqntid"="64" }
