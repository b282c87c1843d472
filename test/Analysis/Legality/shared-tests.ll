; Tests of what a launch passes come out alike for all workgroups: under nominal numbers one
; way, and in a launch perhaps the other. Both are judged, whether a number that turns them is
; found or not; but not where what is tested serves for something else, too, that would not
; fit to the other way.

; RUN: swizzle-llvm %s --options='chip=h200;grid=64;block=32;formula=@reverse;simulate=off' --report=%t.json -o /dev/null
; RUN: python3 -c "import json; [print(k['name'], k['outcome'], k['reason_code'], k['reason']) for k in json.load(open('%t.json'))['kernels']]" | FileCheck %s

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; No number that is tried has this difference.
; CHECK: difference refused cross-workgroup-write {{.*}}on a way that is taken where the test of arg1 and arg2 holds, which nothing that was given decides
define ptx_kernel void @difference(ptr addrspace(1) noalias %out, i32 %n, i32 %m) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = shl i32 %x, 5
  %i = add i32 %base, %t
  %wide = zext i32 %i to i64
  %d = sub i32 %n, %m
  %c = icmp eq i32 %d, 3
  br i1 %c, label %yes, label %done
yes:
  store i32 %i, ptr addrspace(1) %out
  br label %done
done:
  ret void
}

; CHECK: upper_bits refused cross-workgroup-write {{.*}}on a way that is taken where the test of arg1 holds
define ptx_kernel void @upper_bits(ptr addrspace(1) noalias %out, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = shl i32 %x, 5
  %i = add i32 %base, %t
  %wide = zext i32 %i to i64
  %h = lshr i32 %n, 17
  %c = icmp eq i32 %h, 2
  br i1 %c, label %yes, label %done
yes:
  store i32 %i, ptr addrspace(1) %out
  br label %done
done:
  ret void
}

; CHECK: below_wrapped refused cross-workgroup-write
define ptx_kernel void @below_wrapped(ptr addrspace(1) noalias %out, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = shl i32 %x, 5
  %i = add i32 %base, %t
  %wide = zext i32 %i to i64
  %less = add i32 %n, -1
  %c = icmp ult i32 %less, 31
  br i1 %c, label %yes, label %done
yes:
  store i32 %i, ptr addrspace(1) %out
  br label %done
done:
  ret void
}

; Under nominal numbers, one thread does it.
; CHECK: first_or_rest refused cross-workgroup-write {{.*}}on a way that is taken where the test of arg1 holds
define ptx_kernel void @first_or_rest(ptr addrspace(1) noalias %out, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = shl i32 %x, 5
  %i = add i32 %base, %t
  %wide = zext i32 %i to i64
  %first = icmp eq i32 %i, 0
  %rest = and i32 %n, 3
  %any = icmp ne i32 %rest, 0
  %c = or i1 %first, %any
  br i1 %c, label %yes, label %done
yes:
  store i32 %i, ptr addrspace(1) %out
  br label %done
done:
  ret void
}

; CHECK: if_missing refused cross-workgroup-write {{.*}}on a way that is taken where the test of arg1 holds
define ptx_kernel void @if_missing(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias readonly %bias) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = shl i32 %x, 5
  %i = add i32 %base, %t
  %wide = zext i32 %i to i64
  %c = icmp eq ptr addrspace(1) %bias, null
  br i1 %c, label %yes, label %done
yes:
  store i32 %i, ptr addrspace(1) %out
  br label %done
done:
  ret void
}

; CHECK: if_unaligned refused cross-workgroup-write {{.*}}on a way that is taken where the test of arg1 fails
define ptx_kernel void @if_unaligned(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias readonly %in) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = shl i32 %x, 5
  %i = add i32 %base, %t
  %wide = zext i32 %i to i64
  %address = ptrtoint ptr addrspace(1) %in to i64
  %low = and i64 %address, 15
  %c = icmp ne i64 %low, 0
  br i1 %c, label %yes, label %done
yes:
  store i32 %i, ptr addrspace(1) %out
  br label %done
done:
  ret void
}

