; Loops that wait, where what is polled and what is written are far apart: in functions
; of their own, behind other lanes, behind workgroup memory, behind a count that stands
; still. And loops that look alike and go on by themselves.

; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=h200;formula-file=%S/../../LLVMPass/Inputs/reversed.swz;grid=64>' -S -o /dev/null -pass-remarks=swizzle -pass-remarks-missed=swizzle < %s 2>&1 | FileCheck %s

; REQUIRES: no-sanitizers
target triple = "nvptx64-nvidia-cuda"
@shared = internal addrspace(3) global [32 x i32] undef
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.redux.sync.umin(i32, i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.masked.store.v2i32.p3(<2 x i32>, ptr addrspace(3), <2 x i1>)
declare void @llvm.memset.p1.i64(ptr addrspace(1), i8, i64, i1)

define internal void @wait(ptr addrspace(1) %flag) noinline {
  br label %loop
loop:
  %v = load i32, ptr addrspace(1) %flag
  call void asm sideeffect "", "~{memory}"()
  %not = icmp eq i32 %v, 0
  br i1 %not, label %loop, label %done
done:
  ret void
}

define internal void @signal(ptr addrspace(1) %flag) noinline {
  store i32 1, ptr addrspace(1) %flag
  ret void
}

define internal i32 @peek(ptr addrspace(1) %flag) noinline {
  %v = load i32, ptr addrspace(1) %flag
  ret i32 %v
}

; CHECK-DAG: kernel 'waits_elsewhere': may not be remapped (waiting-loop):
define ptx_kernel void @waits_elsewhere(ptr addrspace(1) %flags) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %before = getelementptr i32, ptr addrspace(1) %flags, i32 %x
  call void @wait(ptr addrspace(1) %before)
  %own = getelementptr i32, ptr addrspace(1) %before, i32 1
  store i32 1, ptr addrspace(1) %own
  ret void
}

; CHECK-DAG: kernel 'signals_elsewhere': may not be remapped (waiting-loop):
define ptx_kernel void @signals_elsewhere(ptr addrspace(1) %flags) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %before = getelementptr i32, ptr addrspace(1) %flags, i32 %x
  %own = getelementptr i32, ptr addrspace(1) %before, i32 1
  br label %loop
loop:
  %v = load i32, ptr addrspace(1) %before
  call void asm sideeffect "", "~{memory}"()
  %not = icmp eq i32 %v, 0
  br i1 %not, label %loop, label %done
done:
  call void @signal(ptr addrspace(1) %own)
  ret void
}

; CHECK-DAG: kernel 'peeks_elsewhere': may not be remapped (waiting-loop):
define ptx_kernel void @peeks_elsewhere(ptr addrspace(1) %flags) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %before = getelementptr i32, ptr addrspace(1) %flags, i32 %x
  %own = getelementptr i32, ptr addrspace(1) %before, i32 1
  br label %loop
loop:
  %v = call i32 @peek(ptr addrspace(1) %before)
  %not = icmp eq i32 %v, 0
  br i1 %not, label %loop, label %done
done:
  store i32 1, ptr addrspace(1) %own
  ret void
}

; CHECK-DAG: kernel 'signals_by_a_fill': may not be remapped (waiting-loop):
define ptx_kernel void @signals_by_a_fill(ptr addrspace(1) %flags) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %before = getelementptr i32, ptr addrspace(1) %flags, i32 %x
  %own = getelementptr i32, ptr addrspace(1) %before, i32 1
  br label %loop
loop:
  %v = load i32, ptr addrspace(1) %before
  call void asm sideeffect "", "~{memory}"()
  %not = icmp eq i32 %v, 0
  br i1 %not, label %loop, label %done
done:
  call void @llvm.memset.p1.i64(ptr addrspace(1) %own, i8 1, i64 64, i1 false)
  ret void
}

