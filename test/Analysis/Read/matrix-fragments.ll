; Fragments of matrices as clang writes them for CUDA's wmma.h: an intrinsic for each
; shape, with everything in its name.

; RUN: swizzle-opt %s --swizzle-print-model -o /dev/null 2>&1 | FileCheck %s
; RUN: swizzle-sim %s --kernel=product --chip=h200 --grid=64x64 --block=32 --json | FileCheck %s --check-prefix=SIMULATED

target triple = "nvptx64-nvidia-cuda"

; 16 rows of A and of C, 32 and 64 bytes each, and 16 columns of B.
; CHECK-LABEL: kernel @product
; CHECK: read arg0[8192*y] 32 bytes x 16 at 512 per subgroup
; CHECK-NEXT: read arg1[8192*x] 32 bytes x 16 at 512 per subgroup
; CHECK: compute 8192 tensor flops per subgroup
; CHECK: write arg2[64*x + 65536*y] 64 bytes x 16 at 4096 per subgroup
; CHECK-NOT: not modelled
; SIMULATED: "bound": "tensor"
define ptx_kernel void @product(ptr noalias %a, ptr noalias %b, ptr noalias %c) "nvvm.reqntid"="32" {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %row = mul i32 %y, 8192
  %column = mul i32 %x, 8192
  %from = getelementptr i8, ptr %a, i32 %row
  %with = getelementptr i8, ptr %b, i32 %column
  %left = call { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p0(ptr %from, i32 256)
  %right = call { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.b.col.stride.f16.p0(ptr %with, i32 256)
  %l0 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %left, 0
  %r0 = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %right, 0
  %all = call { float, float, float, float, float, float, float, float } @llvm.nvvm.wmma.m16n16k16.mma.row.col.f32.f32(<2 x half> %l0, <2 x half> %l0, <2 x half> %l0, <2 x half> %l0, <2 x half> %l0, <2 x half> %l0, <2 x half> %l0, <2 x half> %l0, <2 x half> %r0, <2 x half> %r0, <2 x half> %r0, <2 x half> %r0, <2 x half> %r0, <2 x half> %r0, <2 x half> %r0, <2 x half> %r0, float 0.0, float 0.0, float 0.0, float 0.0, float 0.0, float 0.0, float 0.0, float 0.0)
  %p = extractvalue { float, float, float, float, float, float, float, float } %all, 0
  %across = mul i32 %x, 64
  %down = mul i32 %y, 65536
  %at = add i32 %across, %down
  %to = getelementptr i8, ptr %c, i32 %at
  call void @llvm.nvvm.wmma.m16n16k16.store.d.row.stride.f32.p0(ptr %to, float %p, float %p, float %p, float %p, float %p, float %p, float %p, float %p, i32 1024)
  ret void
}

; Without a stride, one row lies behind the other.
; CHECK-LABEL: kernel @dense
; CHECK: read arg0[512*x] 32 bytes x 16 at 32 per subgroup
define ptx_kernel void @dense(ptr noalias %a, ptr noalias %out) "nvvm.reqntid"="32" {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %i = mul i32 %x, 512
  %from = getelementptr i8, ptr %a, i32 %i
  %all = call { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.a.row.f16.p0(ptr %from)
  %one = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %all, 0
  %to = getelementptr <2 x half>, ptr %out, i32 %x
  store <2 x half> %one, ptr %to
  ret void
}

; Half a byte an element.
; CHECK-LABEL: kernel @narrow
; CHECK: not modelled: read by nvvm.wmma.m8n8k32.load.a.row.stride.s4 of arg0: a matrix of another type
define ptx_kernel void @narrow(ptr noalias %a, ptr noalias %out) "nvvm.reqntid"="32" {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %i = mul i32 %x, 512
  %from = getelementptr i8, ptr %a, i32 %i
  %one = call i32 @llvm.nvvm.wmma.m8n8k32.load.a.row.stride.s4.p0(ptr %from, i32 32)
  %to = getelementptr i32, ptr %out, i32 %x
  store i32 %one, ptr %to
  ret void
}

; CHECK-LABEL: kernel @unknown_stride
; CHECK: not modelled: read by nvvm.wmma.m16n16k16.load.a.row.stride.f16 of arg0: a stride that is not constant
define ptx_kernel void @unknown_stride(ptr noalias %a, ptr noalias %out) "nvvm.reqntid"="32" {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %i = mul i32 %x, 512
  %from = getelementptr i8, ptr %a, i32 %i
  %lead = mul i32 %x, 16
  %all = call { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p0(ptr %from, i32 %lead)
  %one = extractvalue { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %all, 0
  %to = getelementptr <2 x half>, ptr %out, i32 %x
  store <2 x half> %one, ptr %to
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
