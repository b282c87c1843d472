; What decides on a write may come from far back: from all of a row, by a loop, from the one of
; two branches that was taken, or from other threads, by memory of the workgroup. Numbers from
; memory decide then as well, but not where ids pick who has them.

; RUN: swizzle-llvm %s --options='chip=h200;grid=64;block=32;formula=@reverse;simulate=off' --report=%t.json -o /dev/null
; RUN: python3 -c "import json; [print(k['name'], k['outcome'], k['reason_code'], k['reason']) for k in json.load(open('%t.json'))['kernels']]" | FileCheck %s

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

@flags = internal addrspace(3) global [32 x i32] undef, align 4

; CHECK: negative_row refused cross-workgroup-write a workgroup writes bytes of arg1 that another one writes, if what memory
define ptx_kernel void @negative_row(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %last, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %row = mul nsw i32 %x, %n
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %sum.next, %loop ]
  %i = add nsw i32 %row, %k
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %i
  %v = load i32, ptr addrspace(1) %from
  %sum.next = add i32 %sum, %v
  %k.next = add nsw i32 %k, 1
  %more = icmp slt i32 %k.next, %n
  br i1 %more, label %loop, label %end
end:
  %negative = icmp slt i32 %sum.next, 0
  br i1 %negative, label %yes, label %done
yes:
  store i32 %x, ptr addrspace(1) %last
  br label %done
done:
  ret void
}

; One of many sums may be it.
; CHECK: row_of_sum remapped
define ptx_kernel void @row_of_sum(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %last, i32 %n, i32 %wanted) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %row = mul nsw i32 %x, %n
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %sum.next, %loop ]
  %i = add nsw i32 %row, %k
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %i
  %v = load i32, ptr addrspace(1) %from
  %sum.next = add i32 %sum, %v
  %k.next = add nsw i32 %k, 1
  %more = icmp slt i32 %k.next, %n
  br i1 %more, label %loop, label %end
end:
  %it = icmp eq i32 %sum.next, %wanted
  br i1 %it, label %yes, label %done
yes:
  store i32 %x, ptr addrspace(1) %last
  br label %done
done:
  ret void
}

; Of rows between bounds from memory.
; CHECK: sparse_row refused cross-workgroup-write a workgroup writes bytes of arg2 that another one writes, if what memory
define ptx_kernel void @sparse_row(ptr addrspace(1) noalias readonly %rows, ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %last) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %begin.at = getelementptr i32, ptr addrspace(1) %rows, i32 %x
  %end.at = getelementptr i32, ptr addrspace(1) %begin.at, i32 1
  %begin = load i32, ptr addrspace(1) %begin.at
  %end = load i32, ptr addrspace(1) %end.at
  br label %loop
loop:
  %k = phi i32 [ %begin, %entry ], [ %k.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %from = getelementptr float, ptr addrspace(1) %in, i32 %k
  %v = load float, ptr addrspace(1) %from
  %sum.next = fadd float %sum, %v
  %k.next = add nsw i32 %k, 1
  %more = icmp slt i32 %k.next, %end
  br i1 %more, label %loop, label %after
after:
  %negative = fcmp olt float %sum.next, 0.0
  br i1 %negative, label %yes, label %done
yes:
  store i32 %x, ptr addrspace(1) %last
  br label %done
done:
  ret void
}

; A count of turns that no data decides on.
; CHECK: turns_of_id remapped
define ptx_kernel void @turns_of_id(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %last) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  br label %loop
loop:
  %left = phi i32 [ %x, %entry ], [ %left.next, %loop ]
  %turns = phi i32 [ 0, %entry ], [ %turns.next, %loop ]
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %turns
  %v = load i32, ptr addrspace(1) %from
  %part = udiv i32 %left, 3
  %left.next = add i32 %part, %v
  %turns.next = add i32 %turns, 1
  %more = icmp ne i32 %left, 0
  br i1 %more, label %loop, label %after
after:
  %many = icmp ugt i32 %left, 5
  br i1 %many, label %yes, label %done
yes:
  store i32 %x, ptr addrspace(1) %last
  br label %done
done:
  ret void
}

; CHECK: either_way refused cross-workgroup-write a workgroup writes bytes of arg1 that another one writes, if what memory
define ptx_kernel void @either_way(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %last, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %inside = icmp slt i32 %x, %n
  br i1 %inside, label %read, label %end
read:
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %x
  %v = load i32, ptr addrspace(1) %from
  br label %end
end:
  %number = phi i32 [ 0, %entry ], [ %v, %read ]
  %negative = icmp slt i32 %number, 0
  br i1 %negative, label %yes, label %done
yes:
  store i32 %x, ptr addrspace(1) %last
  br label %done
done:
  ret void
}

; One workgroup has the number.
; CHECK: one_has_it remapped
define ptx_kernel void @one_has_it(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %last) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %it = icmp eq i32 %x, 3
  br i1 %it, label %read, label %end
read:
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %x
  %v = load i32, ptr addrspace(1) %from
  br label %end
end:
  %number = phi i32 [ 0, %entry ], [ %v, %read ]
  %negative = icmp slt i32 %number, 0
  br i1 %negative, label %yes, label %done
yes:
  store i32 %x, ptr addrspace(1) %last
  br label %done
done:
  ret void
}

; CHECK: by_others refused cross-workgroup-write a workgroup writes bytes of arg1 that another one writes, if what memory
define ptx_kernel void @by_others(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %last) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = shl i32 %x, 5
  %i = or disjoint i32 %row, %tid
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %i
  %v = load i32, ptr addrspace(1) %from
  %mine = getelementptr i32, ptr addrspace(3) @flags, i32 %tid
  store i32 %v, ptr addrspace(3) %mine
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %other = xor i32 %tid, 1
  %theirs = getelementptr i32, ptr addrspace(3) @flags, i32 %other
  %number = load i32, ptr addrspace(3) %theirs
  %negative = icmp slt i32 %number, 0
  br i1 %negative, label %yes, label %done
yes:
  store i32 %x, ptr addrspace(1) %last
  br label %done
done:
  ret void
}

; CHECK: one_leaves_it remapped
define ptx_kernel void @one_leaves_it(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %last) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mine = getelementptr i32, ptr addrspace(3) @flags, i32 %tid
  store i32 0, ptr addrspace(3) %mine
  %it = icmp eq i32 %x, 3
  br i1 %it, label %leave, label %wait
leave:
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %tid
  %v = load i32, ptr addrspace(1) %from
  store i32 %v, ptr addrspace(3) %mine
  br label %wait
wait:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %other = xor i32 %tid, 1
  %theirs = getelementptr i32, ptr addrspace(3) @flags, i32 %other
  %number = load i32, ptr addrspace(3) %theirs
  %negative = icmp slt i32 %number, 0
  br i1 %negative, label %yes, label %done
yes:
  store i32 %x, ptr addrspace(1) %last
  br label %done
done:
  ret void
}
