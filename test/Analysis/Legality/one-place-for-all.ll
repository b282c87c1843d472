; Where a place comes from memory, nobody knows which it is; but it is one place for all
; workgroups if no id has a part in it. What all write alike may be written there.

; RUN: swizzle-llvm %s --options='chip=h200;grid=64x8;block=32;formula=return gx-1-x, gy-1-y;simulate=off' --report=%t.json -o /dev/null
; RUN: python3 -c "import json; [print(k['name'], k['outcome'], k['reason_code'], k['reason'], k['counterexample']) for k in json.load(open('%t.json'))['kernels']]" | FileCheck %s

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK: offset refused cross-workgroup-write workgroups write bytes of arg1 by llvm.store of arg1 (loaded from memory) where others do, wherever that is, so that their order matters workgroups (0,0) and (1,0) both write to it
define ptx_kernel void @offset(ptr addrspace(1) noalias readonly %offset, ptr addrspace(1) noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = load i32, ptr addrspace(1) %offset
  %at = add i32 %base, %tid
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %at
  %v = add i32 %x, %y
  store i32 %v, ptr addrspace(1) %to
  ret void
}

; Of each x its own; along y, they meet.
; CHECK: pointers refused cross-workgroup-write workgroups write bytes by llvm.store (loaded from memory) where others do{{.*}} workgroups (0,0) and (0,1) both write to it
define ptx_kernel void @pointers(ptr addrspace(1) noalias readonly %pointers) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %from = getelementptr ptr, ptr addrspace(1) %pointers, i32 %x
  %to = load ptr, ptr addrspace(1) %from
  store i32 %y, ptr %to
  ret void
}

; CHECK: each_its_own remapped
define ptx_kernel void @each_its_own(ptr addrspace(1) noalias readonly %pointers) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %row = shl i32 %y, 6
  %i = or i32 %row, %x
  %from = getelementptr ptr, ptr addrspace(1) %pointers, i32 %i
  %to = load ptr, ptr addrspace(1) %from
  store i32 %i, ptr %to
  ret void
}

; CHECK: one_of_them remapped
define ptx_kernel void @one_of_them(ptr addrspace(1) noalias readonly %offset, ptr addrspace(1) noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %i = or i32 %x, %y
  %first = icmp eq i32 %i, 0
  br i1 %first, label %yes, label %done
yes:
  %at = load i32, ptr addrspace(1) %offset
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %at
  store i32 %x, ptr addrspace(1) %to
  br label %done
done:
  ret void
}

; CHECK: all_alike remapped
define ptx_kernel void @all_alike(ptr addrspace(1) noalias readonly %offset, ptr addrspace(1) noalias %out, i32 %mark) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %used = add i32 %x, %y
  %never = icmp eq i32 %used, -1
  br i1 %never, label %done, label %yes
yes:
  %at = load i32, ptr addrspace(1) %offset
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %at
  store i32 %mark, ptr addrspace(1) %to
  br label %done
done:
  ret void
}

; A flag in memory chooses the place.
; CHECK: either_place refused cross-workgroup-write {{.*}} on a way that is taken where the test of memory and arg0 fails
define ptx_kernel void @either_place(ptr addrspace(1) noalias readonly %mode, ptr addrspace(1) noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %row = shl i32 %y, 6
  %i = or i32 %row, %x
  %m = load i32, ptr addrspace(1) %mode
  %each = icmp eq i32 %m, 0
  %at = select i1 %each, i32 %i, i32 0
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %at
  store i32 %i, ptr addrspace(1) %to
  ret void
}