; CHECK: promised remapped
define ptx_kernel void @promised(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias readonly align 16 %in) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = shl i32 %x, 5
  %i = add i32 %base, %t
  %wide = zext i32 %i to i64
  %address = ptrtoint ptr addrspace(1) %in to i64
  %low = and i64 %address, 15
  %c = icmp ne i64 %low, 0
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  %own = getelementptr i32, ptr addrspace(1) %to, i64 1
  store i32 %i, ptr addrspace(1) %own
  br i1 %c, label %yes, label %done
yes:
  store i32 %i, ptr addrspace(1) %out
  br label %done
done:
  ret void
}

; Nobody knows which way: each is judged.
; CHECK: two_stores refused cross-workgroup-write
define ptx_kernel void @two_stores(ptr addrspace(1) noalias %out, float %alpha) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = shl i32 %x, 5
  %i = add i32 %base, %t
  %wide = zext i32 %i to i64
  %c = fcmp olt float %alpha, 0.0
  br i1 %c, label %yes, label %done
yes:
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  %beyond = getelementptr i32, ptr addrspace(1) %to, i64 32
  store i32 %i, ptr addrspace(1) %to
  store i32 %t, ptr addrspace(1) %beyond
  br label %done
done:
  ret void
}

; CHECK: in_place_halo refused cross-workgroup-write {{.*}} another one reads, if what memory or an argument holds says so
define ptx_kernel void @in_place_halo(ptr addrspace(1) noalias %out, float %alpha) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = shl i32 %x, 5
  %i = add i32 %base, %t
  %wide = zext i32 %i to i64
  %c = fcmp une float %alpha, 0.0
  br i1 %c, label %yes, label %done
yes:
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  %right = getelementptr i32, ptr addrspace(1) %to, i64 1
  %v = load i32, ptr addrspace(1) %right
  store i32 %v, ptr addrspace(1) %to
  br label %done
done:
  ret void
}

; CHECK: in_place remapped
define ptx_kernel void @in_place(ptr addrspace(1) noalias %out, float %alpha) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = shl i32 %x, 5
  %i = add i32 %base, %t
  %wide = zext i32 %i to i64
  %c = fcmp une float %alpha, 0.0
  br i1 %c, label %yes, label %done
yes:
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  %v = load i32, ptr addrspace(1) %to
  %more = add i32 %v, 1
  store i32 %more, ptr addrspace(1) %to
  br label %done
done:
  ret void
}

; CHECK: by_memory refused cross-workgroup-write
define ptx_kernel void @by_memory(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias readonly %flag) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = shl i32 %x, 5
  %i = add i32 %base, %t
  %wide = zext i32 %i to i64
  %said = load i32, ptr addrspace(1) %flag
  %c = icmp ne i32 %said, 0
  br i1 %c, label %yes, label %done
yes:
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  %beyond = getelementptr i32, ptr addrspace(1) %to, i64 32
  store i32 %i, ptr addrspace(1) %to
  store i32 %t, ptr addrspace(1) %beyond
  br label %done
done:
  ret void
}

; The second call of one function has places of its own.
; CHECK: another_call refused cross-workgroup-write
define internal void @put(ptr addrspace(1) %to, i64 %at, i32 %v) noinline {
  %p = getelementptr i32, ptr addrspace(1) %to, i64 %at
  store i32 %v, ptr addrspace(1) %p
  ret void
}
define ptx_kernel void @another_call(ptr addrspace(1) noalias %out, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = shl i32 %x, 5
  %i = add i32 %base, %t
  %wide = zext i32 %i to i64
  call void @put(ptr addrspace(1) %out, i64 %wide, i32 %i)
  %c = icmp ult i32 %n, 100
  br i1 %c, label %yes, label %done
yes:
  call void @put(ptr addrspace(1) %out, i64 100000, i32 %i)
  br label %done
done:
  ret void
}

; A place that a flag chooses, also if one store serves both.
; CHECK: place_by_flag refused cross-workgroup-write
define ptx_kernel void @place_by_flag(ptr addrspace(1) noalias %out, i1 %each) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = shl i32 %x, 5
  %i = add i32 %base, %t
  %wide = zext i32 %i to i64
  %at = select i1 %each, i64 %wide, i64 0
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %at
  store i32 %i, ptr addrspace(1) %to
  ret void
}

