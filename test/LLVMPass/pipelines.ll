; What compilers of tiles leave behind: loops of stages that are given what another stage
; had a turn before, masks of many lanes at a time, of which some are undefined, and
; numbers of 64 bits that are looked at as two.

; RUN: swizzle-opt %s --swizzle-print-model -o /dev/null | FileCheck %s
; RUN: swizzle-llvm %s --options='chip=h100;formula=@reverse;grid=64;block=64;strict' -o %t.ll --report=%t.json
; RUN: FileCheck %s --check-prefix=JUDGED < %t.json
; JUDGED: "name": "stages"
; JUDGED: "outcome": "remapped"
; JUDGED: "name": "toggled"
; JUDGED: "outcome": "refused"
; JUDGED: "name": "lanes"
; JUDGED: "outcome": "remapped"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; A stage reads ahead as long as there is something to read, another writes two turns
; later.
; CHECK-LABEL: kernel @stages
; CHECK: loop i < 7
; CHECK-NEXT: if -i + 5 >= 0
; CHECK-NEXT: read arg0[2048*x + 4*tx + 256*i + 512] 4 bytes
; CHECK: if i - 2 >= 0
; CHECK-NEXT: write arg1[2048*x + 4*tx + 256*i - 512] 4 bytes
; The last turn.
; CHECK: write arg1[2048*x + 4*tx + 1280] 4 bytes
; CHECK-NOT: not modelled
define ptx_kernel void @stages(ptr noalias %in, ptr noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %tile = shl nuw nsw i32 %x, 9
  %first = add nuw nsw i32 %tile, %t
  %wide = zext i32 %first to i64
  %from = getelementptr float, ptr %in, i64 %wide
  %to = getelementptr float, ptr %out, i64 %wide
  br label %head
head:
  %i = phi i32 [ 0, %0 ], [ %i.next, %latch ]
  %ahead = phi i1 [ true, %0 ], [ %more, %latch ]
  %v.late = phi float [ 0.0, %0 ], [ %v.later, %latch ]
  %v.later = phi float [ 0.0, %0 ], [ %v.now, %latch ]
  %late = phi i1 [ false, %0 ], [ %later, %latch ]
  %later = phi i1 [ false, %0 ], [ true, %latch ]
  %where.late = phi i32 [ -128, %0 ], [ %where.later, %latch ]
  %where.later = phi i32 [ -64, %0 ], [ %where, %latch ]
  %where = shl nuw nsw i32 %i, 6
  br i1 %ahead, label %reads, label %meet
reads:
  %next = add nuw nsw i32 %where, 128
  %next.wide = zext i32 %next to i64
  %at = getelementptr float, ptr %from, i64 %next.wide
  %v = load float, ptr %at
  br label %meet
meet:
  %v.now = phi float [ %v, %reads ], [ 0.0, %head ]
  br i1 %late, label %writes, label %latch
writes:
  %late.wide = sext i32 %where.late to i64
  %there = getelementptr float, ptr %to, i64 %late.wide
  store float %v.late, ptr %there
  br label %latch
latch:
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 6
  %done = icmp eq i32 %i.next, 8
  br i1 %done, label %exit, label %head
exit:
  ret void
}

; What follows from itself, other than by a constant, is not followed.
; CHECK-LABEL: kernel @toggled
; CHECK: not modelled: write by llvm.store of arg0: a value that a loop carries
define ptx_kernel void @toggled(ptr noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  br label %head
head:
  %i = phi i32 [ 0, %0 ], [ %i.next, %head ]
  %where = phi i32 [ %x, %0 ], [ %other, %head ]
  %other = xor i32 %where, 1
  %wide = zext i32 %where to i64
  %there = getelementptr float, ptr %out, i64 %wide
  store float 1.0, ptr %there
  %i.next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %i.next, 8
  br i1 %done, label %exit, label %head
exit:
  ret void
}

