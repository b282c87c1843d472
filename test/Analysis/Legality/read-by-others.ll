; What a workgroup writes if data says so is compared with what others read: for certain, or by
; the same test. Where each reads its own places alone, or an id decides too, nothing is
; refused.

; RUN: swizzle-llvm %s --options='chip=h200;grid=64;block=32;formula=@reverse;simulate=off' --report=%t.json -o /dev/null
; RUN: python3 -c "import json; [print(k['name'], k['outcome'], k['reason_code'], k['reason'], k['counterexample']) for k in json.load(open('%t.json'))['kernels']]" | FileCheck %s

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; Labels that go from place to place.
; CHECK: labels refused cross-workgroup-write a workgroup writes bytes of arg0 that another one reads, if what memory or an argument holds says so, so that their order matters workgroups (1) and (0) both touch byte 4 of arg0: the first writes it, the second reads it
define ptx_kernel void @labels(ptr addrspace(1) noalias %labels) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %next = add i32 %x, 1
  %own.at = getelementptr i32, ptr addrspace(1) %labels, i32 %x
  %next.at = getelementptr i32, ptr addrspace(1) %labels, i32 %next
  %own = load i32, ptr addrspace(1) %own.at
  %other = load i32, ptr addrspace(1) %next.at
  %less = icmp slt i32 %other, %own
  br i1 %less, label %yes, label %done
yes:
  store i32 %other, ptr addrspace(1) %own.at
  br label %done
done:
  ret void
}

; Into another buffer.
; CHECK: labels_apart remapped
define ptx_kernel void @labels_apart(ptr addrspace(1) noalias readonly %labels, ptr addrspace(1) noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %next = add i32 %x, 1
  %own.at = getelementptr i32, ptr addrspace(1) %labels, i32 %x
  %next.at = getelementptr i32, ptr addrspace(1) %labels, i32 %next
  %own = load i32, ptr addrspace(1) %own.at
  %other = load i32, ptr addrspace(1) %next.at
  %less = icmp slt i32 %other, %own
  br i1 %less, label %yes, label %done
yes:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %other, ptr addrspace(1) %to
  br label %done
done:
  ret void
}

; CHECK: its_own remapped
define ptx_kernel void @its_own(ptr addrspace(1) noalias %data) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %at = getelementptr i32, ptr addrspace(1) %data, i32 %x
  %v = load i32, ptr addrspace(1) %at
  %negative = icmp slt i32 %v, 0
  br i1 %negative, label %yes, label %done
yes:
  store i32 0, ptr addrspace(1) %at
  br label %done
done:
  ret void
}

; Who writes, and who reads, is decided by one test.
; CHECK: both_by_test refused cross-workgroup-write {{.*}} another one reads, if what memory
define ptx_kernel void @both_by_test(ptr addrspace(1) noalias readonly %mask, ptr addrspace(1) noalias %data) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %next = add i32 %x, 1
  %mask.at = getelementptr i32, ptr addrspace(1) %mask, i32 %x
  %m = load i32, ptr addrspace(1) %mask.at
  %taken = icmp slt i32 %m, 0
  br i1 %taken, label %yes, label %done
yes:
  %next.at = getelementptr i32, ptr addrspace(1) %data, i32 %next
  %v = load i32, ptr addrspace(1) %next.at
  %at = getelementptr i32, ptr addrspace(1) %data, i32 %x
  store i32 %v, ptr addrspace(1) %at
  br label %done
done:
  ret void
}

; What is written for certain, and read if data says so.
; CHECK: read_by_data refused cross-workgroup-write {{.*}} another one reads, if what memory
define ptx_kernel void @read_by_data(ptr addrspace(1) noalias readonly %mask, ptr addrspace(1) noalias %data) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %next = add i32 %x, 1
  %mask.at = getelementptr i32, ptr addrspace(1) %mask, i32 %x
  %m = load i32, ptr addrspace(1) %mask.at
  %taken = icmp slt i32 %m, 0
  br i1 %taken, label %yes, label %done
yes:
  %next.at = getelementptr i32, ptr addrspace(1) %data, i32 %next
  %v = load i32, ptr addrspace(1) %next.at
  br label %done
done:
  %sum = phi i32 [ %m, %0 ], [ %v, %yes ]
  %at = getelementptr i32, ptr addrspace(1) %data, i32 %x
  store i32 %sum, ptr addrspace(1) %at
  ret void
}

; Flags that all read and any may set: who sees them depends on the order.
; CHECK: stop_early refused cross-workgroup-write {{.*}} another one reads, if what memory
define ptx_kernel void @stop_early(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %stop) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %x
  %v = load i32, ptr addrspace(1) %from
  %stopped = load i32, ptr addrspace(1) %stop
  %both = or i32 %v, %stopped
  %found = icmp slt i32 %both, 0
  br i1 %found, label %yes, label %done
yes:
  store i32 -1, ptr addrspace(1) %stop
  br label %done
done:
  ret void
}

; Updates that any may do, of what all read.
; CHECK: counted refused cross-workgroup-write {{.*}} another one reads, if what memory {{.*}}: the first updates it, the second reads it
define ptx_kernel void @counted(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %count, ptr addrspace(1) noalias %seen) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %x
  %v = load i32, ptr addrspace(1) %from
  %so.far = load i32, ptr addrspace(1) %count
  %seen.at = getelementptr i32, ptr addrspace(1) %seen, i32 %x
  store i32 %so.far, ptr addrspace(1) %seen.at
  %found = icmp slt i32 %v, 0
  br i1 %found, label %yes, label %done
yes:
  %old = atomicrmw add ptr addrspace(1) %count, i32 1 monotonic
  br label %done
done:
  ret void
}

; Updates that any may do, of what nobody else touches.
; CHECK: counted_alone remapped
define ptx_kernel void @counted_alone(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %count) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %x
  %v = load i32, ptr addrspace(1) %from
  %found = icmp slt i32 %v, 0
  br i1 %found, label %yes, label %done
yes:
  %old = atomicrmw add ptr addrspace(1) %count, i32 1 monotonic
  br label %done
done:
  ret void
}
