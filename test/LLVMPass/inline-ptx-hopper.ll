; What Triton and CUTLASS write for Hopper and Blackwell: barriers in workgroup memory,
; copies by the hardware, tensor memory, blocks with registers of their own.

; REQUIRES: no-sanitizers
; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=h200;formula-file=%S/Inputs/reversed.swz;grid=8;block=64>' -S -o %t.ll -pass-remarks=swizzle -pass-remarks-missed=swizzle < %s 2>&1 | FileCheck %s
; RUN: swizzle-opt %s --swizzle-print-model -o /dev/null 2>&1 | FileCheck %s --check-prefix=MODEL

target triple = "nvptx64-nvidia-cuda"

@shared = external addrspace(3) global [0 x i8], align 16
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

; A wait in a loop, in the form of Triton and in that of CUTLASS, leaves nothing behind.
; CHECK-DAG: kernel 'waits_here': remapped for
define ptx_kernel void @waits_here(ptr addrspace(1) noalias %out, i32 %phase) #0 {
  call void asm sideeffect "\0A{\0A.reg .pred complete;\0AwaitLoop:\0Ambarrier.try_wait.parity.shared::cta.b64 complete, [$0], $1;\0A@!complete bra.uni waitLoop;\0A}\0A", "r,r"(ptr addrspace(3) @shared, i32 %phase)
  call void asm sideeffect "{\0A.reg .pred P1;\0ALAB_WAIT:\0Ambarrier.try_wait.parity.shared::cta.b64 P1, [$0], $1;\0A@P1 bra DONE;\0Abra LAB_WAIT;\0ADONE:\0A}", "r,r"(i32 16, i32 %phase)
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 1, ptr addrspace(1) %to
  ret void
}

; One that waits for memory of others does not.
; CHECK-DAG: kernel 'waits_for_others': may not be remapped (inline-asm):
define ptx_kernel void @waits_for_others(ptr addrspace(1) %flag) #0 {
  call void asm sideeffect "{\0A.reg .pred p;\0A.reg .b32 v;\0Aagain:\0Ald.global.b32 v, [$0];\0Asetp.eq.b32 p, v, 0;\0A@p bra again;\0A}", "l"(ptr addrspace(1) %flag)
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr i32, ptr addrspace(1) %flag, i32 %x
  store i32 1, ptr addrspace(1) %to
  ret void
}

; A loop that ends after a number of rounds which it hands out.
; CHECK-DAG: kernel 'counts_rounds': may not be remapped (inline-asm):
define ptx_kernel void @counts_rounds(ptr addrspace(1) %out) #0 {
  %n = call i32 asm sideeffect "{\0A.reg .pred p;\0Amov.b32 $0, 0;\0Aagain:\0Aadd.s32 $0, $0, 1;\0Asetp.lt.s32 p, $0, 9;\0A@p bra again;\0A}", "=r"()
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %i = mul i32 %n, %x
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 1, ptr addrspace(1) %to
  ret void
}

; Barriers of other workgroups, pairs of workgroups, copies to several of them.
; CHECK-DAG: kernel 'arrives_elsewhere': may not be remapped (inline-asm):
define ptx_kernel void @arrives_elsewhere(ptr addrspace(1) noalias %out, i32 %other) #0 {
  call void asm sideeffect "{ .reg .b32 a; mapa.shared::cluster.u32 a, $0, $1; mbarrier.arrive.shared::cluster.b64 _, [a]; }", "r,r"(ptr addrspace(3) @shared, i32 %other)
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 1, ptr addrspace(1) %to
  ret void
}

; A launch may make a cluster of workgroups whose kernel does not mention any; addresses
; then reach a neighbour's memory by their upper bits.
; CHECK-DAG: kernel 'copies_elsewhere': may not be remapped (cluster): a copy or signal of inline PTX may reach the memory of other workgroups of a cluster
define ptx_kernel void @copies_elsewhere(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias readonly %in) #0 {
  %own = ptrtoint ptr addrspace(3) @shared to i32
  %first = and i32 %own, -16777217
  call void asm sideeffect "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], 512, [$2];", "r,l,r"(i32 %first, ptr addrspace(1) %in, i32 64)
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 1, ptr addrspace(1) %to
  ret void
}

