; Where nothing but data decides whether a workgroup writes, two may, and of what differs the
; last one counts. Where an id decides it, too, or all write the same, that none meet is
; assumed as of all that is not modelled.

; RUN: swizzle-llvm %s --options='chip=h200;grid=64;block=32;formula=@reverse;simulate=off' --report=%t.json -o /dev/null
; RUN: python3 -c "import json; [print(k['name'], k['outcome'], k['reason_code'], k['reason']) for k in json.load(open('%t.json'))['kernels']]" | FileCheck %s

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK: any_may refused cross-workgroup-write a workgroup writes bytes of arg1 that another one writes, if what memory or an argument holds says so
define ptx_kernel void @any_may(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %last) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %x
  %v = load i32, ptr addrspace(1) %from
  %found = icmp slt i32 %v, 0
  br i1 %found, label %yes, label %done
yes:
  store i32 %x, ptr addrspace(1) %last
  br label %done
done:
  ret void
}

; The least so far, by a load and a store.
; CHECK: least refused cross-workgroup-write
define ptx_kernel void @least(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %least) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %x
  %v = load i32, ptr addrspace(1) %from
  %so.far = load i32, ptr addrspace(1) %least
  %less = icmp slt i32 %v, %so.far
  br i1 %less, label %yes, label %done
yes:
  store i32 %v, ptr addrspace(1) %least
  br label %done
done:
  ret void
}

; CHECK: one_does remapped
define ptx_kernel void @one_does(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %last) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v = load i32, ptr addrspace(1) %in
  %mine = icmp eq i32 %v, %x
  br i1 %mine, label %yes, label %done
yes:
  store i32 %x, ptr addrspace(1) %last
  br label %done
done:
  ret void
}

; Of ranks that differ, one is it.
; CHECK: ranked remapped
define ptx_kernel void @ranked(ptr addrspace(1) noalias readonly %ranks, ptr addrspace(1) noalias %kth, i32 %k) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i32, ptr addrspace(1) %ranks, i32 %x
  %rank = load i32, ptr addrspace(1) %from
  %mine = icmp eq i32 %rank, %k
  br i1 %mine, label %yes, label %done
yes:
  store i32 %x, ptr addrspace(1) %kth
  br label %done
done:
  ret void
}

; CHECK: all_the_same remapped
define ptx_kernel void @all_the_same(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %any, i32 %mark) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %x
  %v = load i32, ptr addrspace(1) %from
  %found = icmp slt i32 %v, 0
  br i1 %found, label %yes, label %done
yes:
  store i32 %mark, ptr addrspace(1) %any
  br label %done
done:
  ret void
}

; CHECK: the_first_alone remapped
define ptx_kernel void @the_first_alone(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %last) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = icmp eq i32 %x, 0
  br i1 %first, label %test, label %done
test:
  %v = load i32, ptr addrspace(1) %in
  %found = icmp slt i32 %v, 0
  br i1 %found, label %yes, label %done
yes:
  store i32 %v, ptr addrspace(1) %last
  br label %done
done:
  ret void
}

; CHECK: apart remapped
define ptx_kernel void @apart(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %x
  %v = load i32, ptr addrspace(1) %from
  %found = icmp slt i32 %v, 0
  br i1 %found, label %yes, label %done
yes:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %v, ptr addrspace(1) %to
  br label %done
done:
  ret void
}

; Most numbers are not the one that is asked for, and of one bit there are two.
; CHECK: all_but_one refused cross-workgroup-write
define ptx_kernel void @all_but_one(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %last) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %x
  %v = load i32, ptr addrspace(1) %from
  %none = icmp eq i32 %v, 0
  br i1 %none, label %done, label %yes
yes:
  store i32 %x, ptr addrspace(1) %last
  br label %done
done:
  ret void
}

; CHECK: by_a_bit refused cross-workgroup-write
define ptx_kernel void @by_a_bit(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %last) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %x
  %v = load i32, ptr addrspace(1) %from
  %bit = and i32 %v, 4
  %clear = icmp eq i32 %bit, 0
  br i1 %clear, label %yes, label %done
yes:
  store i32 %x, ptr addrspace(1) %last
  br label %done
done:
  ret void
}

; Ten of the workgroups may, if data says so; or one.
; CHECK: the_first_ten refused cross-workgroup-write
define ptx_kernel void @the_first_ten(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %last) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %x
  %v = load i32, ptr addrspace(1) %from
  %large = icmp sgt i32 %v, 7
  %first = icmp ult i32 %x, 10
  %both = and i1 %large, %first
  br i1 %both, label %yes, label %done
yes:
  store i32 %v, ptr addrspace(1) %last
  br label %done
done:
  ret void
}

; CHECK: the_tenth remapped
define ptx_kernel void @the_tenth(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %last) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %x
  %v = load i32, ptr addrspace(1) %from
  %large = icmp sgt i32 %v, 7
  %tenth = icmp eq i32 %x, 10
  %both = and i1 %large, %tenth
  br i1 %both, label %yes, label %done
yes:
  store i32 %v, ptr addrspace(1) %last
  br label %done