; The load may have been hoisted; what other lanes have of it is asked for again.
; CHECK-DAG: kernel 'asks_all_lanes': may not be remapped (waiting-loop):
define ptx_kernel void @asks_all_lanes(ptr addrspace(1) %flags) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %before = getelementptr i32, ptr addrspace(1) %flags, i32 %x
  %own = getelementptr i32, ptr addrspace(1) %before, i32 1
  %v = load i32, ptr addrspace(1) %before
  br label %loop
loop:
  %least = call i32 @llvm.nvvm.redux.sync.umin(i32 %v, i32 -1)
  %not = icmp eq i32 %least, 0
  br i1 %not, label %loop, label %done
done:
  store i32 1, ptr addrspace(1) %own
  ret void
}

; CHECK-DAG: kernel 'hands_it_on': may not be remapped (waiting-loop):
define ptx_kernel void @hands_it_on(ptr addrspace(1) %flags) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %before = getelementptr i32, ptr addrspace(1) %flags, i32 %x
  %own = getelementptr i32, ptr addrspace(1) %before, i32 1
  %slot = getelementptr i32, ptr addrspace(3) @shared, i32 %t
  br label %loop
loop:
  %v = load i32, ptr addrspace(1) %before
  store i32 %v, ptr addrspace(3) %slot
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %w = load i32, ptr addrspace(3) @shared
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %not = icmp eq i32 %w, 0
  br i1 %not, label %loop, label %done
done:
  store i32 1, ptr addrspace(1) %own
  ret void
}

; One that gives up after some rounds: its load may be hoisted.
; CHECK-DAG: kernel 'waits_for_a_while': may not be remapped (waiting-loop):
define ptx_kernel void @waits_for_a_while(ptr addrspace(1) %flags) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %before = getelementptr i32, ptr addrspace(1) %flags, i32 %x
  %own = getelementptr i32, ptr addrspace(1) %before, i32 1
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %v = call i32 asm sideeffect "ld.global.cg.u32 $0, [$1];", "=r,l,~{memory}"(ptr addrspace(1) %before)
  %set = icmp ne i32 %v, 0
  %next = add nuw i32 %k, 1
  %late = icmp eq i32 %next, -294967296
  %ends = select i1 %set, i1 true, i1 %late
  br i1 %ends, label %done, label %loop
done:
  store i32 1, ptr addrspace(1) %own
  ret void
}

; By an exchange in workgroup memory.
; CHECK-DAG: kernel 'exchanges_it': may not be remapped (waiting-loop):
define ptx_kernel void @exchanges_it(ptr addrspace(1) %flags) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %before = getelementptr i32, ptr addrspace(1) %flags, i32 %x
  %own = getelementptr i32, ptr addrspace(1) %before, i32 1
  br label %loop
loop:
  %v = load i32, ptr addrspace(1) %before
  %old = atomicrmw max ptr addrspace(3) @shared, i32 %v monotonic
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %not = icmp eq i32 %old, 0
  br i1 %not, label %loop, label %done
done:
  store i32 1, ptr addrspace(1) %own
  ret void
}

; By lanes that a mask lets through.
; CHECK-DAG: kernel 'hands_lanes_on': may not be remapped (waiting-loop):
define ptx_kernel void @hands_lanes_on(ptr addrspace(1) %flags, <2 x i1> %mask) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %before = getelementptr i32, ptr addrspace(1) %flags, i32 %x
  %own = getelementptr i32, ptr addrspace(1) %before, i32 1
  br label %loop
loop:
  %v = load <2 x i32>, ptr addrspace(1) %before
  call void @llvm.masked.store.v2i32.p3(<2 x i32> %v, ptr addrspace(3) align 4 @shared, <2 x i1> %mask)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %w = load i32, ptr addrspace(3) @shared
  %not = icmp eq i32 %w, 0
  br i1 %not, label %loop, label %done
done:
  store i32 1, ptr addrspace(1) %own
  ret void
}