; CHECK-DAG: kernel 'commits_elsewhere': may not be remapped (cluster):
define ptx_kernel void @commits_elsewhere(ptr addrspace(1) noalias %out, i32 %place) #0 {
  call void asm sideeffect "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [$0];", "r"(i32 %place)
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 1, ptr addrspace(1) %to
  ret void
}

; CHECK-DAG: kernel 'reads_elsewhere': may not be remapped (cluster): 'llvm.load' may reach the memory of other workgroups of a cluster
define ptx_kernel void @reads_elsewhere(ptr addrspace(1) noalias %out, i32 %place) #0 {
  %from = inttoptr i32 %place to ptr addrspace(7)
  %value = load i32, ptr addrspace(7) %from
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %value, ptr addrspace(1) %to
  ret void
}

; Its own memory, by sums.
; CHECK-DAG: kernel 'copies_here': remapped for
define ptx_kernel void @copies_here(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias readonly %in, i32 %stage) #0 {
  %own = ptrtoint ptr addrspace(3) @shared to i32
  %few = and i32 %stage, 7
  %offset = shl i32 %few, 14
  %further = add i32 %own, %offset
  %barrier = getelementptr i8, ptr addrspace(3) @shared, i32 64
  call void asm sideeffect "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], 512, [$2];", "r,l,r"(i32 %further, ptr addrspace(1) %in, ptr addrspace(3) %barrier)
  %same = addrspacecast ptr addrspace(3) %barrier to ptr addrspace(7)
  %value = load i32, ptr addrspace(7) %same
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %value, ptr addrspace(1) %to
  ret void
}

; The same, aligned by a mask, which may name other bits that are known.
; CHECK-DAG: kernel 'copies_aligned': remapped for
define ptx_kernel void @copies_aligned(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias readonly %in, i32 %stage) #0 {
  %own = ptrtoint ptr addrspace(3) @shared to i32
  %few = and i32 %stage, 3
  %offset = mul i32 %few, 520
  %further = add i32 %own, %offset
  %aligned = and i32 %further, -104
  %barrier = getelementptr i8, ptr addrspace(3) @shared, i32 64
  call void asm sideeffect "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], 512, [$2];", "r,l,r"(i32 %aligned, ptr addrspace(1) %in, ptr addrspace(3) %barrier)
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 1, ptr addrspace(1) %to
  ret void
}

; Of the first workgroup of two.
; CHECK-DAG: kernel 'copies_aligned_far': may not be remapped (cluster):
define ptx_kernel void @copies_aligned_far(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias readonly %in) #0 {
  %own = ptrtoint ptr addrspace(3) @shared to i32
  %aligned = and i32 %own, -33554432
  %barrier = getelementptr i8, ptr addrspace(3) @shared, i32 64
  call void asm sideeffect "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], 512, [$2];", "r,l,r"(i32 %aligned, ptr addrspace(1) %in, ptr addrspace(3) %barrier)
  ret void
}

; A neighbour's, by sums: from 16 MiB behind its own on.
; CHECK-DAG: kernel 'copies_further': may not be remapped (cluster):
define ptx_kernel void @copies_further(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias readonly %in) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %own = ptrtoint ptr addrspace(3) @shared to i32
  %offset = shl i32 %x, 24
  %further = add i32 %own, %offset
  %barrier = getelementptr i8, ptr addrspace(3) @shared, i32 64
  call void asm sideeffect "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], 512, [$2];", "r,l,r"(i32 %further, ptr addrspace(1) %in, ptr addrspace(3) %barrier)
  ret void
}