done:
  ret void
}

; Where a number lies between two bounds, one workgroup finds it, perhaps.
; CHECK: between remapped
define ptx_kernel void @between(ptr addrspace(1) noalias readonly %bounds, ptr addrspace(1) noalias %place, i32 %v) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i32, ptr addrspace(1) %bounds, i32 %x
  %to = getelementptr i32, ptr addrspace(1) %from, i32 1
  %low = load i32, ptr addrspace(1) %from
  %high = load i32, ptr addrspace(1) %to
  %above = icmp sle i32 %low, %v
  %below = icmp slt i32 %v, %high
  %both = and i1 %above, %below
  br i1 %both, label %yes, label %done
yes:
  store i32 %x, ptr addrspace(1) %place
  br label %done
done:
  ret void
}

; What a launch passes is the same for all: all do, or none.
; CHECK: by_a_number refused cross-workgroup-write {{.*}} if what memory or an argument holds says so
define ptx_kernel void @by_a_number(ptr addrspace(1) noalias %last, float %alpha) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %none = fcmp oeq float %alpha, 0.0
  br i1 %none, label %yes, label %done
yes:
  store i32 %x, ptr addrspace(1) %last
  br label %done
done:
  ret void
}

; CHECK: by_a_byte refused cross-workgroup-write
define ptx_kernel void @by_a_byte(ptr addrspace(1) noalias %last, i8 %mode) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %is = icmp eq i8 %mode, 3
  br i1 %is, label %yes, label %done
yes:
  store i32 %x, ptr addrspace(1) %last
  br label %done
done:
  ret void
}

; A mask keeps no workgroup away, as `&&` does.
; CHECK: by_a_switch refused cross-workgroup-write
define ptx_kernel void @by_a_switch(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %last) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %x
  %v = load i32, ptr addrspace(1) %from
  %two = and i32 %v, 3
  switch i32 %two, label %done [ i32 1, label %yes ]
yes:
  store i32 %x, ptr addrspace(1) %last
  br label %done
done:
  ret void
}

; CHECK: by_a_rest refused cross-workgroup-write
define ptx_kernel void @by_a_rest(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %last) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %x
  %v = load i32, ptr addrspace(1) %from
  %rest = urem i32 %v, 5
  %is = icmp eq i32 %rest, 1
  br i1 %is, label %yes, label %done
yes:
  store i32 %x, ptr addrspace(1) %last
  br label %done
done:
  ret void
}

; CHECK: by_the_upper_bits refused cross-workgroup-write
define ptx_kernel void @by_the_upper_bits(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %last) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %x
  %v = load i32, ptr addrspace(1) %from
  %top = lshr i32 %v, 28
  %is = icmp eq i32 %top, 3
  br i1 %is, label %yes, label %done
yes:
  store i32 %x, ptr addrspace(1) %last
  br label %done
done:
  ret void
}

; The same for all, both of them: then all write.
; CHECK: by_two_factors refused cross-workgroup-write
define ptx_kernel void @by_two_factors(ptr addrspace(1) noalias %last, float %alpha, float %beta) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %a = fcmp oeq float %alpha, 0.0
  %b = fcmp oeq float %beta, 0.0
  %both = and i1 %a, %b
  br i1 %both, label %yes, label %done
yes:
  store i32 %x, ptr addrspace(1) %last
  br label %done
done:
  ret void
}

; CHECK: by_memset refused cross-workgroup-write
define ptx_kernel void @by_memset(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %last) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %x
  %v = load i32, ptr addrspace(1) %from
  %found = icmp slt i32 %v, 0
  br i1 %found, label %yes, label %done
yes:
  %byte = trunc i32 %x to i8
  call void @llvm.memset.p1.i64(ptr addrspace(1) %last, i8 %byte, i64 16, i1 false)
  br label %done
done:
  ret void
}

; CHECK: zeroed remapped
define ptx_kernel void @zeroed(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %last) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %x
  %v = load i32, ptr addrspace(1) %from
  %found = icmp slt i32 %v, 0
  br i1 %found, label %yes, label %done
yes:
  call void @llvm.memset.p1.i64(ptr addrspace(1) %last, i8 0, i64 16, i1 false)
  br label %done
done:
  ret void
}
declare void @llvm.memset.p1.i64(ptr addrspace(1), i8, i64, i1)

; Two tests of data may exclude each other: a place is a wall, or it is none.
; CHECK: either_way remapped
define ptx_kernel void @either_way(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %x
  %v = load i32, ptr addrspace(1) %from
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  %next = getelementptr i32, ptr addrspace(1) %to, i64 1
  %found = icmp slt i32 %v, 0
  br i1 %found, label %yes, label %no
yes:
  store i32 %x, ptr addrspace(1) %to
  br label %done
no:
  store i32 %v, ptr addrspace(1) %next
  br label %done
done:
  ret void
}

; CHECK: over_what_is_certain refused cross-workgroup-write
define ptx_kernel void @over_what_is_certain(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %x
  %v = load i32, ptr addrspace(1) %from
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  %next = getelementptr i32, ptr addrspace(1) %to, i64 1
  store i32 0, ptr addrspace(1) %to
  %found = icmp slt i32 %v, 0
  br i1 %found, label %yes, label %done
yes:
  store i32 %x, ptr addrspace(1) %next
  br label %done
done:
  ret void
}

