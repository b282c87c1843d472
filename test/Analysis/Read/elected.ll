; One lane of a subgroup that is elected, and what one lane hands to the others.

; RUN: swizzle-opt %s --swizzle-print-model -o /dev/null 2>&1 | FileCheck %s

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare { i32, i1 } @llvm.nvvm.elect.sync(i32)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)

; The second of four subgroups writes, by one of its threads.
; CHECK-LABEL: kernel @one_of_the_second
; CHECK: if -((tx) // 32) + 1 == 0
; CHECK-NEXT: if -tx + 32*((tx) // 32) == 0
; CHECK-NEXT: write arg0[4*x] 4 bytes
; CHECK: assumed: 'elect.sync' elects the first lane of a subgroup
define ptx_kernel void @one_of_the_second(ptr addrspace(1) %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = lshr i32 %t, 5
  %s = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %w, i32 0, i32 31)
  %second = icmp eq i32 %s, 1
  br i1 %second, label %ask, label %end
ask:
  %e = call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1)
  %p = extractvalue { i32, i1 } %e, 1
  br i1 %p, label %write, label %end
write:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 1, ptr addrspace(1) %to
  br label %end
end:
  ret void
}

; Which lane of some is elected is not known, nor what differs between lanes.
; CHECK-LABEL: kernel @one_of_some
; CHECK: assumed: what may or may not be done is done: llvm.store of arg0 (a condition is not affine: which lane of some is elected)
define ptx_kernel void @one_of_some(ptr addrspace(1) %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %e = call { i32, i1 } @llvm.nvvm.elect.sync(i32 240)
  %p = extractvalue { i32, i1 } %e, 1
  br i1 %p, label %write, label %end
write:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 1, ptr addrspace(1) %to
  br label %end
end:
  ret void
}

; CHECK-LABEL: kernel @from_lane_3
; CHECK: not modelled: write by llvm.store of arg0: what another lane has
define ptx_kernel void @from_lane_3(ptr addrspace(1) %out) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %t, i32 3, i32 31)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %s
  store i32 1, ptr addrspace(1) %to
  ret void
}

; Groups of eight lanes, each with a first one.
; CHECK-LABEL: kernel @within_eight
; CHECK: not modelled: write by llvm.store of arg0: what another lane has
define ptx_kernel void @within_eight(ptr addrspace(1) %out) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = lshr i32 %t, 5
  %s = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %w, i32 0, i32 6175)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %s
  store i32 1, ptr addrspace(1) %to
  ret void
}

; What depends on no thread is the same for all. In rows of 16 threads, a subgroup is
; two rows.
; CHECK-LABEL: kernel @same_for_all
; CHECK: write arg0[4*x] 4 bytes
define ptx_kernel void @same_for_all(ptr addrspace(1) %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %s = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %x, i32 7, i32 31)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %s
  store i32 1, ptr addrspace(1) %to
  ret void
}

; CHECK-LABEL: kernel @rows_of_threads
; CHECK: not modelled: write by llvm.store of arg0: what another lane has
define ptx_kernel void @rows_of_threads(ptr addrspace(1) %out) #1 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = lshr i32 %t, 5
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %i = add i32 %w, %y
  %s = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %i, i32 0, i32 31)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %s
  store i32 1, ptr addrspace(1) %to
  ret void
}

attributes #0 = { "nvvm.reqntid"="128" }
attributes #1 = { "nvvm.reqntid"="16,8" }
