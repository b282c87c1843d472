; How many workgroups run beside each other is known where somebody says how
; many registers a thread has: 65536 / (112 * 256) is 2.

; RUN: swizzle-sim %s --chip=h200 --grid=64x64 --block=256 | FileCheck %s --check-prefix=ESTIMATED
; RUN: swizzle-sim %s --chip=h200 --grid=64x64 --block=256 --registers=112 | FileCheck %s --check-prefix=TOLD
; Registers are handed out in eights.
; RUN: swizzle-sim %s --chip=h200 --grid=64x64 --block=256 --registers=81 | FileCheck %s --check-prefix=TOLD

; RUN: echo '{"schema": "swizzle-launches/1", "kernels": {"copy": {"grids": ["64x64"], "block": "256", "registers": 112}}}' > %t.json
; RUN: swizzle-llvm %s --options='chip=h200;launches=%t.json;formula=@super-group;simulate=fast' --report=%t.told.json -o /dev/null
; RUN: swizzle-llvm %s --options='chip=h200;grid=64x64;block=256;registers=112;formula=@super-group;simulate=fast' --report=%t.option.json -o /dev/null
; RUN: swizzle-llvm %s --options='chip=h200;grid=64x64;block=256;formula=@super-group;simulate=fast' --report=%t.estimated.json -o /dev/null
; RUN: diff %t.told.json %t.option.json
; RUN: not diff %t.told.json %t.estimated.json

; So does the workgroup memory that a launch adds: of 228 KiB, two get 100.
; RUN: swizzle-sim %s --chip=h200 --grid=64x64 --block=256 --dynamic-workgroup-bytes=102400 | FileCheck %s --check-prefix=TOLD
; RUN: sed 's/"registers": 112/"dynamic_workgroup_bytes": 102400/' %t.json > %t.bytes.json
; RUN: swizzle-llvm %s --options='chip=h200;launches=%t.bytes.json;formula=@super-group;simulate=fast' --report=%t.bytes.told.json -o /dev/null
; RUN: swizzle-llvm %s --options='chip=h200;grid=64x64;block=256;dynamic-workgroup-bytes=102400;formula=@super-group;simulate=fast' --report=%t.bytes.option.json -o /dev/null
; RUN: diff %t.bytes.told.json %t.bytes.option.json
; RUN: not diff %t.bytes.told.json %t.estimated.json
; RUN: not swizzle-llvm %s --options='chip=h200;dynamic-workgroup-bytes=-1' -o /dev/null 2>&1 | FileCheck %s --check-prefix=NO-BYTES

; RUN: not swizzle-llvm %s --options='chip=h200;registers=0' -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE
; RUN: sed 's/112/"many"/' %t.json > %t.bad.json
; RUN: not swizzle-llvm %s --options='chip=h200;launches=%t.bad.json' -o /dev/null 2>&1 | FileCheck %s --check-prefix=BAD

; ESTIMATED: 8 workgroups a compute unit
; TOLD: 2 workgroups a compute unit
; NONE: option 'registers': '0' is no number of registers of a thread, from 1 to 1024
; NO-BYTES: option 'dynamic-workgroup-bytes': '-1' is no number of bytes, from 0 to 1073741824
; BAD: option 'launches': 'registers' of kernel 'copy' must be a whole number

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; A row of b for each y, read by all x.
define ptx_kernel void @copy(ptr noalias readonly %a, ptr noalias readonly %b, ptr noalias %c) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %column = shl i32 %x, 8
  %at = add i32 %column, %t
  %row = shl i32 %y, 14
  %both = add i32 %row, %at
  %shared = shl i32 %y, 8
  %other = add i32 %shared, %t
  %i = zext i32 %both to i64
  %j = zext i32 %other to i64
  %pa = getelementptr float, ptr %a, i64 %i
  %pb = getelementptr float, ptr %b, i64 %j
  %pc = getelementptr float, ptr %c, i64 %i
  %va = load float, ptr %pa
  %vb = load float, ptr %pb
  %sum = fadd float %va, %vb
  store float %sum, ptr %pc
  ret void
}
