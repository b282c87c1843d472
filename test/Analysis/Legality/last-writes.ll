; Where nothing but data decides whether a workgroup writes, two may, and of what differs the
; last one counts. Where an id decides it, too, or all write the same, that none meet is
; assumed as of all that is not modelled.

; RUN: swizzle-llvm %s --options='chip=h200;grid=64;block=32;formula=@reverse;simulate=off' --report=%t.json -o /dev/null
; RUN: python3 -c "import json; [print(k['name'], k['outcome'], k['reason_code'], k['reason']) for k in json.load(open('%t.json'))['kernels']]" | FileCheck %s

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK: any_may refused cross-workgroup-write a workgroup writes bytes of arg1 that another one writes, if what memory holds says so
define ptx_kernel void @any_may(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %last) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %x
  %v = load i32, ptr addrspace(1) %from
  %found = icmp slt i32 %v, 0
  br i1 %found, label %yes, label %done
yes:
  store i32 %x, ptr addrspace(1) %last
  br label %done
done:
  ret void
}

; The least so far, by a load and a store.
; CHECK: least refused cross-workgroup-write
define ptx_kernel void @least(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %least) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %x
  %v = load i32, ptr addrspace(1) %from
  %so.far = load i32, ptr addrspace(1) %least
  %less = icmp slt i32 %v, %so.far
  br i1 %less, label %yes, label %done
yes:
  store i32 %v, ptr addrspace(1) %least
  br label %done
done:
  ret void
}

; CHECK: one_does remapped
define ptx_kernel void @one_does(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %last) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v = load i32, ptr addrspace(1) %in
  %mine = icmp eq i32 %v, %x
  br i1 %mine, label %yes, label %done
yes:
  store i32 %x, ptr addrspace(1) %last
  br label %done
done:
  ret void
}

; Of ranks that differ, one is it.
; CHECK: ranked remapped
define ptx_kernel void @ranked(ptr addrspace(1) noalias readonly %ranks, ptr addrspace(1) noalias %kth, i32 %k) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i32, ptr addrspace(1) %ranks, i32 %x
  %rank = load i32, ptr addrspace(1) %from
  %mine = icmp eq i32 %rank, %k
  br i1 %mine, label %yes, label %done
yes:
  store i32 %x, ptr addrspace(1) %kth
  br label %done
done:
  ret void
}

; CHECK: all_the_same remapped
define ptx_kernel void @all_the_same(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %any, i32 %mark) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %x
  %v = load i32, ptr addrspace(1) %from
  %found = icmp slt i32 %v, 0
  br i1 %found, label %yes, label %done
yes:
  store i32 %mark, ptr addrspace(1) %any
  br label %done
done:
  ret void
}

; CHECK: the_first_alone remapped
define ptx_kernel void @the_first_alone(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %last) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = icmp eq i32 %x, 0
  br i1 %first, label %test, label %done
test:
  %v = load i32, ptr addrspace(1) %in
  %found = icmp slt i32 %v, 0
  br i1 %found, label %yes, label %done
yes:
  store i32 %v, ptr addrspace(1) %last
  br label %done
done:
  ret void
}

; CHECK: apart remapped
define ptx_kernel void @apart(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %x
  %v = load i32, ptr addrspace(1) %from
  %found = icmp slt i32 %v, 0
  br i1 %found, label %yes, label %done
yes:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %v, ptr addrspace(1) %to
  br label %done
done:
  ret void
}
