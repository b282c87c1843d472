; What nobody gave decides nothing: not a grid on which the variant has the original's order,
; nor numbers for which workgroups meet that the analysis does not know of, nor those that
; the variant alone would be read with. And memory of the workgroup's own is not compared
; with the model.

; RUN: rm -rf %t && mkdir %t
; RUN: swizzle-llvm %s --options='chip=h200;grid=128;block=32;formula=@reverse;simulate=off' -o %t/copies.ll
; RUN: not swizzle-check %s %t/copies.ll --kernel=copies > %t/out; FileCheck %s --check-prefix=GRID < %t/out
; GRID: unchecked: the variant has another order on grids of 128 alone, and nobody says what is launched: give --grid, and --block
; RUN: swizzle-check %s %t/copies.ll --kernel=copies --grid=128 --block=32 | FileCheck %s --check-prefix=GIVEN
; GIVEN: passed
; RUN: sed 's/"128: return/"128 return/' %t/copies.ll > %t/broken.ll
; RUN: not swizzle-check %s %t/broken.ll --kernel=copies --assumed-grid=7 2>&1 | FileCheck %s --check-prefix=BROKEN
; BROKEN: swizzle-check: swizzle.applied is '128 return {{.*}}', which begins with no grid and formula

; RUN: swizzle-llvm %s --options='chip=h200;grid=4x3x2;block=16;formula=@reverse;simulate=off' -o %t/wraps.ll
; RUN: not swizzle-check %s %t/wraps.ll --kernel=wraps --grid=4x3x2 --block=16 > %t/out; FileCheck %s --check-prefix=NUMBERS < %t/out
; NUMBERS: unchecked: workgroups of the original race, {{.*}}; that is for sizes that nobody gave: give them with --argument=NUMBER=VALUE
; RUN: swizzle-check %s %t/wraps.ll --kernel=wraps --grid=4x3x2 --block=16 --argument=1=16 --argument=2=4 --argument=3=3 --argument=4=16 --argument=5=64 | FileCheck %s --check-prefix=GIVEN

; RUN: swizzle-check %s --model --kernel=local --grid=4 --block=32 | FileCheck %s --check-prefix=GIVEN

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @copies(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = shl i32 %x, 5
  %i = add i32 %first, %t
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %i
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  %v = load i32, ptr addrspace(1) %from
  store i32 %v, ptr addrspace(1) %to
  ret void
}

define ptx_kernel void @wraps(ptr addrspace(1) noalias %out, i32 %n, i32 %nx, i32 %ny, i32 %s0, i32 %s1) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %z = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %zy = mul i32 %z, %ny
  %row = add i32 %zy, %y
  %rx = mul i32 %row, %nx
  %place = add i32 %rx, %x
  %first = mul i32 %place, %n
  %which = sdiv i32 %first, %n
  %column = srem i32 %which, %nx
  %line = sdiv i32 %which, %nx
  %far = mul i32 %line, %s1
  %near = mul i32 %column, %s0
  %sum = add i32 %far, %near
  %i = add i32 %sum, %t
  %in = icmp slt i32 %t, %n
  br i1 %in, label %write, label %end
write:
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %place, ptr addrspace(1) %to
  br label %end
end:
  ret void
}

define ptx_kernel void @local(ptr addrspace(1) noalias %out, ptr addrspace(3) %mine) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) %mine, i32 %t
  store i32 %x, ptr addrspace(3) %own
  %v = load i32, ptr addrspace(3) %own
  %first = shl i32 %x, 5
  %i = add i32 %first, %t
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %v, ptr addrspace(1) %to
  ret void
}
