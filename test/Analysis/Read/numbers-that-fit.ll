; Numbers that nobody gave are 4096, and smaller where addresses of 32 bits would wrap
; around: as few of them as it takes. Where small ones do not go with the launch, as threads
; that share a row then, all are large again.

; RUN: swizzle-opt %s --swizzle-print-model -o /dev/null | FileCheck %s
; RUN: swizzle-llvm %s --options='chip=h100;formula=@reverse;grid=64x64x64;block=64x4' -o /dev/null --report=%t.json
; RUN: FileCheck %s --check-prefix=JUDGED < %t.json
; JUDGED:      "name": "volume"
; JUDGED:      "outcome": "remapped"
; JUDGED:      "modelled": 2,
; JUDGED:      "name": "unguarded"
; JUDGED:      "outcome": "remapped"
; JUDGED:      "modelled": 0,
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()

; if (x < nx && y < ny && z < nz) out[(z * ny + y) * nx + x] = in[(z * ny + y) * nx + x];
; CHECK-LABEL: kernel @volume
; CHECK: read arg0[256*x + 65536*y + 67108864*z + 4*tx + 16384*ty] 4 bytes
; CHECK-NOT: not modelled
; CHECK: assumed: arg2 = 4096 (nominal)
; CHECK: assumed: arg3 = 4096 (nominal)
; CHECK: assumed: arg4 = 64 (nominal)
define ptx_kernel void @volume(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i32 %nx, i32 %ny, i32 %nz) #0 {
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %z = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %x0 = mul i32 %bx, 64
  %y0 = mul i32 %by, 4
  %x = add i32 %x0, %tx
  %y = add i32 %y0, %ty
  %cx = icmp slt i32 %x, %nx
  %cy = icmp slt i32 %y, %ny
  %cz = icmp slt i32 %z, %nz
  %cxy = and i1 %cx, %cy
  %c = and i1 %cxy, %cz
  br i1 %c, label %do, label %end
do:
  %plane = mul i32 %nx, %ny
  %volume = mul i32 %plane, %nz
  %inside = icmp sgt i32 %volume, 0
  br i1 %inside, label %go, label %end
go:
  %zy = mul i32 %z, %ny
  %row = add i32 %zy, %y
  %rows = mul i32 %row, %nx
  %i = add i32 %rows, %x
  %at = sext i32 %i to i64
  %from = getelementptr float, ptr addrspace(1) %in, i64 %at
  %v = load float, ptr addrspace(1) %from
  %to = getelementptr float, ptr addrspace(1) %out, i64 %at
  store float %v, ptr addrspace(1) %to
  br label %end
end:
  ret void
}

; out[(y * pitch + x) * channels * 16] = 0, whatever the grid is.
; CHECK-LABEL: kernel @unguarded
define ptx_kernel void @unguarded(ptr addrspace(1) noalias %out, i32 %pitch, i32 %channels) #0 {
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %bz = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %x0 = mul i32 %bx, 64
  %y0 = mul i32 %by, 4
  %x = add i32 %x0, %tx
  %y = add i32 %y0, %ty
  %zz = mul i32 %bz, 256
  %yz = add i32 %zz, %y
  %rows = mul i32 %yz, %pitch
  %i = add i32 %rows, %x
  %wide = mul i32 %i, %channels
  %at = sext i32 %wide to i64
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %at
  store i32 0, ptr addrspace(1) %to
  ret void
}

attributes #0 = { "nvvm.reqntid"="64,4" }
