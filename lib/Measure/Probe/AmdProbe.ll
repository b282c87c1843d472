; Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
; See LICENSE.TXT for license information.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; The kernels of swizzle-run --probe-dispatch for AMD's GPUs; embed_probe.py compiles
; them. out[2 b] = where workgroup b ran, its die above bit 32 and its compute unit
; below; out[2 b + 1] = when it began, in ticks of 10 ns. It ends 2000 ticks later, so
; that one unit does not serve several in a row while others wait for their first.
;
; An operand of s_getreg is register + 64 * first bit + 2048 * (bits - 1): HW_ID (4),
; bits 8 to 15, are compute unit, shader array and shader engine; XCC_ID (20), bits 0
; to 3, is the die. Sources: AMD, instruction set architecture of CDNA 3, hardware id
; registers; LLVM, AMDGPU back end, hwreg.

target triple = "amdgcn-amd-amdhsa"

declare i32 @llvm.amdgcn.workgroup.id.x()
declare i32 @llvm.amdgcn.s.getreg(i32 immarg)
declare i64 @llvm.amdgcn.s.memrealtime()

define internal void @stay_and_tell(ptr addrspace(1) %out, i64 %start, i32 %group,
                                    i64 %where) alwaysinline {
entry:
  %end = add i64 %start, 2000
  br label %stay

stay:
  %now = call i64 @llvm.amdgcn.s.memrealtime()
  %early = icmp ult i64 %now, %end
  br i1 %early, label %stay, label %tell

tell:
  %wide = zext i32 %group to i64
  %index = shl i64 %wide, 1
  %first = getelementptr i64, ptr addrspace(1) %out, i64 %index
  %second = getelementptr i64, ptr addrspace(1) %first, i64 1
  store i64 %where, ptr addrspace(1) %first
  store i64 %start, ptr addrspace(1) %second
  ret void
}

define amdgpu_kernel void @probe(ptr addrspace(1) %out) {
  %start = call i64 @llvm.amdgcn.s.memrealtime()
  %die = call i32 @llvm.amdgcn.s.getreg(i32 6164)
  %unit = call i32 @llvm.amdgcn.s.getreg(i32 14852)
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %die.wide = zext i32 %die to i64
  %die.above = shl i64 %die.wide, 32
  %unit.wide = zext i32 %unit to i64
  %where = or i64 %die.above, %unit.wide
  call void @stay_and_tell(ptr addrspace(1) %out, i64 %start, i32 %group, i64 %where)
  ret void
}

; Of GPUs without XCC_ID, which are one die.
define amdgpu_kernel void @probe_one_die(ptr addrspace(1) %out) {
  %start = call i64 @llvm.amdgcn.s.memrealtime()
  %unit = call i32 @llvm.amdgcn.s.getreg(i32 14852)
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %where = zext i32 %unit to i64
  call void @stay_and_tell(ptr addrspace(1) %out, i64 %start, i32 %group, i64 %where)
  ret void
}
