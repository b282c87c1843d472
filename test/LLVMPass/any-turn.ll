; What is done in the seventeenth turn of a loop, or under what holds on one way through
; it, is done: that 16 turns are simulated proves nothing.

; RUN: swizzle-llvm %s --options='chip=h200;grid=64;formula=@reverse;strict=on' --report=%t.json -o /dev/null
; RUN: FileCheck %s < %t.json
; CHECK: "name": "late"
; CHECK: "outcome": "refused"
; CHECK: "reason_code": "assumption"
; CHECK: "name": "inner"
; CHECK: "outcome": "refused"
; CHECK: "reason_code": "assumption"
; CHECK: "name": "choose"
; CHECK: "outcome": "refused"
; CHECK: "reason_code": "assumption"
; CHECK: "name": "twice"
; CHECK: "outcome": "refused"
; CHECK: "reason_code": "cross-workgroup-write"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.umax.i32(i32, i32)

; for (k = 0; k < n[x]; ++k) if (k >= 20) out[0] = x;
define ptx_kernel void @late(ptr addrspace(1) noalias %n, ptr addrspace(1) noalias %out) #0 {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %at = getelementptr i32, ptr addrspace(1) %n, i32 %x
  %end = load i32, ptr addrspace(1) %at
  br label %head
head:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %go = icmp slt i32 %k, %end
  br i1 %go, label %loop, label %exit
loop:
  %late = icmp sge i32 %k, 20
  br i1 %late, label %write, label %next
write:
  store i32 %x, ptr addrspace(1) %out
  br label %next
next:
  %k1 = add nsw i32 %k, 1
  br label %head
exit:
  ret void
}

; for (k = 0; k < n[x]; ++k) for (j = 0; j < k - 16; ++j) out[j] = x;
define ptx_kernel void @inner(ptr addrspace(1) noalias %n, ptr addrspace(1) noalias %out) #0 {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %at = getelementptr i32, ptr addrspace(1) %n, i32 %x
  %end = load i32, ptr addrspace(1) %at
  br label %head
head:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %go = icmp slt i32 %k, %end
  br i1 %go, label %rows, label %exit
rows:
  %count = sub nsw i32 %k, 16
  br label %within
within:
  %j = phi i32 [ 0, %rows ], [ %j1, %write ]
  %more = icmp slt i32 %j, %count
  br i1 %more, label %write, label %next
write:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %j
  store i32 %x, ptr addrspace(1) %to
  %j1 = add nsw i32 %j, 1
  br label %within
next:
  %k1 = add nsw i32 %k, 1
  br label %head
exit:
  ret void
}

; for (k = 0; k < n[x]; ++k) sum += (k < 16 ? a : b)[k];   b[x] = sum;
define ptx_kernel void @choose(ptr addrspace(1) noalias %n, ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) #0 {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %at = getelementptr i32, ptr addrspace(1) %n, i32 %x
  %end = load i32, ptr addrspace(1) %at
  br label %head
head:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %sum1, %loop ]
  %go = icmp slt i32 %k, %end
  br i1 %go, label %loop, label %exit
loop:
  %first = icmp slt i32 %k, 16
  %p = select i1 %first, ptr addrspace(1) %a, ptr addrspace(1) %b
  %from = getelementptr i32, ptr addrspace(1) %p, i32 %k
  %v = load i32, ptr addrspace(1) %from
  %sum1 = add i32 %sum, %v
  %k1 = add nsw i32 %k, 1
  br label %head
exit:
  %to = getelementptr i32, ptr addrspace(1) %b, i32 %x
  store i32 %sum, ptr addrspace(1) %to
  ret void
}

; for (k = 0;; ++k)
;   if (x < 10 || more[k] == 7) { v = max(x, 10); if (!flags[v + k]) break; }
; out[v] = 1;
define ptx_kernel void @twice(ptr addrspace(1) noalias %flags, ptr addrspace(1) noalias %more, ptr addrspace(1) noalias %out) #0 {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  br label %head
head:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %few = icmp slt i32 %x, 10
  br i1 %few, label %look, label %ask
ask:
  %more.at = getelementptr i32, ptr addrspace(1) %more, i32 %k
  %m = load i32, ptr addrspace(1) %more.at
  %seven = icmp eq i32 %m, 7
  br i1 %seven, label %look, label %next
look:
  %v = call i32 @llvm.umax.i32(i32 %x, i32 10)
  %place = add nsw i32 %v, %k
  %at = getelementptr i32, ptr addrspace(1) %flags, i32 %place
  %flag = load i32, ptr addrspace(1) %at
  %stop = icmp eq i32 %flag, 0
  br i1 %stop, label %exit, label %next
next:
  %k1 = add nsw i32 %k, 1
  br label %head
exit:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %v
  store i32 1, ptr addrspace(1) %to
  ret void
}

attributes #0 = { "nvvm.reqntid"="1" }