; A negative number, shifted as if it were none, is a large one.
; CHECK-DAG: kernel 'copies_shifted': may not be remapped (cluster):
define ptx_kernel void @copies_shifted(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias readonly %in) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = ptrtoint ptr addrspace(3) @shared to i32
  %negative = sub i32 %t, 1024
  %offset = lshr i32 %negative, 7
  %further = add i32 %own, %offset
  %barrier = getelementptr i8, ptr addrspace(3) @shared, i32 64
  call void asm sideeffect "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], 512, [$2];", "r,l,r"(i32 %further, ptr addrspace(1) %in, ptr addrspace(3) %barrier)
  ret void
}

; CHECK-DAG: kernel 'copies_warps': remapped for
define ptx_kernel void @copies_warps(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias readonly %in) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = ptrtoint ptr addrspace(3) @shared to i32
  %warp = lshr i32 %t, 5
  %offset = mul i32 %warp, 512
  %further = add i32 %own, %offset
  %barrier = getelementptr i8, ptr addrspace(3) @shared, i32 64
  call void asm sideeffect "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], 512, [$2];", "r,l,r"(i32 %further, ptr addrspace(1) %in, ptr addrspace(3) %barrier)
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 1, ptr addrspace(1) %to
  ret void
}

; CHECK-DAG: kernel 'copies_behind': may not be remapped (cluster):
define ptx_kernel void @copies_behind(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias readonly %in) #0 {
  %barrier = getelementptr i8, ptr addrspace(3) @shared, i32 64
  call void asm sideeffect "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0+16777216], [$1], 512, [$2];", "r,l,r"(ptr addrspace(3) @shared, ptr addrspace(1) %in, ptr addrspace(3) %barrier)
  ret void
}

; CHECK-DAG: kernel 'reads_behind': may not be remapped (cluster): 'llvm.load' may reach
define ptx_kernel void @reads_behind(ptr addrspace(1) noalias %out) #0 {
  %own = addrspacecast ptr addrspace(3) @shared to ptr addrspace(7)
  %far = getelementptr [4 x i32], ptr addrspace(7) %own, i32 -1048576
  %value = load i32, ptr addrspace(7) %far
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %value, ptr addrspace(1) %to
  ret void
}

; CHECK-DAG: kernel 'reads_near': remapped for
define ptx_kernel void @reads_near(ptr addrspace(1) noalias %out) #0 {
  %own = addrspacecast ptr addrspace(3) @shared to ptr addrspace(7)
  %near = getelementptr [4 x i32], ptr addrspace(7) %own, i32 1024
  %value = load i32, ptr addrspace(7) %near
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %value, ptr addrspace(1) %to
  ret void
}

; CHECK-DAG: kernel 'meets_the_cluster': may not be remapped (cluster):
define ptx_kernel void @meets_the_cluster(ptr addrspace(1) noalias %out) #0 {
  call void asm sideeffect "barrier.cluster.arrive.aligned;", ""()
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 1, ptr addrspace(1) %to
  ret void
}

; CHECK-DAG: kernel 'waits_for_a_launch': may not be remapped (grid-dependency):
define ptx_kernel void @waits_for_a_launch(ptr addrspace(1) noalias %out) #0 {
  call void asm sideeffect "griddepcontrol.wait;", "~{memory}"()
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 1, ptr addrspace(1) %to
  ret void
}

; CHECK-DAG: kernel 'pairs_up': may not be remapped (inline-asm):
define ptx_kernel void @pairs_up(ptr addrspace(1) noalias %out) #0 {
  call void asm sideeffect "tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [$0], 128;", "r"(ptr addrspace(3) @shared)
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 1, ptr addrspace(1) %to
  ret void
}

; CHECK-DAG: kernel 'sends_to_several': may not be remapped (inline-asm):
define ptx_kernel void @sends_to_several(ptr %map, ptr addrspace(1) noalias %out) #0 {
  call void asm sideeffect "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [$0], [$1, {$2}], [$3], $4;", "r,l,r,r,h"(ptr addrspace(3) @shared, ptr %map, i32 0, i32 64, i16 3)
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 1, ptr addrspace(1) %to
  ret void
}

