; Of `a && b` that decides about an access, b is not known: it comes from memory. What
; stands under it is done only where a holds. Of `a || b`, what stands under neither.

; REQUIRES: no-sanitizers
; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=h200;grid=64x9;block=256;strict;formula-file=%S/Inputs/reversed.swz>' -disable-output -pass-remarks=swizzle -pass-remarks-missed=swizzle %s 2>&1 | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; One workgroup of nine writes each row.
; CHECK: kernel 'both': remapped for h200
define ptx_kernel void @both(ptr addrspace(1) noalias readonly %ids, ptr addrspace(1) noalias %out) "nvvm.reqntid"="256" {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(1) %ids, i32 %x
  %id = load i32, ptr addrspace(1) %p
  %first = icmp eq i32 %y, 0
  %few = icmp ult i32 %t, 128
  %known = icmp ult i32 %id, 32000
  %some = and i1 %few, %known
  %mine = and i1 %some, %first
  br i1 %mine, label %then, label %end
then:
  %row = mul nuw nsw i32 %x, 128
  %at = add nuw nsw i32 %row, %t
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %at
  store i32 %id, ptr addrspace(1) %o
  br label %end
end:
  ret void
}

; The same as clang writes it where what comes later may be poison.
; CHECK: kernel 'one_after_the_other': remapped for h200
define ptx_kernel void @one_after_the_other(ptr addrspace(1) noalias readonly %ids, ptr addrspace(1) noalias %out) "nvvm.reqntid"="256" {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(1) %ids, i32 %x
  %id = load i32, ptr addrspace(1) %p
  %first = icmp eq i32 %y, 0
  %known = icmp ult i32 %id, 32000
  %mine = select i1 %first, i1 %known, i1 false
  br i1 %mine, label %then, label %end
then:
  %row = mul nuw nsw i32 %x, 256
  %at = add nuw nsw i32 %row, %t
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %at
  store i32 %id, ptr addrspace(1) %o
  br label %end
end:
  ret void
}

; CHECK: kernel 'neither': remapped for h200
define ptx_kernel void @neither(ptr addrspace(1) noalias readonly %ids, ptr addrspace(1) noalias %out) "nvvm.reqntid"="256" {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(1) %ids, i32 %x
  %id = load i32, ptr addrspace(1) %p
  %later = icmp ne i32 %y, 0
  %unknown = icmp uge i32 %id, 32000
  %not = select i1 %unknown, i1 true, i1 %later
  br i1 %not, label %end, label %then
then:
  %row = mul nuw nsw i32 %x, 256
  %at = add nuw nsw i32 %row, %t
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %at
  store i32 %id, ptr addrspace(1) %o
  br label %end
end:
  ret void
}

; Where one of the parts decides nothing about who writes, nothing is won.
; CHECK: kernel 'any': may not be remapped (assumption): {{.*}}writes of arg1
define ptx_kernel void @any(ptr addrspace(1) noalias readonly %ids, ptr addrspace(1) noalias %out) "nvvm.reqntid"="256" {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(1) %ids, i32 %x
  %id = load i32, ptr addrspace(1) %p
  %first = icmp eq i32 %y, 0
  %known = icmp ult i32 %id, 32000
  %mine = or i1 %first, %known
  br i1 %mine, label %then, label %end
then:
  %row = mul nuw nsw i32 %x, 256
  %at = add nuw nsw i32 %row, %t
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %at
  store i32 %id, ptr addrspace(1) %o
  br label %end
end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