; In place, if a flag says so.
; CHECK: source_by_flag refused cross-workgroup-write
define ptx_kernel void @source_by_flag(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i1 %apart) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = shl i32 %x, 5
  %i = add i32 %base, %t
  %wide = zext i32 %i to i64
  %source = select i1 %apart, ptr addrspace(1) %in, ptr addrspace(1) %out
  %from = getelementptr i32, ptr addrspace(1) %source, i64 %wide
  %right = getelementptr i32, ptr addrspace(1) %from, i64 1
  %v = load i32, ptr addrspace(1) %right
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  store i32 %v, ptr addrspace(1) %to
  ret void
}

; CHECK: first_or_flag refused cross-workgroup-write
define ptx_kernel void @first_or_flag(ptr addrspace(1) noalias %out, i1 %one) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = shl i32 %x, 5
  %i = add i32 %base, %t
  %wide = zext i32 %i to i64
  %first = icmp eq i32 %i, 0
  %not = xor i1 %one, true
  %c = or i1 %first, %not
  br i1 %c, label %yes, label %done
yes:
  store i32 %i, ptr addrspace(1) %out
  br label %done
done:
  ret void
}

; Flags together, and beside a pointer and a difference.
; CHECK: two_flags refused cross-workgroup-write
define ptx_kernel void @two_flags(ptr addrspace(1) noalias %out, i1 %one, i1 %two, i1 %three) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = shl i32 %x, 5
  %i = add i32 %base, %t
  %wide = zext i32 %i to i64
  %not = xor i1 %one, true
  %nor = xor i1 %three, true
  %both = and i1 %not, %two
  %c = and i1 %both, %nor
  br i1 %c, label %yes, label %done
yes:
  store i32 %i, ptr addrspace(1) %out
  br label %done
done:
  ret void
}

; CHECK: flag_and_difference refused cross-workgroup-write
define ptx_kernel void @flag_and_difference(ptr addrspace(1) noalias %out, i1 %one, i32 %n, i32 %m) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = shl i32 %x, 5
  %i = add i32 %base, %t
  %wide = zext i32 %i to i64
  %not = xor i1 %one, true
  %d = sub i32 %n, %m
  %is = icmp eq i32 %d, 3
  %c = and i1 %not, %is
  br i1 %c, label %yes, label %done
yes:
  store i32 %i, ptr addrspace(1) %out
  br label %done
done:
  ret void
}

; A test behind another one, which numbers turn.
; CHECK: small_and_missing refused cross-workgroup-write
define ptx_kernel void @small_and_missing(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias readonly %bias, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = shl i32 %x, 5
  %i = add i32 %base, %t
  %wide = zext i32 %i to i64
  %small = icmp ult i32 %n, 100
  br i1 %small, label %ask, label %done
ask:
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  %own = getelementptr i32, ptr addrspace(1) %to, i64 1
  store i32 %t, ptr addrspace(1) %own
  %c = icmp eq ptr addrspace(1) %bias, null
  br i1 %c, label %yes, label %done
yes:
  store i32 %i, ptr addrspace(1) %out
  br label %done
done:
  ret void
}

; A pointer in a structure that is passed.
; CHECK: member_missing refused cross-workgroup-write
%params = type { ptr addrspace(1), ptr addrspace(1), i32 }
define ptx_kernel void @member_missing(ptr byval(%params) align 8 %p) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = shl i32 %x, 5
  %i = add i32 %base, %t
  %wide = zext i32 %i to i64
  %out = load ptr addrspace(1), ptr %p
  %at = getelementptr i8, ptr %p, i64 8
  %bias = load ptr addrspace(1), ptr %at
  %c = icmp eq ptr addrspace(1) %bias, null
  br i1 %c, label %yes, label %done
yes:
  store i32 %i, ptr addrspace(1) %out
  br label %done
done:
  ret void
}

