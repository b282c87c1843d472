; Copies by the hardware and tensor units as LLVM's intrinsics: those of one workgroup,
; and those that reach others of its cluster.

; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=b200;formula-file=%S/../../LLVMPass/Inputs/reversed.swz;grid=8>' -S -o /dev/null -pass-remarks=swizzle -pass-remarks-missed=swizzle < %s 2>&1 | FileCheck %s
; RUN: swizzle-opt %s --swizzle-print-model -o /dev/null 2>&1 | FileCheck %s --check-prefix=MODEL

; REQUIRES: no-sanitizers
target triple = "nvptx64-nvidia-cuda"
@shared = external addrspace(3) global [0 x i8], align 16
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d(ptr addrspace(7), ptr addrspace(3), ptr, i32, i32, i16, i64, i1, i1, i32)
declare void @llvm.nvvm.cp.async.bulk.tensor.g2s.cta.tile.2d(ptr addrspace(3), ptr addrspace(3), ptr, i32, i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.tensor.g2s.cta.im2col.3d(ptr addrspace(3), ptr addrspace(3), ptr, i32, i32, i32, i16, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d(ptr addrspace(3), ptr, i32, i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.tensor.reduce.add.tile.2d(ptr addrspace(3), ptr, i32, i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.tensor.reduce.inc.tile.2d(ptr addrspace(3), ptr, i32, i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3), ptr addrspace(3), ptr addrspace(1), i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.global.to.shared.cluster(ptr addrspace(7), ptr addrspace(3), ptr addrspace(1), i32, i16, i64, i1, i1)
declare void @llvm.nvvm.cp.async.bulk.shared.cta.to.global(ptr addrspace(1), ptr addrspace(3), i32, i64, i1)
declare void @llvm.nvvm.tcgen05.alloc.shared.cg1(ptr addrspace(3), i32)
declare void @llvm.nvvm.tcgen05.alloc.shared.cg2(ptr addrspace(3), i32)
declare void @llvm.nvvm.tcgen05.commit.mc.shared.cg1(ptr addrspace(3), i16)
declare void @llvm.nvvm.tcgen05.mma.shared(ptr addrspace(6), i64, i64, i32, i1, i32, i32, i32)

; CHECK-DAG: kernel 'loads_by_map': remapped for {{.*}} assumes
; MODEL-LABEL: kernel @loads_by_map
; MODEL: write workgroup shared
; MODEL: not modelled: read by nvvm.cp.async.bulk.tensor.shared.cluster.global: a tensor-map copy
define ptx_kernel void @loads_by_map(ptr %map, ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %mine = addrspacecast ptr addrspace(3) @shared to ptr addrspace(7)
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d(ptr addrspace(7) %mine, ptr addrspace(3) @shared, ptr %map, i32 0, i32 %x, i16 0, i64 0, i1 false, i1 false, i32 0)
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.cta.tile.2d(ptr addrspace(3) @shared, ptr addrspace(3) @shared, ptr %map, i32 0, i32 %x, i64 0, i1 false)
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.cta.im2col.3d(ptr addrspace(3) @shared, ptr addrspace(3) @shared, ptr %map, i32 0, i32 %x, i32 0, i16 1, i64 0, i1 false)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 1, ptr addrspace(1) %to
  ret void
}

; CHECK-DAG: kernel 'loads_for_several': may not be remapped (cluster):
define ptx_kernel void @loads_for_several(ptr %map) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d(ptr addrspace(7) null, ptr addrspace(3) @shared, ptr %map, i32 0, i32 %x, i16 3, i64 0, i1 true, i1 false, i32 0)
  ret void
}

; CHECK-DAG: kernel 'loads_for_a_pair': may not be remapped (cluster):
define ptx_kernel void @loads_for_a_pair(ptr %map) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d(ptr addrspace(7) null, ptr addrspace(3) @shared, ptr %map, i32 0, i32 %x, i16 0, i64 0, i1 false, i1 false, i32 2)
  ret void
}

; CHECK-DAG: kernel 'stores_by_map': remapped for {{.*}} assumes
define ptx_kernel void @stores_by_map(ptr %map) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  call void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d(ptr addrspace(3) @shared, ptr %map, i32 0, i32 %x, i64 0, i1 false)
  ret void
}

; CHECK-DAG: kernel 'adds_by_map': remapped for
define ptx_kernel void @adds_by_map(ptr %map) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  call void @llvm.nvvm.cp.async.bulk.tensor.reduce.add.tile.2d(ptr addrspace(3) @shared, ptr %map, i32 0, i32 %x, i64 0, i1 false)
  ret void
}