; Workgroup ids are rewritten where they are read by an instruction, not here.
; CHECK-DAG: kernel 'reads_its_id': may not be remapped (inline-asm):
define ptx_kernel void @reads_its_id(ptr addrspace(1) noalias %out) #0 {
  %y = call i32 asm sideeffect "mov.u32 $0, %ctaid.x;", "=r"()
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %y, ptr addrspace(1) %to
  ret void
}

; CHECK-DAG: kernel 'reads_its_slot': may not be remapped (hardware-slot):
define ptx_kernel void @reads_its_slot(ptr addrspace(1) noalias %out) #0 {
  %s = call i32 asm "mov.u32 $0, %smid;", "=r"()
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %s, ptr addrspace(1) %to
  ret void
}

; Numbers of threads, and what is computed from them, are followed.
; CHECK-DAG: kernel 'reads_rows': remapped for
; MODEL: read arg0[256*x + 4*tx] 4 bytes
; MODEL: write arg1[256*x + 4*tx] 4 bytes
define ptx_kernel void @reads_rows(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %offset = call i64 asm "{ .reg .b32 t, i; .reg .b64 w; mov.u32 t, %tid.x; mad.lo.s32 i, $1, 64, t; mul.wide.s32 w, i, 2; shl.b64 $0, w, 1; }", "=l,r"(i32 %x)
  %from = getelementptr i8, ptr addrspace(1) %in, i64 %offset
  %to = getelementptr i8, ptr addrspace(1) %out, i64 %offset
  call void asm sideeffect "{ .reg .b32 v; .reg .pred p; .reg .b64 unused; ld.global.b32 v, [$0]; setp.lt.u32 p, $2, 8; @p st.global.b32 [$1], v; }", "l,l,r"(ptr addrspace(1) %from, ptr addrspace(1) %to, i32 %x)
  ret void
}

; The guard is followed, too: all workgroups but one write nothing.
; CHECK-DAG: kernel 'one_writes': remapped for
define ptx_kernel void @one_writes(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  call void asm sideeffect "{ .reg .pred p; setp.eq.s32 p, $1, 3; @p st.global.b32 [$0], $1; }", "l,r"(ptr addrspace(1) %out, i32 %x)
  ret void
}

; CHECK-DAG: kernel 'two_write': may not be remapped (cross-workgroup-write):
define ptx_kernel void @two_write(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  call void asm sideeffect "{ .reg .pred p; setp.ge.s32 p, $1, 6; @p st.global.b32 [$0], $1; }", "l,r"(ptr addrspace(1) %out, i32 %x)
  ret void
}

; What a copy by the hardware writes, and an update of two halves of a word.
; CHECK-DAG: kernel 'copies_its_part': remapped for
define ptx_kernel void @copies_its_part(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %i = shl i32 %x, 10
  %to = getelementptr i8, ptr addrspace(1) %out, i32 %i
  call void asm sideeffect "cp.async.bulk.global.shared::cta.bulk_group [$0], [$1], $2;", "l,r,r"(ptr addrspace(1) %to, ptr addrspace(3) @shared, i32 1024)
  ret void
}

; CHECK-DAG: kernel 'copies_too_much': may not be remapped (cross-workgroup-write):
define ptx_kernel void @copies_too_much(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %i = shl i32 %x, 10
  %to = getelementptr i8, ptr addrspace(1) %out, i32 %i
  call void asm sideeffect "cp.async.bulk.global.shared::cta.bulk_group [$0], [$1], $2;", "l,r,r"(ptr addrspace(1) %to, ptr addrspace(3) @shared, i32 1040)
  ret void
}

; CHECK-DAG: kernel 'adds_halves': remapped for
define ptx_kernel void @adds_halves(ptr addrspace(1) noalias %out, i32 %halves) #0 {
  call void asm sideeffect "red.gpu.global.add.noftz.f16x2 [$0], $1;", "l,r"(ptr addrspace(1) %out, i32 %halves)
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %far = getelementptr i8, ptr addrspace(1) %out, i32 64
  %to = getelementptr i32, ptr addrspace(1) %far, i32 %x
  store i32 1, ptr addrspace(1) %to
  ret void
}