; CHECK: both_by_one_test refused cross-workgroup-write
define ptx_kernel void @both_by_one_test(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %x
  %v = load i32, ptr addrspace(1) %from
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  %next = getelementptr i32, ptr addrspace(1) %to, i64 1
  %found = icmp slt i32 %v, 0
  br i1 %found, label %yes, label %done
yes:
  store i32 %x, ptr addrspace(1) %to
  store i32 %v, ptr addrspace(1) %next
  br label %done
done:
  ret void
}

; One clears what any may set.
; CHECK: cleared_and_set refused cross-workgroup-write
define ptx_kernel void @cleared_and_set(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %flag) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = icmp eq i32 %x, 0
  br i1 %first, label %clear, label %next
clear:
  store i32 0, ptr addrspace(1) %flag
  br label %next
next:
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %x
  %v = load i32, ptr addrspace(1) %from
  %found = icmp slt i32 %v, 0
  br i1 %found, label %yes, label %done
yes:
  store i32 1, ptr addrspace(1) %flag
  br label %done
done:
  ret void
}

; Rows of eight, of which memory says how many are used.
; CHECK: used_of_eight remapped
define ptx_kernel void @used_of_eight(ptr addrspace(1) noalias readonly %used, ptr addrspace(1) noalias %rows) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %at = getelementptr i32, ptr addrspace(1) %used, i32 %x
  %n = load i32, ptr addrspace(1) %at
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %start, label %done
start:
  %first = shl i32 %x, 3
  br label %loop
loop:
  %k = phi i32 [ 0, %start ], [ %next, %loop ]
  %place = add i32 %first, %k
  %to = getelementptr i32, ptr addrspace(1) %rows, i32 %place
  store i32 %place, ptr addrspace(1) %to
  %next = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Of the two ways, one is taken for one number alone; the other one any may take.
; CHECK: unless_it_is_one refused cross-workgroup-write
define ptx_kernel void @unless_it_is_one(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %last) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %x
  %v = load i32, ptr addrspace(1) %from
  %is = icmp eq i32 %v, 77
  br i1 %is, label %yes, label %no
yes:
  store i32 5, ptr addrspace(1) %from
  br label %done
no:
  store i32 %x, ptr addrspace(1) %last
  br label %done
done:
  ret void
}

; CHECK: by_vote refused cross-workgroup-write
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
define ptx_kernel void @by_vote(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %last) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %x
  %v = load i32, ptr addrspace(1) %from
  %found = icmp slt i32 %v, 0
  %any = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %found)
  br i1 %any, label %yes, label %done
yes:
  store i32 %x, ptr addrspace(1) %last
  br label %done
done:
  ret void
}

; CHECK: by_shuffle refused cross-workgroup-write
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
define ptx_kernel void @by_shuffle(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %last) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %x
  %v = load i32, ptr addrspace(1) %from
  %first = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %v, i32 0, i32 31)
  %found = icmp slt i32 %first, 0
  br i1 %found, label %yes, label %done
yes:
  store i32 %x, ptr addrspace(1) %last
  br label %done
done:
  ret void
}

; CHECK: by_break refused cross-workgroup-write
define ptx_kernel void @by_break(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %last) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %x
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %next, %on ]
  %row = mul i64 %k, 4096
  %at = getelementptr i32, ptr addrspace(1) %from, i64 %row
  %v = load i32, ptr addrspace(1) %at
  %found = icmp slt i32 %v, 0
  br i1 %found, label %yes, label %on
yes:
  store i32 %x, ptr addrspace(1) %last
  br label %done
on:
  %next = add nuw nsw i64 %k, 1
  %end = icmp eq i64 %next, 10
  br i1 %end, label %done, label %loop
done:
  ret void
}

; What the first one leaves is the second of two values.
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
; CHECK: set_twice_and_once refused cross-workgroup-write
define ptx_kernel void @set_twice_and_once(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %flag) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = icmp eq i32 %x, 0
  br i1 %first, label %set, label %next
set:
  store i32 1, ptr addrspace(1) %flag
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 2, ptr addrspace(1) %flag
  br label %next
next:
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %x
  %v = load i32, ptr addrspace(1) %from
  %found = icmp slt i32 %v, 0
  br i1 %found, label %yes, label %done
yes:
  store i32 1, ptr addrspace(1) %flag
  br label %done
done:
  ret void
}

; The same number, one byte farther: 01 00 00 00 over 01 00 00 00.
; CHECK: same_across refused cross-workgroup-write
define ptx_kernel void @same_across(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %any) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %x
  %v = load i32, ptr addrspace(1) %from
  %found = icmp slt i32 %v, 0
  br i1 %found, label %yes, label %done
yes:
  %to = getelementptr i8, ptr addrspace(1) %any, i32 %x
  store i32 1, ptr addrspace(1) %to, align 1
  br label %done
done:
  ret void
}