; Counters that wrap do not commute.
; CHECK-DAG: kernel 'counts_by_map': may not be remapped (atomic-not-commutative):
define ptx_kernel void @counts_by_map(ptr %map) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  call void @llvm.nvvm.cp.async.bulk.tensor.reduce.inc.tile.2d(ptr addrspace(3) @shared, ptr %map, i32 0, i32 %x, i64 0, i1 false)
  ret void
}

; CHECK-DAG: kernel 'copies_its_part': remapped for
; MODEL-LABEL: kernel @copies_its_part
; MODEL: read arg0[1024*x] 1024 bytes
; MODEL: write arg1[1024*x] 1024 bytes
define ptx_kernel void @copies_its_part(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %i = shl i32 %x, 10
  %from = getelementptr i8, ptr addrspace(1) %in, i32 %i
  %to = getelementptr i8, ptr addrspace(1) %out, i32 %i
  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3) @shared, ptr addrspace(3) @shared, ptr addrspace(1) %from, i32 1024, i64 0, i1 false)
  call void @llvm.nvvm.cp.async.bulk.shared.cta.to.global(ptr addrspace(1) %to, ptr addrspace(3) @shared, i32 1024, i64 0, i1 false)
  ret void
}

; CHECK-DAG: kernel 'copies_for_several': may not be remapped (cluster):
define ptx_kernel void @copies_for_several(ptr addrspace(1) noalias %in) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cluster(ptr addrspace(7) null, ptr addrspace(3) @shared, ptr addrspace(1) %in, i32 1024, i16 3, i64 0, i1 true, i1 false)
  ret void
}

; CHECK-DAG: kernel 'has_tensor_memory': remapped for
define ptx_kernel void @has_tensor_memory(ptr addrspace(1) noalias %out, i64 %a, i64 %b) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  call void @llvm.nvvm.tcgen05.alloc.shared.cg1(ptr addrspace(3) @shared, i32 128)
  call void @llvm.nvvm.tcgen05.mma.shared(ptr addrspace(6) null, i64 %a, i64 %b, i32 136380432, i1 true, i32 0, i32 1, i32 0)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 1, ptr addrspace(1) %to
  ret void
}

; CHECK-DAG: kernel 'has_it_for_two': may not be remapped (cluster):
define ptx_kernel void @has_it_for_two(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  call void @llvm.nvvm.tcgen05.alloc.shared.cg2(ptr addrspace(3) @shared, i32 128)
  ret void
}

; CHECK-DAG: kernel 'multiplies_for_two': may not be remapped (cluster):
define ptx_kernel void @multiplies_for_two(ptr addrspace(1) noalias %out, i64 %a, i64 %b) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  call void @llvm.nvvm.tcgen05.mma.shared(ptr addrspace(6) null, i64 %a, i64 %b, i32 136380432, i1 true, i32 0, i32 2, i32 0)
  ret void
}

; CHECK-DAG: kernel 'signals_to_several': may not be remapped (cluster):
define ptx_kernel void @signals_to_several(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  call void @llvm.nvvm.tcgen05.commit.mc.shared.cg1(ptr addrspace(3) @shared, i16 3)
  ret void
}

attributes #0 = { "nvvm.reqntid"="64" }

; A cluster of one workgroup is none, and what a cluster may have at most groups nothing.
; CHECK-DAG: kernel 'a_cluster_of_one': remapped for
define ptx_kernel void @a_cluster_of_one(ptr addrspace(1) noalias %out) #1 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 1, ptr addrspace(1) %to
  ret void
}

; CHECK-DAG: kernel 'a_cluster_of_two': may not be remapped (cluster):
define ptx_kernel void @a_cluster_of_two(ptr addrspace(1) noalias %out) #2 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 1, ptr addrspace(1) %to
  ret void
}

attributes #1 = { "nvvm.reqntid"="64" "nvvm.cluster_dim"="1,1,1" "nvvm.maxclusterrank"="4" }
attributes #2 = { "nvvm.reqntid"="64" "nvvm.cluster_dim"="2,1,1" }