; CHECK-LABEL: kernel @lanes
; CHECK: read arg0[256*x + 4*tx] 4 bytes
; CHECK: read arg0[256*x + 4*((tx) // 8) + 64] 4 bytes
; CHECK: read arg0[256*x + 4*((tx) // 8) + 96] 4 bytes
; CHECK-NOT: not modelled
define ptx_kernel void @lanes(ptr noalias %in, ptr noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = lshr i32 %t, 3
  %first = insertelement <4 x i32> poison, i32 %t, i64 0
  %both = insertelement <4 x i32> %first, i32 %row, i64 1
  %spread = shufflevector <4 x i32> %both, <4 x i32> poison, <4 x i32> <i32 0, i32 1, i32 1, i32 1>
  %masked = and <4 x i32> %spread, <i32 63, i32 poison, i32 poison, i32 poison>
  %added = or disjoint <4 x i32> %spread, <i32 poison, i32 8, i32 16, i32 24>
  %joined = shufflevector <4 x i32> %masked, <4 x i32> %added, <4 x i32> <i32 0, i32 5, i32 6, i32 7>
  %offsets = zext nneg <4 x i32> %joined to <4 x i64>
  %tile = shl nuw nsw i32 %x, 6
  %tile.wide = zext nneg i32 %tile to i64
  %tile.first = insertelement <4 x i64> poison, i64 %tile.wide, i64 0
  %tiles = shufflevector <4 x i64> %tile.first, <4 x i64> poison, <4 x i32> zeroinitializer
  %elements = or disjoint <4 x i64> %tiles, %offsets
  %inside = icmp ult <4 x i64> %elements, splat (i64 4096)
  %halves = bitcast <4 x i64> %elements to <8 x i32>
  %e0 = extractelement <8 x i32> %halves, i64 0
  %e2 = extractelement <8 x i32> %halves, i64 4
  %e3 = extractelement <4 x i64> %elements, i64 3
  %in0 = extractelement <4 x i1> %inside, i64 0
  br i1 %in0, label %reads, label %exit
reads:
  %p0 = getelementptr float, ptr %in, i32 %e0
  %v0 = load float, ptr %p0
  %p2 = getelementptr float, ptr %in, i32 %e2
  %v2 = load float, ptr %p2
  %p3 = getelementptr float, ptr %in, i64 %e3
  %v3 = load float, ptr %p3
  %v02 = fadd float %v0, %v2
  %v023 = fadd float %v02, %v3
  br label %exit
exit:
  %v = phi float [ %v023, %reads ], [ 0.0, %0 ]
  %wide = zext i32 %t to i64
  %at = add i64 %tile.wide, %wide
  %there = getelementptr float, ptr %out, i64 %at
  store float %v, ptr %there
  ret void
}

attributes #0 = { "nvvm.reqntid"="64" }

; A pointer that leads into another buffer from the second turn on.
; CHECK-LABEL: kernel @swapped
; CHECK: read workgroup
; CHECK-NOT: read workgroup first
; CHECK: write arg0
@first = internal addrspace(3) global [64 x i32] poison
@others = internal addrspace(3) global [4096 x i32] poison
define ptx_kernel void @swapped(ptr noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %i = phi i32 [ 0, %0 ], [ %i.next, %head ]
  %at = phi ptr addrspace(3) [ @first, %0 ], [ %next, %head ]
  %row = shl nuw nsw i32 %i, 6
  %next = getelementptr i32, ptr addrspace(3) @others, i32 %row
  %here = getelementptr i32, ptr addrspace(3) %at, i32 %t
  %v = load i32, ptr addrspace(3) %here
  %tile = shl nuw nsw i32 %x, 9
  %place = add nuw nsw i32 %tile, %t
  %place.row = add nuw nsw i32 %place, %row
  %wide = zext i32 %place.row to i64
  %there = getelementptr i32, ptr %out, i64 %wide
  store i32 %v, ptr %there
  %i.next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %i.next, 8
  br i1 %done, label %exit, label %head
exit:
  ret void
}
