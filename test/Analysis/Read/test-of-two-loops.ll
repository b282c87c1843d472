; A loop may be left only by the test of a loop within it, which is then not asked once in
; each turn. Of such loops nothing is known; what does not rest on them is proved.

; RUN: swizzle-llvm %s --options='chip=h100;formula=@reverse;grid=64;block=64;strict' -o %t.ll --report=%t.json
; RUN: FileCheck %s < %t.json
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK:      "name": "nothing"
define ptx_kernel void @nothing(i32 %m, i1 %f) {
entry:
  br label %outer
outer:
  %a = phi i32 [ 0, %entry ], [ 1, %again ]
  %c = icmp slt i32 %a, %m
  br label %inner
inner:
  br i1 %c, label %again, label %done
again:
  br i1 %f, label %outer, label %inner
done:
  ret void
}

; while (j < n) if (in[i] == 3) j++; else { j = 0; k++; } out[i] = k;
; CHECK:      "name": "restarts"
; CHECK:      "outcome": "remapped"
define ptx_kernel void @restarts(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %x, 64
  %i = add i32 %first, %t
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %i
  br label %outer
outer:
  %k = phi i32 [ 0, %entry ], [ %k1, %restart ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j1, %step ]
  %more = icmp slt i32 %j, %n
  br i1 %more, label %look, label %done
look:
  %v = load i32, ptr addrspace(1) %from
  %three = icmp eq i32 %v, 3
  br i1 %three, label %step, label %restart
step:
  %j1 = add i32 %j, 1
  br label %inner
restart:
  %k1 = add i32 %k, 1
  br label %outer
done:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %k, ptr addrspace(1) %to
  ret void
}

; The same, but where it is written is how often it began anew.
; CHECK:      "name": "counts"
; CHECK:      "outcome": "refused"
define ptx_kernel void @counts(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %x, 64
  %i = add i32 %first, %t
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %i
  br label %outer
outer:
  %k = phi i32 [ %i, %entry ], [ %k1, %restart ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j1, %step ]
  %more = icmp slt i32 %j, %n
  br i1 %more, label %look, label %done
look:
  %v = load i32, ptr addrspace(1) %from
  %three = icmp eq i32 %v, 3
  br i1 %three, label %step, label %restart
step:
  %j1 = add i32 %j, 1
  br label %inner
restart:
  %k1 = add i32 %k, 1
  br label %outer
done:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %k
  store i32 %i, ptr addrspace(1) %to
  ret void
}