; Calls in calls.
; CHECK: nested_calls refused cross-workgroup-write
define internal void @put_outer(ptr addrspace(1) %to, i64 %at, i32 %v) noinline {
  call void @put(ptr addrspace(1) %to, i64 %at, i32 %v)
  ret void
}
define ptx_kernel void @nested_calls(ptr addrspace(1) noalias %out, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = shl i32 %x, 5
  %i = add i32 %base, %t
  %wide = zext i32 %i to i64
  call void @put_outer(ptr addrspace(1) %out, i64 %wide, i32 %i)
  %c = icmp ult i32 %n, 100
  br i1 %c, label %yes, label %done
yes:
  call void @put_outer(ptr addrspace(1) %out, i64 100000, i32 %i)
  br label %done
done:
  ret void
}

; A stride that nobody launches as zero.
; CHECK: strided remapped
define ptx_kernel void @strided(ptr addrspace(1) noalias %out, i32 %stride) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = shl i32 %x, 5
  %i = add i32 %base, %t
  %wide = zext i32 %i to i64
  %is = icmp eq i32 %stride, 1
  %far = mul nsw i32 %i, %stride
  %one = sext i32 %i to i64
  %other = sext i32 %far to i64
  %at = select i1 %is, i64 %one, i64 %other
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %at
  store i32 %i, ptr addrspace(1) %to
  ret void
}

; One of two ways, as a number has it: not both.
; CHECK: either_mode remapped
define ptx_kernel void @either_mode(ptr addrspace(1) noalias %out, i32 %mode) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = shl i32 %x, 5
  %i = add i32 %base, %t
  %wide = zext i32 %i to i64
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  %beyond = getelementptr i32, ptr addrspace(1) %to, i64 32
  %zero = icmp eq i32 %mode, 0
  br i1 %zero, label %first, label %next
first:
  store i32 %i, ptr addrspace(1) %to
  br label %next
next:
  %one = icmp eq i32 %mode, 1
  br i1 %one, label %second, label %done
second:
  store i32 %i, ptr addrspace(1) %beyond
  br label %done
done:
  ret void
}

; What is tested is a size, too: 2048 / n is zero for nominal n alone.
; CHECK: share_of_each remapped
define ptx_kernel void @share_of_each(ptr addrspace(1) noalias %out, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %share = sdiv i32 131072, %n
  %begin = mul i32 %share, %x
  %at = add i32 %begin, %t
  %wide = zext i32 %at to i64
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  %c = icmp sgt i32 %share, 32
  br i1 %c, label %yes, label %done
yes:
  store i32 %t, ptr addrspace(1) %to
  br label %done
done:
  ret void
}

; A loop as it was unrolled: the rest is done where there is one, as often.
; CHECK: unrolled remapped
define ptx_kernel void @unrolled(ptr addrspace(1) noalias %out, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = shl i32 %x, 5
  %i = add i32 %base, %t
  %wide = zext i32 %i to i64
  %first = mul nsw i32 %i, %n
  %row = sext i32 %first to i64
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %row
  %rest = and i32 %n, 3
  %whole = and i32 %n, -4
  %any = icmp ugt i32 %n, 3
  br i1 %any, label %four, label %ask
four:
  %k = phi i32 [ 0, %0 ], [ %next, %four ]
  %wk = zext i32 %k to i64
  %p = getelementptr i32, ptr addrspace(1) %to, i64 %wk
  store <4 x i32> zeroinitializer, ptr addrspace(1) %p, align 4
  %next = add nuw nsw i32 %k, 4
  %more = icmp ne i32 %next, %whole
  br i1 %more, label %four, label %ask
ask:
  %from = phi i32 [ 0, %0 ], [ %whole, %four ]
  %c = icmp eq i32 %rest, 0
  br i1 %c, label %done, label %one
one:
  %j = phi i32 [ %from, %ask ], [ %onward, %one ]
  %turn = phi i32 [ 0, %ask ], [ %turns, %one ]
  %wj = zext i32 %j to i64
  %q = getelementptr i32, ptr addrspace(1) %to, i64 %wj
  store i32 0, ptr addrspace(1) %q
  %onward = add nuw nsw i32 %j, 1
  %turns = add i32 %turn, 1
  %last = icmp eq i32 %turns, %rest
  br i1 %last, label %done, label %one
done:
  ret void
}
