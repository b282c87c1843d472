; Guards of which one condition has to fail: "not this workgroup" is below it or above.

; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=h200;formula-file=%S/../../LLVMPass/Inputs/reversed.swz;grid=64;strict>' -S -o /dev/null -pass-remarks=swizzle -pass-remarks-missed=swizzle < %s 2>&1 | FileCheck %s

; REQUIRES: no-sanitizers
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @__nv_expf(float)
declare i32 @__nv_clusterRelativeBlockRank_impl()

; CHECK: kernel 'all_but_one': may not be remapped (cross-workgroup-write):
; CHECK: kernel 'all_but_one': workgroups (
define ptx_kernel void @all_but_one(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %isOne = icmp eq i32 %x, 5
  br i1 %isOne, label %done, label %write
write:
  store i32 %x, ptr addrspace(1) %out
  br label %done
done:
  ret void
}

; In place, within a rim.
; CHECK: kernel 'within_a_rim': may not be remapped (cross-workgroup-write):
define ptx_kernel void @within_a_rim(ptr addrspace(1) noalias %a) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = shl i32 %x, 6
  %i = add i32 %first, %t
  %isFirst = icmp eq i32 %x, 0
  %isLast = icmp eq i32 %x, 63
  %isRim = or i1 %isFirst, %isLast
  br i1 %isRim, label %done, label %write
write:
  %own = getelementptr i32, ptr addrspace(1) %a, i32 %i
  %next = getelementptr i32, ptr addrspace(1) %own, i32 1
  %v = load i32, ptr addrspace(1) %next
  store i32 %v, ptr addrspace(1) %own
  br label %done
done:
  ret void
}

; One workgroup alone is left by two such guards; and another order within each.
; CHECK: kernel 'two_are_left': may not be remapped (cross-workgroup-write):
define ptx_kernel void @two_are_left(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %isSmall = icmp ult i32 %x, 3
  br i1 %isSmall, label %ask, label %done
ask:
  %isOne = icmp eq i32 %x, 1
  br i1 %isOne, label %done, label %write
write:
  store i32 %x, ptr addrspace(1) %out
  br label %done
done:
  ret void
}

; CHECK: kernel 'one_is_left': remapped for h200
define ptx_kernel void @one_is_left(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %isSmall = icmp ult i32 %x, 2
  br i1 %isSmall, label %ask, label %done
ask:
  %isOne = icmp eq i32 %x, 1
  br i1 %isOne, label %done, label %write
write:
  store i32 %x, ptr addrspace(1) %out
  br label %done
done:
  ret void
}

; Functions whose names begin as those of libdevice do.
; CHECK: kernel 'calls_libdevice': remapped for
define ptx_kernel void @calls_libdevice(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v = call float @__nv_expf(float 1.0)
  %to = getelementptr float, ptr addrspace(1) %out, i32 %x
  store float %v, ptr addrspace(1) %to
  ret void
}

; CHECK: kernel 'asks_for_its_rank': may not be remapped (unknown-callee):
define ptx_kernel void @asks_for_its_rank(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v = call i32 @__nv_clusterRelativeBlockRank_impl()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %v, ptr addrspace(1) %to
  ret void
}

attributes #0 = { "nvvm.reqntid"="64" }
