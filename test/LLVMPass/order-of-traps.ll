; A launch that traps in one order must trap in every other: what decides it is judged as
; all that is read is, though the way to the trap is not followed. And all workgroups
; allocate from one heap.

; RUN: swizzle-llvm %s --options='chip=h200;grid=2048;block=1;strict;formula=@reverse;simulate=off' --report=%t.json -o %t.ll
; RUN: python3 -c "import json; [print(k['name'], k['outcome'], k['reason_code'], k['reason']) for k in json.load(open('%t.json'))['kernels']]" | FileCheck %s

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.trap()
declare ptr @malloc(i64)
declare void @free(ptr)

; CHECK: by_old_value refused atomic-result-used the old value of
define ptx_kernel void @by_old_value(ptr noalias %sum, ptr noalias readonly %in, ptr noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %at = zext i32 %x to i64
  %from = getelementptr i32, ptr %in, i64 %at
  %v = load i32, ptr %from
  %old = atomicrmw add ptr %sum, i32 %v seq_cst
  %below = icmp slt i32 %old, 0
  br i1 %below, label %trap, label %go
trap:
  call void @llvm.trap()
  unreachable
go:
  %to = getelementptr i32, ptr %out, i64 %at
  store i32 1, ptr %to
  ret void
}

; What others update decides, and nothing else reads it.
; CHECK: by_memory refused cross-workgroup-write
define ptx_kernel void @by_memory(ptr noalias %sum, ptr noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %so.far = load i32, ptr %sum
  %many = icmp sgt i32 %so.far, 100
  br i1 %many, label %trap, label %go
trap:
  call void @llvm.trap()
  unreachable
go:
  atomicrmw add ptr %sum, i32 1 seq_cst
  %at = zext i32 %x to i64
  %to = getelementptr i32, ptr %out, i64 %at
  store i32 1, ptr %to
  ret void
}

; So does what decides how often a loop goes on, of which nothing else is left.
; CHECK: by_turns refused
define ptx_kernel void @by_turns(ptr noalias %sum, ptr noalias %out) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add nuw nsw i32 %i, 1
  %at.i = zext i32 %i to i64
  %from = getelementptr i32, ptr %sum, i64 %at.i
  %v = load i32, ptr %from
  %more = icmp ne i32 %v, 0
  br i1 %more, label %loop, label %test
test:
  %many = icmp sgt i32 %i, 5
  br i1 %many, label %trap, label %go
trap:
  call void @llvm.trap()
  unreachable
go:
  %at = zext i32 %x to i64
  %mine = getelementptr i32, ptr %sum, i64 %at
  store i32 1, ptr %mine
  %to = getelementptr i32, ptr %out, i64 %at
  store i32 1, ptr %to
  ret void
}

; Sizes and ids decide the same in every order.
; CHECK: by_size remapped
define ptx_kernel void @by_size(i32 %n, ptr noalias readonly %in, ptr noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %beyond = icmp sge i32 %x, %n
  br i1 %beyond, label %trap, label %go
trap:
  call void @llvm.trap()
  unreachable
go:
  %at = zext i32 %x to i64
  %to = getelementptr i32, ptr %out, i64 %at
  store i32 1, ptr %to
  ret void
}

; Whoever comes last gets nothing.
; CHECK: allocates refused atomic-result-used the address that 'malloc' returns
define ptx_kernel void @allocates(ptr noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %at = zext i32 %x to i64
  %p = call ptr @malloc(i64 1048576)
  %got = icmp ne ptr %p, null
  %v = zext i1 %got to i32
  %to = getelementptr i32, ptr %out, i64 %at
  store i32 %v, ptr %to
  ret void
}

; CHECK: keeps_the_address refused atomic-result-used the address that 'malloc' returns
define ptx_kernel void @keeps_the_address(ptr noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %at = zext i32 %x to i64
  %p = call ptr @malloc(i64 16)
  %to = getelementptr ptr, ptr %out, i64 %at
  store ptr %p, ptr %to
  ret void
}

; What is only reached is the workgroup's own.
; CHECK: works_there remapped
define ptx_kernel void @works_there(ptr noalias %out) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %at = zext i32 %x to i64
  %p = call ptr @malloc(i64 64)
  br label %loop
loop:
  %q = phi ptr [ %p, %entry ], [ %next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  store i32 %i, ptr %q
  %next = getelementptr i32, ptr %q, i64 1
  %i1 = add nuw nsw i32 %i, 1
  %last = icmp eq i32 %i1, 16
  br i1 %last, label %done, label %loop
done:
  %v = load i32, ptr %p
  call void @free(ptr %p)
  %to = getelementptr i32, ptr %out, i64 %at
  store i32 %v, ptr %to
  ret void
}

; Assertions are functions, whose arguments are what the kernel hands them.
; CHECK: by_assertion refused atomic-result-used
define internal void @assert_below(i32 %v) {
  %bad = icmp sgt i32 %v, 20
  br i1 %bad, label %trap, label %go
trap:
  call void @llvm.trap()
  unreachable
go:
  ret void
}
define ptx_kernel void @by_assertion(ptr noalias %sum, ptr noalias readonly %in) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %at = zext i32 %x to i64
  %from = getelementptr i32, ptr %in, i64 %at
  %v = load i32, ptr %from
  %old = atomicrmw add ptr %sum, i32 %v seq_cst
  call void @assert_below(i32 %old)
  ret void
}

; Where a workgroup runs is none of the kernel's business, either.
; CHECK: by_slot refused hardware-slot
declare i32 @llvm.nvvm.read.ptx.sreg.smid()
define ptx_kernel void @by_slot(ptr noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %slot = call i32 @llvm.nvvm.read.ptx.sreg.smid()
  %same = icmp eq i32 %slot, %x
  br i1 %same, label %trap, label %go
trap:
  call void @llvm.trap()
  unreachable
go:
  %at = zext i32 %x to i64
  %to = getelementptr i32, ptr %out, i64 %at
  store i32 1, ptr %to
  ret void
}