; CHECK-DAG: kernel 'adds_halves_of_two_kinds': may not be remapped (atomic-not-commutative):
define ptx_kernel void @adds_halves_of_two_kinds(ptr addrspace(1) noalias %out, i32 %halves) #0 {
  call void asm sideeffect "red.gpu.global.add.noftz.f16x2 [$0], $1;\0Ared.gpu.global.add.noftz.bf16x2 [$0], $1;", "l,r"(ptr addrspace(1) %out, i32 %halves)
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %far = getelementptr i8, ptr addrspace(1) %out, i32 64
  %to = getelementptr i32, ptr addrspace(1) %far, i32 %x
  store i32 1, ptr addrspace(1) %to
  ret void
}

; A map that each workgroup makes for itself, in a slot of its own, and one that all make
; in the same place.
; CHECK-DAG: kernel 'makes_its_map': remapped for {{.*}} assumes
define ptx_kernel void @makes_its_map(ptr addrspace(1) %maps, ptr addrspace(1) %data) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %i = shl i32 %x, 7
  %map = getelementptr i8, ptr addrspace(1) %maps, i32 %i
  call void asm sideeffect "tensormap.replace.tile.global_address.shared::cta.b1024.b64 [ $0 + 0 ], $1;", "r,l"(ptr addrspace(3) @shared, ptr addrspace(1) %data)
  call void asm sideeffect "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [ $0 + 0 ], [ $1 + 0 ], 0x80;", "l,r"(ptr addrspace(1) %map, ptr addrspace(3) @shared)
  call void asm sideeffect "fence.proxy.tensormap::generic.acquire.gpu [ $0 + 0 ], 0x80;", "l"(ptr addrspace(1) %map)
  %generic = addrspacecast ptr addrspace(1) %map to ptr
  call void asm sideeffect "cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [$0], [$1, {$2, $3}], [$4];", "r,l,r,r,r"(ptr addrspace(3) @shared, ptr %generic, i32 0, i32 %x, i32 1024)
  call void asm sideeffect "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [$0, {$1, $2}], [$3];", "l,r,r,r"(ptr %generic, i32 0, i32 %x, ptr addrspace(3) @shared)
  ret void
}

; CHECK-DAG: kernel 'makes_one_map': may not be remapped (cross-workgroup-write):
define ptx_kernel void @makes_one_map(ptr addrspace(1) %maps, ptr addrspace(1) %data) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  call void asm sideeffect "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [ $0 + 0 ], [ $1 + 0 ], 0x80;", "l,r"(ptr addrspace(1) %maps, ptr addrspace(3) @shared)
  %generic = addrspacecast ptr addrspace(1) %maps to ptr
  call void asm sideeffect "cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [$0], [$1, {$2, $3}], [$4];", "r,l,r,r,r"(ptr addrspace(3) @shared, ptr %generic, i32 0, i32 %x, i32 1024)
  ret void
}

; Another workgroup reads the map that this one writes.
; CHECK-DAG: kernel 'reads_a_neighbours_map': may not be remapped (cross-workgroup-write):
define ptx_kernel void @reads_a_neighbours_map(ptr addrspace(1) %maps) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %i = shl i32 %x, 7
  %map = getelementptr i8, ptr addrspace(1) %maps, i32 %i
  %next = getelementptr i8, ptr addrspace(1) %map, i32 128
  call void asm sideeffect "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [ $0 + 0 ], [ $1 + 0 ], 0x80;", "l,r"(ptr addrspace(1) %map, ptr addrspace(3) @shared)
  %generic = addrspacecast ptr addrspace(1) %next to ptr
  call void asm sideeffect "cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [$0], [$1, {$2, $3}], [$4];", "r,l,r,r,r"(ptr addrspace(3) @shared, ptr %generic, i32 0, i32 %x, i32 1024)
  ret void
}

