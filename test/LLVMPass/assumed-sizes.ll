; A kernel's block is rarely in its IR. A refusal that rests on one that was assumed
; says so, because the block that is launched may be another; with that, it is gone.

; REQUIRES: no-sanitizers
; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=h100;grid=4096>' -disable-output -pass-remarks-missed=swizzle %s 2>&1 | FileCheck %s
; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=h100;grid=4096;block=64>' -disable-output -pass-remarks-missed=swizzle %s 2>&1 | FileCheck %s --check-prefix=KNOWN

; CHECK: kernel 'k': may not be remapped (cross-workgroup-write): {{.*}}; judged for sizes that nobody gave: block x = {{[0-9]+}} (nominal)
; CHECK: kernel 'k': workgroups (0) and (1) both touch byte {{[0-9]+}} of arg0: the first writes it, the second writes it{{$}}
; KNOWN: kernel 'k': kept as it is (no-reuse)

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @k(ptr addrspace(1) noalias %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %start = mul nuw nsw i32 %b, 64
  %i = add nuw nsw i32 %start, %t
  %at = zext nneg i32 %i to i64
  %element = getelementptr inbounds float, ptr addrspace(1) %out, i64 %at
  store float 1.0, ptr addrspace(1) %element, align 4
  ret void
}