; A chain: the next flag is looked at once this one is set.
; CHECK-DAG: kernel 'walks_a_chain': may not be remapped (waiting-loop):
define ptx_kernel void @walks_a_chain(ptr addrspace(1) %flags) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %own = getelementptr i32, ptr addrspace(1) %flags, i32 %x
  br label %loop
loop:
  %j = phi i32 [ %x, %0 ], [ %next, %loop ]
  %at = getelementptr i32, ptr addrspace(1) %flags, i32 %j
  %v = load i32, ptr addrspace(1) %at
  call void asm sideeffect "", "~{memory}"()
  %isSet = icmp ne i32 %v, 0
  %less = sub i32 %j, 1
  %next = select i1 %isSet, i32 %less, i32 %j
  %more = icmp sgt i32 %next, 0
  br i1 %more, label %loop, label %done
done:
  store i32 1, ptr addrspace(1) %own
  ret void
}

; The same by the bit that was loaded: a step of none.
; CHECK-DAG: kernel 'steps_by_a_bit': may not be remapped (waiting-loop):
define ptx_kernel void @steps_by_a_bit(ptr addrspace(1) %flags) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %own = getelementptr i32, ptr addrspace(1) %flags, i32 %x
  br label %loop
loop:
  %j = phi i32 [ %x, %0 ], [ %next, %loop ]
  %at = getelementptr i32, ptr addrspace(1) %flags, i32 %j
  %v = load i32, ptr addrspace(1) %at
  call void asm sideeffect "", "~{memory}"()
  %bit = and i32 %v, 1
  %next = sub i32 %j, %bit
  %more = icmp sgt i32 %next, 0
  br i1 %more, label %loop, label %done
done:
  store i32 1, ptr addrspace(1) %own
  ret void
}

; A search in what the kernel writes, too: each turn halves what is left.
; CHECK-DAG: kernel 'searches': remapped for
define ptx_kernel void @searches(ptr addrspace(1) %keys, i32 %n, i32 %key) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  br label %loop
loop:
  %low = phi i32 [ 0, %0 ], [ %lower, %loop ]
  %high = phi i32 [ %n, %0 ], [ %upper, %loop ]
  %sum = add i32 %low, %high
  %middle = lshr i32 %sum, 1
  %at = getelementptr i32, ptr addrspace(1) %keys, i32 %middle
  %v = load i32, ptr addrspace(1) %at
  %isLess = icmp slt i32 %v, %key
  %above = add i32 %middle, 1
  %lower = select i1 %isLess, i32 %above, i32 %low
  %upper = select i1 %isLess, i32 %high, i32 %middle
  %more = icmp slt i32 %lower, %upper
  br i1 %more, label %loop, label %done
done:
  %far = add i32 %x, 1000000
  %own = getelementptr i32, ptr addrspace(1) %keys, i32 %far
  store i32 %lower, ptr addrspace(1) %own
  ret void
}

; So does a walk that skips what it does not count.
; CHECK-DAG: kernel 'counts_some': remapped for
define ptx_kernel void @counts_some(ptr addrspace(1) %keys, i32 %n) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %after, %loop ]
  %count = phi i32 [ 0, %0 ], [ %counted, %loop ]
  %at = getelementptr i32, ptr addrspace(1) %keys, i32 %i
  %v = load i32, ptr addrspace(1) %at
  %isSome = icmp ne i32 %v, 0
  %one = add i32 %count, 1
  %counted = select i1 %isSome, i32 %one, i32 %count
  %after = add i32 %i, 1
  %more = icmp slt i32 %counted, %n
  br i1 %more, label %loop, label %done
done:
  %far = add i32 %x, 1000000
  %own = getelementptr i32, ptr addrspace(1) %keys, i32 %far
  store i32 %i, ptr addrspace(1) %own
  ret void
}

attributes #0 = { "nvvm.reqntid"="1" }
