; What clang makes of atomicAdd_block() and atomicAdd_system(): updates of a scope. In
; memory of the workgroup any will do, in global memory one of all workgroups.

; RUN: swizzle-llvm %s --options='chip=h200;grid=2048;block=32;strict;formula=@reverse;simulate=off' --report=%t.json -o %t.ll
; RUN: python3 -c "import json; [print(k['name'], k['outcome'], k['reason_code'], k['reason']) for k in json.load(open('%t.json'))['kernels']]" | FileCheck %s
; RUN: FileCheck %s --check-prefix=IR < %t.ll

; IR: call float @llvm.nvvm.atomic.add.gen.f.cta

target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [32 x float] undef
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.nvvm.atomic.add.gen.f.cta.f32.p0(ptr, float)
declare i32 @llvm.nvvm.atomic.add.gen.i.cta.i32.p0(ptr, i32)
declare i32 @llvm.nvvm.atomic.add.gen.i.sys.i32.p0(ptr, i32)
declare i32 @llvm.nvvm.atomic.max.gen.i.sys.i32.p0(ptr, i32)
declare i32 @llvm.nvvm.atomic.exch.gen.i.sys.i32.p0(ptr, i32)
declare i32 @llvm.nvvm.atomic.cas.gen.i.sys.i32.p0(ptr, i32, i32)

; CHECK: in_workgroup_memory remapped
define ptx_kernel void @in_workgroup_memory(ptr noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %tile = addrspacecast ptr addrspace(3) @tile to ptr
  %at.t = zext i32 %t to i64
  %p = getelementptr float, ptr %tile, i64 %at.t
  %old = call float @llvm.nvvm.atomic.add.gen.f.cta.f32.p0(ptr %p, float 1.0)
  %tile.x = shl i32 %x, 5
  %i = add i32 %tile.x, %t
  %at = zext i32 %i to i64
  %to = getelementptr float, ptr %out, i64 %at
  %v = load float, ptr %p
  store float %v, ptr %to
  ret void
}

; CHECK: of_the_workgroup refused atomic-scope
define ptx_kernel void @of_the_workgroup(ptr noalias %sum, ptr noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %old = call i32 @llvm.nvvm.atomic.add.gen.i.cta.i32.p0(ptr %sum, i32 %x)
  ret void
}

; CHECK: of_the_system remapped
define ptx_kernel void @of_the_system(ptr noalias %sum, ptr noalias %most) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %old = call i32 @llvm.nvvm.atomic.add.gen.i.sys.i32.p0(ptr %sum, i32 %x)
  %other = call i32 @llvm.nvvm.atomic.max.gen.i.sys.i32.p0(ptr %most, i32 %x)
  ret void
}

; CHECK: of_two_kinds refused atomic-not-commutative
define ptx_kernel void @of_two_kinds(ptr noalias %sum) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %old = call i32 @llvm.nvvm.atomic.add.gen.i.sys.i32.p0(ptr %sum, i32 %x)
  %other = call i32 @llvm.nvvm.atomic.max.gen.i.sys.i32.p0(ptr %sum, i32 %x)
  ret void
}

; CHECK: uses_it refused atomic-result-used
define ptx_kernel void @uses_it(ptr noalias %next, ptr noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %old = call i32 @llvm.nvvm.atomic.add.gen.i.sys.i32.p0(ptr %next, i32 1)
  %at = zext i32 %old to i64
  %to = getelementptr i32, ptr %out, i64 %at
  store i32 %x, ptr %to
  ret void
}

; CHECK: exchanges refused atomic-not-commutative
define ptx_kernel void @exchanges(ptr noalias %last) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %old = call i32 @llvm.nvvm.atomic.exch.gen.i.sys.i32.p0(ptr %last, i32 %x)
  ret void
}

; CHECK: compares refused atomic-result-used
define ptx_kernel void @compares(ptr noalias %first) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %old = call i32 @llvm.nvvm.atomic.cas.gen.i.sys.i32.p0(ptr %first, i32 0, i32 %x)
  ret void
}