; A product in tensor memory: 128 x 128 x 16, by a descriptor that says so. What is
; allocated is written to workgroup memory.
; CHECK-DAG: kernel 'multiplies': remapped for
; MODEL: compute 524288 {{.*}}tensor
define ptx_kernel void @multiplies(ptr addrspace(1) noalias %out, i64 %a, i64 %b, i1 %one) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  call void asm sideeffect "@$0 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$1], 128;", "b,r"(i1 true, ptr addrspace(3) @shared)
  %d = load i32, ptr addrspace(3) @shared
  call void asm sideeffect "@$5 tcgen05.mma.cta_group::1.kind::f16 [ $0 + 0 ], $1, $2, $3, $4;", "r,l,l,r,b,b"(i32 %d, i64 %a, i64 %b, i32 136314896, i1 true, i1 true)
  call void asm sideeffect "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [$0];", "r"(i32 ptrtoint (ptr addrspace(3) @shared to i32))
  call void asm sideeffect "tcgen05.fence::after_thread_sync;", ""()
  %v = call i32 asm sideeffect "tcgen05.ld.sync.aligned.32x32b.x1.b32 $0, [$1];", "=r,r"(i32 %d)
  call void asm sideeffect "tcgen05.wait::ld.sync.aligned;", ""()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %v, ptr addrspace(1) %to
  ret void
}

; A number is a place in the memory of the first workgroup of a cluster.
; CHECK-DAG: kernel 'commits_to_the_first': may not be remapped (cluster):
define ptx_kernel void @commits_to_the_first(ptr addrspace(1) noalias %out) #0 {
  call void asm sideeffect "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [$0];", "r"(i32 1024)
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 1, ptr addrspace(1) %to
  ret void
}

; The same place in a neighbour's memory: bits of the address are cut off, or as much is
; added as neighbours are apart, less than the place lies within its own.
; CHECK-DAG: kernel 'copies_cut_off': may not be remapped (cluster):
define ptx_kernel void @copies_cut_off(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias readonly %in) #0 {
  %own = ptrtoint ptr addrspace(3) @shared to i32
  %low = trunc i32 %own to i16
  %first = zext i16 %low to i32
  call void asm sideeffect "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], 512, [$2];", "r,l,r"(i32 %first, ptr addrspace(1) %in, ptr addrspace(3) @shared)
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 1, ptr addrspace(1) %to
  ret void
}

; CHECK-DAG: kernel 'copies_before_the_next': may not be remapped (cluster):
define ptx_kernel void @copies_before_the_next(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias readonly %in) #0 {
  %own = ptrtoint ptr addrspace(3) @shared to i32
  %next = add i32 %own, 16776704
  call void asm sideeffect "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], 512, [$2];", "r,l,r"(i32 %next, ptr addrspace(1) %in, ptr addrspace(3) @shared)
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 1, ptr addrspace(1) %to
  ret void
}

; Buffers of a pipeline, counted in a loop: by a select, by a branch, and up to a limit.
; CHECK-DAG: kernel 'counts_stages': remapped for
define ptx_kernel void @counts_stages(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias readonly %in, i32 %turns) #0 {
entry:
  %own = ptrtoint ptr addrspace(3) @shared to i32
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %more, %same ]
  %stage = phi i32 [ 0, %entry ], [ %chosen, %same ]
  %other = phi i32 [ 0, %entry ], [ %joined, %same ]
  %away = mul i32 %stage, 16384
  %further = mul i32 %other, 512
  %both = add i32 %away, %further
  %to = add i32 %own, %both
  call void asm sideeffect "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], 512, [$2];", "r,l,r"(i32 %to, ptr addrspace(1) %in, ptr addrspace(3) @shared)
  %next = add i32 %stage, 1
  %full = icmp eq i32 %next, 4
  %chosen = select i1 %full, i32 0, i32 %next
  %step = add i32 %other, 1
  %last = icmp eq i32 %step, 3
  br i1 %last, label %again, label %same
again:
  br label %same
