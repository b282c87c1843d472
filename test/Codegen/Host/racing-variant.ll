; Workgroups are run one after the other, where an update that lost its atomicity does
; what the atomic one does: such a variant is found by its races.

; RUN: split-file %s %t
; RUN: not swizzle-check %t/atomic.ll %t/plain.ll --grid=16 --block=32 | FileCheck %s
; RUN: not swizzle-check %t/atomic.ll %t/narrow.ll --grid=16 --block=32 | FileCheck %s
; RUN: swizzle-check %t/atomic.ll %t/atomic.ll --grid=16 --block=32 | FileCheck %s --check-prefix=SAME
; RUN: swizzle-check %t/plain.ll %t/plain.ll --grid=16 --block=32 | FileCheck %s --check-prefix=SAME
; CHECK: failed: workgroups of the variant race, as those of the original do not: byte 0 of arg0
; SAME: passed

;--- atomic.ll
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @count(ptr %sum) {
  %old = atomicrmw add ptr %sum, i32 1 monotonic
  ret void
}

;--- plain.ll
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @count(ptr %sum) {
  %old = load i32, ptr %sum
  %new = add i32 %old, 1
  store i32 %new, ptr %sum
  ret void
}

;--- narrow.ll
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @count(ptr %sum) {
  %old = atomicrmw add ptr %sum, i32 1 syncscope("block") monotonic
  ret void
}
