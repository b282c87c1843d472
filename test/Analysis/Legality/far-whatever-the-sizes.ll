; Sizes that nobody gave may be why workgroups far apart meet; not so if they meet under all
; sizes, however these differ, or if no such size has to do with it. Of a grid that is told, its
; extents are as good as constants: another grid takes the identity.

; RUN: swizzle-llvm %s --options='chip=h200;grid=64;block=256;formula=@reverse;simulate=off' --report=%t.json -o /dev/null
; RUN: python3 -c "import json; [print(k['name'], k['outcome'], k['reason_code'], k['reason'], k['counterexample']) for k in json.load(open('%t.json'))['kernels']]" | FileCheck %s

; Of a grid that nobody told, a smaller one would be free of it.
; RUN: swizzle-llvm %s --options='chip=h200;block=256;formula=@reverse;simulate=off' --report=%t.json -o /dev/null
; RUN: python3 -c "import json; [print(k['name'], k['outcome']) for k in json.load(open('%t.json'))['kernels']]" | FileCheck %s --check-prefix=FREE

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; Partial sums of four slots: y[x % 4][c] += ...
; CHECK: slots refused cross-workgroup-write a workgroup writes bytes of arg1 that another one {{(writes|reads)}}, so that their order matters; judged for sizes that nobody gave: arg2 = 4096 (nominal); and for others, however they differ workgroups {{.*}}(4)
; FREE: slots remapped
define ptx_kernel void @slots(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %sums, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = shl i32 %x, 8
  %i = add i32 %row, %tid
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %yes, label %done
yes:
  %from = getelementptr float, ptr addrspace(1) %in, i32 %i
  %v = load float, ptr addrspace(1) %from
  %slot = and i32 %x, 3
  %base = shl i32 %slot, 8
  %at = or i32 %base, %tid
  %to = getelementptr float, ptr addrspace(1) %sums, i32 %at
  %old = load float, ptr addrspace(1) %to
  %sum = fadd float %old, %v
  store float %sum, ptr addrspace(1) %to
  br label %done
done:
  ret void
}

; y[i % n] is its own for n above 16384, which a launch may pass.
; CHECK: around remapped
define ptx_kernel void @around(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = shl i32 %x, 8
  %i = add i32 %row, %tid
  %from = getelementptr float, ptr addrspace(1) %in, i32 %i
  %v = load float, ptr addrspace(1) %from
  %at = urem i32 %i, %n
  %to = getelementptr float, ptr addrspace(1) %out, i32 %at
  store float %v, ptr addrspace(1) %to
  ret void
}

; Rows of a pitch: those of columns beyond it meet the next row's.
; CHECK: pitch remapped
define ptx_kernel void @pitch(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out, i32 %pitch) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = lshr i32 %x, 5
  %z = and i32 %x, 31
  %column = shl i32 %z, 8
  %c = or i32 %column, %tid
  %row = mul nsw i32 %y, %pitch
  %i = add nsw i32 %row, %c
  %from = getelementptr float, ptr addrspace(1) %in, i32 %i
  %v = load float, ptr addrspace(1) %from
  %to = getelementptr float, ptr addrspace(1) %out, i32 %i
  store float %v, ptr addrspace(1) %to
  ret void
}

; The stride is one short, whatever the shift, which is of what is read.
; CHECK: stride_of_grid refused cross-workgroup-write {{.*}} workgroups {{.*}}(0) and (63)
define ptx_kernel void @stride_of_grid(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %counts, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %grid = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from.at = add nsw i32 %x, %n
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %from.at
  %v = load i32, ptr addrspace(1) %from
  %short = add nsw i32 %grid, -1
  %column = mul nsw i32 %tid, %short
  %at = add nsw i32 %column, %x
  %to = getelementptr i32, ptr addrspace(1) %counts, i32 %at
  store i32 %v, ptr addrspace(1) %to
  ret void
}

; Of 8192 numbers for each, all is its own up to 8192 of them.
; CHECK: room_for_many remapped
define ptx_kernel void @room_for_many(ptr addrspace(1) noalias %out, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = shl nsw i32 %x, 13
  br label %loop
loop:
  %k = phi i32 [ %tid, %entry ], [ %next, %body ]
  %more = icmp slt i32 %k, %n
  br i1 %more, label %body, label %done
body:
  %at = add nsw i32 %row, %k
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %at
  store i32 %x, ptr addrspace(1) %to
  %next = add nsw i32 %k, 256
  br label %loop
done:
  ret void
}