same:
  %joined = phi i32 [ %step, %loop ], [ 0, %again ]
  %more = add i32 %i, 1
  %on = icmp slt i32 %more, %turns
  br i1 %on, label %loop, label %end
end:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 1, ptr addrspace(1) %place
  ret void
}

; CHECK-DAG: kernel 'counts_up_to_a_limit': remapped for
define ptx_kernel void @counts_up_to_a_limit(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias readonly %in) #0 {
entry:
  %own = ptrtoint ptr addrspace(3) @shared to i32
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %away = mul i32 %i, 1024
  %to = add i32 %own, %away
  call void asm sideeffect "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], 512, [$2];", "r,l,r"(i32 %to, ptr addrspace(1) %in, ptr addrspace(3) @shared)
  %next = add i32 %i, 8
  %on = icmp ult i32 %next, 128
  br i1 %on, label %loop, label %end
end:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 1, ptr addrspace(1) %place
  ret void
}

; The limit is too far, is passed by, is no number, or does not hold on each way.
; CHECK-DAG: kernel 'counts_too_far': may not be remapped (cluster):
define ptx_kernel void @counts_too_far(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias readonly %in) #0 {
entry:
  %own = ptrtoint ptr addrspace(3) @shared to i32
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %away = mul i32 %i, 16384
  %to = add i32 %own, %away
  call void asm sideeffect "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], 512, [$2];", "r,l,r"(i32 %to, ptr addrspace(1) %in, ptr addrspace(3) @shared)
  %next = add nuw nsw i32 %i, 1024
  %on = icmp ult i32 %next, 2048
  br i1 %on, label %loop, label %end
end:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 1, ptr addrspace(1) %place
  ret void
}

; CHECK-DAG: kernel 'passes_the_limit_by': may not be remapped (cluster):
define ptx_kernel void @passes_the_limit_by(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias readonly %in) #0 {
entry:
  %own = ptrtoint ptr addrspace(3) @shared to i32
  br label %loop
loop:
  %i = phi i32 [ 4, %entry ], [ %next, %loop ]
  %away = mul i32 %i, 16384
  %to = add i32 %own, %away
  call void asm sideeffect "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], 512, [$2];", "r,l,r"(i32 %to, ptr addrspace(1) %in, ptr addrspace(3) @shared)
  %next = add i32 %i, 1
  %off = icmp eq i32 %next, 4
  br i1 %off, label %end, label %loop
end:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 1, ptr addrspace(1) %place
  ret void
}

; CHECK-DAG: kernel 'reaches_the_limit_else': may not be remapped (cluster):
define ptx_kernel void @reaches_the_limit_else(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias readonly %in, i1 %way) #0 {
entry:
  %own = ptrtoint ptr addrspace(3) @shared to i32
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %one ], [ %next, %other ]
  %away = mul i32 %i, 16384
  %to = add i32 %own, %away
  call void asm sideeffect "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], 512, [$2];", "r,l,r"(i32 %to, ptr addrspace(1) %in, ptr addrspace(3) @shared)
  %next = add i32 %i, 1
  br i1 %way, label %one, label %other
one:
  %off = icmp eq i32 %next, 4
  br i1 %off, label %end, label %loop
other:
  %on = icmp ule i32 %next, 4
  br i1 %on, label %loop, label %end
end:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 1, ptr addrspace(1) %place
  ret void
}

; A select that a limit holds for on one way alone.
; CHECK-DAG: kernel 'is_chosen_on_two_ways': may not be remapped (cluster):
define ptx_kernel void @is_chosen_on_two_ways(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias readonly %in, i1 %way, i32 %turns) #0 {
entry:
  %own = ptrtoint ptr addrspace(3) @shared to i32
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %chosen, %loop ], [ %chosen, %other ]
  %away = mul i32 %i, 16384
  %to = add i32 %own, %away
  call void asm sideeffect "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], 512, [$2];", "r,l,r"(i32 %to, ptr addrspace(1) %in, ptr addrspace(3) @shared)
  %next = add i32 %i, 1
  %chosen = select i1 %way, i32 %next, i32 0
  %near = icmp ult i32 %next, 4
  br i1 %near, label %loop, label %other
