; Counters that wrap around commute where they have one bound, so a remap of them
; is no matter of order; with two bounds it is.
; RUN: swizzle-llvm %s --options='chip=h100;grid=16;block=32;formula=return gx - 1 - x' -o %t.ll
; RUN: swizzle-check %s %t.ll --grid=16 --block=32 | FileCheck %s --check-prefix=PASSED
; RUN: swizzle-check %s --grid=16 --block=32 --races | FileCheck %s --check-prefix=NONE
; RUN: sed 's/i32 7 monotonic/i32 %%w monotonic/' %s > %t.two.ll
; RUN: not swizzle-check %t.two.ll --grid=16 --block=32 --races | FileCheck %s --check-prefix=TWO
; PASSED: passed
; PASSED-NEXT: all of 16 workgroups run and compared, {{.*}}formula from the variant
; NONE: no race
; TWO: race: byte 0 of arg0: workgroup (0) updates it (llvm.atomicrmw at {{.*}}), and workgroup (1) updates it
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @count(ptr addrspace(1) %counters) {
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %half = lshr i32 %w, 1
  %i = add i32 %half, %thread
  %at = getelementptr i32, ptr addrspace(1) %counters, i32 %i
  %old = atomicrmw uinc_wrap ptr addrspace(1) %at, i32 7 monotonic, align 4
  ret void
}