other:
  %on = icmp slt i32 %next, %turns
  br i1 %on, label %loop, label %end
end:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 1, ptr addrspace(1) %place
  ret void
}

; CHECK-DAG: kernel 'counts_turns': may not be remapped (cluster):
define ptx_kernel void @counts_turns(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias readonly %in, i32 %turns) #0 {
entry:
  %own = ptrtoint ptr addrspace(3) @shared to i32
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %away = mul i32 %i, 16384
  %to = add i32 %own, %away
  call void asm sideeffect "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], 512, [$2];", "r,l,r"(i32 %to, ptr addrspace(1) %in, ptr addrspace(3) @shared)
  %next = add i32 %i, 1
  %on = icmp slt i32 %next, %turns
  br i1 %on, label %loop, label %end
end:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 1, ptr addrspace(1) %place
  ret void
}

; CHECK-DAG: kernel 'is_limited_on_one_way': may not be remapped (cluster):
define ptx_kernel void @is_limited_on_one_way(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias readonly %in, i32 %turns) #0 {
entry:
  %own = ptrtoint ptr addrspace(3) @shared to i32
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ], [ %next, %further ]
  %away = mul i32 %i, 16384
  %to = add i32 %own, %away
  call void asm sideeffect "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], 512, [$2];", "r,l,r"(i32 %to, ptr addrspace(1) %in, ptr addrspace(3) @shared)
  %next = add i32 %i, 1
  %near = icmp ult i32 %next, 4
  br i1 %near, label %loop, label %further
further:
  %on = icmp slt i32 %next, %turns
  br i1 %on, label %loop, label %end
end:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 1, ptr addrspace(1) %place
  ret void
}

; An update of no type, a result that is not listed first, and rows without an address.
; CHECK-DAG: kernel 'has_no_type': may not be remapped (inline-asm):
define ptx_kernel void @has_no_type(ptr addrspace(1) %out, i32 %v) #0 {
  call void asm sideeffect "red.global.add.x2 [$0], $1;", "l,r"(ptr addrspace(1) %out, i32 %v)
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 1, ptr addrspace(1) %to
  ret void
}

; CHECK-DAG: kernel 'finds_the_least': may not be remapped (inline-asm):
define ptx_kernel void @finds_the_least(ptr addrspace(1) %out, i32 %d) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %r = call { i32, i32 } asm sideeffect "tcgen05.ld.red.sync.aligned.32x32b.x2.min.u32 {$0}, $1, [$2];", "=r,=r,r,1"(i32 %d, i32 %x)
  %i = extractvalue { i32, i32 } %r, 1
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 1, ptr addrspace(1) %to
  ret void
}

; CHECK-DAG: kernel 'stores_no_rows': may not be remapped (inline-asm):
define ptx_kernel void @stores_no_rows(ptr addrspace(1) %out, i32 %v) #0 {
  call void asm sideeffect "stmatrix.sync.aligned.m8n8.x1.shared.b16 $0, [$1];", "r,r"(i32 %v, ptr addrspace(3) @shared)
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 1, ptr addrspace(1) %to
  ret void
}

; Which half of a range an address is in is told by its sign, which a load keeps.
; CHECK-DAG: kernel 'keeps_the_sign': {{may not be remapped|remapped for .* assumes}}
define ptx_kernel void @keeps_the_sign(ptr addrspace(1) %out, ptr addrspace(1) noalias %in) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v = call i32 asm sideeffect "ld.global.s8 $0, [$1];", "=r,l"(ptr addrspace(1) %in)
  %first = shl i32 %x, 8
  %i = add i32 %first, %v
  %to = getelementptr i8, ptr addrspace(1) %out, i32 %i
  store i8 1, ptr addrspace(1) %to
  ret void
}

attributes #0 = { "nvvm.reqntid"="64" }
