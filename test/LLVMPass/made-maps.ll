; Tensor maps that the kernel makes, as Triton's tl.make_tensor_descriptor does: filled by
; one thread in workgroup memory, and copied to memory of the kernel's own.

; REQUIRES: no-sanitizers
; RUN: swizzle-opt %s --swizzle-print-model -o /dev/null 2>&1 | FileCheck %s
; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=h200;formula-file=%S/Inputs/reversed.swz;grid=64>' -S -o /dev/null -pass-remarks=swizzle -pass-remarks-missed=swizzle < %s 2>&1 | FileCheck %s --check-prefix=REMARK

target triple = "nvptx64-nvidia-cuda"
@shared = external addrspace(3) global [0 x i8], align 128
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.bar.warp.sync(i32)

; A matrix of %rows rows of 1024 numbers of 2 bytes, in boxes of 64 rows and 32 columns.
; CHECK-LABEL: kernel @makes_one
; CHECK: write arg1[128*x] 128 bytes
; CHECK: read arg0[131072*x] 64 bytes x 64 at 2048
; CHECK: write arg0[131072*x + 64] 64 bytes x 64 at 2048
; CHECK-NOT: not modelled
; CHECK: assumed: the tensor map that the kernel makes of arg0 is not interleaved
; REMARK-DAG: kernel 'makes_one': remapped for
define ptx_kernel void @makes_one(ptr addrspace(1) %matrix, ptr addrspace(1) %own) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %slot = shl i32 %x, 7
  %map = getelementptr i8, ptr addrspace(1) %own, i32 %slot
  %row = shl i32 %x, 6
  %isFirst = icmp eq i32 %t, 0
  br i1 %isFirst, label %fill, label %copy
fill:
  call void asm sideeffect "tensormap.replace.tile.global_address.shared::cta.b1024.b64 [ $0 + 0 ], $1;", "l,l"(ptr addrspace(3) @shared, ptr addrspace(1) %matrix)
  call void asm sideeffect "tensormap.replace.tile.rank.shared::cta.b1024.b32 [ $0 + 0 ], 0x1;", "l"(ptr addrspace(3) @shared)
  call void asm sideeffect "tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [ $0 + 0 ], 0x0, $1;", "l,r"(ptr addrspace(3) @shared, i32 32)
  call void asm sideeffect "tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [ $0 + 0 ], 0x1, $1;", "l,r"(ptr addrspace(3) @shared, i32 64)
  call void asm sideeffect "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [ $0 + 0 ], 0x0, $1;", "l,r"(ptr addrspace(3) @shared, i32 1024)
  call void asm sideeffect "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [ $0 + 0 ], 0x1, $1;", "l,r"(ptr addrspace(3) @shared, i32 4096)
  call void asm sideeffect "tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [ $0 + 0 ], 0x0, $1;", "l,l"(ptr addrspace(3) @shared, i64 2048)
  call void asm sideeffect "tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [ $0 + 0 ], 0x0, $1;", "l,r"(ptr addrspace(3) @shared, i32 1)
  call void asm sideeffect "tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [ $0 + 0 ], 0x1, $1;", "l,r"(ptr addrspace(3) @shared, i32 1)
  call void asm sideeffect "tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [ $0 + 0 ], 0x6;", "l"(ptr addrspace(3) @shared)
  br label %copy
copy:
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  call void asm sideeffect "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [ $0 + 0 ], [ $1 + 0 ], 0x80;", "l,l"(ptr addrspace(1) %map, ptr addrspace(3) @shared)
  call void asm sideeffect "fence.proxy.tensormap::generic.acquire.gpu [ $0 + 0 ], 0x80;", "l"(ptr addrspace(1) %map)
  %generic = addrspacecast ptr addrspace(1) %map to ptr
  call void asm sideeffect "@$0 cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [$1], [$2, {$3, $4}], [$5];", "b,r,l,r,r,r"(i1 %isFirst, ptr addrspace(3) @shared, ptr %generic, i32 0, i32 %row, i32 8192)
  call void asm sideeffect "@$0 cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [$1, {$2, $3}], [$4];", "b,l,r,r,r"(i1 %isFirst, ptr %generic, i32 32, i32 %row, ptr addrspace(3) @shared)
  ret void
}

; Boxes that meet: half of each is the next workgroup's.
; REMARK-DAG: kernel 'meets': may not be remapped (cross-workgroup-write):
define ptx_kernel void @meets(ptr addrspace(1) %matrix, ptr addrspace(1) %own) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %slot = shl i32 %x, 7
  %map = getelementptr i8, ptr addrspace(1) %own, i32 %slot
  %row = shl i32 %x, 5
  call void asm sideeffect "tensormap.replace.tile.global_address.shared::cta.b1024.b64 [ $0 + 0 ], $1;", "l,l"(ptr addrspace(3) @shared, ptr addrspace(1) %matrix)
  call void asm sideeffect "tensormap.replace.tile.rank.shared::cta.b1024.b32 [ $0 + 0 ], 0x0;", "l"(ptr addrspace(3) @shared)
  call void asm sideeffect "tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [ $0 + 0 ], 0x0, $1;", "l,r"(ptr addrspace(3) @shared, i32 64)
  call void asm sideeffect "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [ $0 + 0 ], 0x0, $1;", "l,r"(ptr addrspace(3) @shared, i32 65536)
  call void asm sideeffect "tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [ $0 + 0 ], 0x0, $1;", "l,r"(ptr addrspace(3) @shared, i32 1)
  call void asm sideeffect "tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [ $0 + 0 ], 0x7;", "l"(ptr addrspace(3) @shared)
  call void asm sideeffect "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [ $0 + 0 ], [ $1 + 0 ], 0x80;", "l,l"(ptr addrspace(1) %map, ptr addrspace(3) @shared)
  %generic = addrspacecast ptr addrspace(1) %map to ptr
  call void asm sideeffect "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [$0, {$1}], [$2];", "l,r,r"(ptr %generic, i32 %row, ptr addrspace(3) @shared)
  ret void
}

; A map that is changed by a store, one of which a field is missing, and one that is made
; after its use: what they are of is not known.
; CHECK-LABEL: kernel @changes_it
; CHECK: not modelled: read by {{.*}} a tensor-map copy, whose descriptor is not known
define ptx_kernel void @changes_it(ptr addrspace(1) %matrix, ptr addrspace(1) %own) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %slot = shl i32 %x, 7
  %map = getelementptr i8, ptr addrspace(1) %own, i32 %slot
  call void asm sideeffect "tensormap.replace.tile.global_address.shared::cta.b1024.b64 [ $0 + 0 ], $1;", "l,l"(ptr addrspace(3) @shared, ptr addrspace(1) %matrix)
  call void asm sideeffect "tensormap.replace.tile.rank.shared::cta.b1024.b32 [ $0 + 0 ], 0x0;", "l"(ptr addrspace(3) @shared)
  call void asm sideeffect "tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [ $0 + 0 ], 0x0, $1;", "l,r"(ptr addrspace(3) @shared, i32 64)
  call void asm sideeffect "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [ $0 + 0 ], 0x0, $1;", "l,r"(ptr addrspace(3) @shared, i32 65536)
  call void asm sideeffect "tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [ $0 + 0 ], 0x0, $1;", "l,r"(ptr addrspace(3) @shared, i32 1)
  call void asm sideeffect "tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [ $0 + 0 ], 0x7;", "l"(ptr addrspace(3) @shared)
  call void asm sideeffect "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [ $0 + 0 ], [ $1 + 0 ], 0x80;", "l,l"(ptr addrspace(1) %map, ptr addrspace(3) @shared)
  store i32 1, ptr addrspace(1) %map
  %generic = addrspacecast ptr addrspace(1) %map to ptr
  call void asm sideeffect "cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes [$0], [$1, {$2}], [$3];", "r,l,r,r"(ptr addrspace(3) @shared, ptr %generic, i32 %x, i32 8192)
  ret void
}

; Nor where one workgroup alone changes it, where each thread has another one in mind, and
; where a statement hides behind another.
; CHECK-LABEL: kernel @changes_in_one_workgroup
; CHECK: not modelled: read by {{.*}} a tensor-map copy, whose descriptor is not known
define ptx_kernel void @changes_in_one_workgroup(ptr addrspace(1) %matrix, ptr addrspace(1) %own) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %slot = shl i32 %x, 7
  %map = getelementptr i8, ptr addrspace(1) %own, i32 %slot
  call void asm sideeffect "tensormap.replace.tile.global_address.shared::cta.b1024.b64 [ $0 + 0 ], $1;", "l,l"(ptr addrspace(3) @shared, ptr addrspace(1) %matrix)
  call void asm sideeffect "tensormap.replace.tile.rank.shared::cta.b1024.b32 [ $0 + 0 ], 0x0;", "l"(ptr addrspace(3) @shared)
  call void asm sideeffect "tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [ $0 + 0 ], 0x0, $1;", "l,r"(ptr addrspace(3) @shared, i32 64)
  call void asm sideeffect "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [ $0 + 0 ], 0x0, $1;", "l,r"(ptr addrspace(3) @shared, i32 65536)
  call void asm sideeffect "tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [ $0 + 0 ], 0x0, $1;", "l,r"(ptr addrspace(3) @shared, i32 1)
  call void asm sideeffect "tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [ $0 + 0 ], 0x7;", "l"(ptr addrspace(3) @shared)
  %isOne = icmp eq i32 %x, 0
  %other = getelementptr i8, ptr addrspace(1) %matrix, i64 4096
  call void asm sideeffect "@$2 tensormap.replace.tile.global_address.shared::cta.b1024.b64 [ $0 + 0 ], $1;", "l,l,b"(ptr addrspace(3) @shared, ptr addrspace(1) %other, i1 %isOne)
  call void asm sideeffect "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [ $0 + 0 ], [ $1 + 0 ], 0x80;", "l,l"(ptr addrspace(1) %map, ptr addrspace(3) @shared)
  %generic = addrspacecast ptr addrspace(1) %map to ptr
  call void asm sideeffect "cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes [$0], [$1, {$2}], [$3];", "r,l,r,r"(ptr addrspace(3) @shared, ptr %generic, i32 %x, i32 8192)
  ret void
}

; CHECK-LABEL: kernel @differs_by_thread
; CHECK: not modelled: read by {{.*}} a tensor-map copy, whose descriptor is not known
define ptx_kernel void @differs_by_thread(ptr addrspace(1) %matrix, ptr addrspace(1) %own) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %slot = shl i32 %x, 7
  %map = getelementptr i8, ptr addrspace(1) %own, i32 %slot
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %far = shl i32 %t, 12
  %its = getelementptr i8, ptr addrspace(1) %matrix, i32 %far
  call void asm sideeffect "tensormap.replace.tile.global_address.shared::cta.b1024.b64 [ $0 + 0 ], $1;", "l,l"(ptr addrspace(3) @shared, ptr addrspace(1) %its)
  call void asm sideeffect "tensormap.replace.tile.rank.shared::cta.b1024.b32 [ $0 + 0 ], 0x0;", "l"(ptr addrspace(3) @shared)
  call void asm sideeffect "tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [ $0 + 0 ], 0x0, $1;", "l,r"(ptr addrspace(3) @shared, i32 64)
  call void asm sideeffect "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [ $0 + 0 ], 0x0, $1;", "l,r"(ptr addrspace(3) @shared, i32 65536)
  call void asm sideeffect "tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [ $0 + 0 ], 0x0, $1;", "l,r"(ptr addrspace(3) @shared, i32 1)
  call void asm sideeffect "tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [ $0 + 0 ], 0x7;", "l"(ptr addrspace(3) @shared)
  call void asm sideeffect "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [ $0 + 0 ], [ $1 + 0 ], 0x80;", "l,l"(ptr addrspace(1) %map, ptr addrspace(3) @shared)
  %generic = addrspacecast ptr addrspace(1) %map to ptr
  call void asm sideeffect "cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes [$0], [$1, {$2}], [$3];", "r,l,r,r"(ptr addrspace(3) @shared, ptr %generic, i32 %x, i32 8192)
  ret void
}

; CHECK-LABEL: kernel @two_at_a_time
; CHECK: not modelled: read by {{.*}} a tensor-map copy, whose descriptor is not known
define ptx_kernel void @two_at_a_time(ptr addrspace(1) %matrix, ptr addrspace(1) %own) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %slot = shl i32 %x, 7
  %map = getelementptr i8, ptr addrspace(1) %own, i32 %slot
  call void asm sideeffect "tensormap.replace.tile.global_address.shared::cta.b1024.b64 [ $0 + 0 ], $1;", "l,l"(ptr addrspace(3) @shared, ptr addrspace(1) %matrix)
  call void asm sideeffect "tensormap.replace.tile.rank.shared::cta.b1024.b32 [ $0 + 0 ], 0x0;", "l"(ptr addrspace(3) @shared)
  call void asm sideeffect "tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [ $0 + 0 ], 0x0, $1;", "l,r"(ptr addrspace(3) @shared, i32 64)
  call void asm sideeffect "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [ $0 + 0 ], 0x0, $1;", "l,r"(ptr addrspace(3) @shared, i32 65536)
  call void asm sideeffect "tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [ $0 + 0 ], 0x0, $1;", "l,r"(ptr addrspace(3) @shared, i32 1)
  call void asm sideeffect "tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [ $0 + 0 ], 0x7; st.shared.b32 [ $0 + 0 ], 1;", "l"(ptr addrspace(3) @shared)
  call void asm sideeffect "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [ $0 + 0 ], [ $1 + 0 ], 0x80;", "l,l"(ptr addrspace(1) %map, ptr addrspace(3) @shared)
  %generic = addrspacecast ptr addrspace(1) %map to ptr
  call void asm sideeffect "cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes [$0], [$1, {$2}], [$3];", "r,l,r,r"(ptr addrspace(3) @shared, ptr %generic, i32 %x, i32 8192)
  ret void
}

; CHECK-LABEL: kernel @lacks_a_field
; CHECK: not modelled: read by {{.*}} a tensor-map copy, whose descriptor is not known
define ptx_kernel void @lacks_a_field(ptr addrspace(1) %matrix, ptr addrspace(1) %own) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %slot = shl i32 %x, 7
  %map = getelementptr i8, ptr addrspace(1) %own, i32 %slot
  call void asm sideeffect "tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [ $0 + 0 ], 0x0, $1;", "l,r"(ptr addrspace(3) @shared, i32 64)
  store i32 0, ptr addrspace(3) @shared
  call void asm sideeffect "tensormap.replace.tile.global_address.shared::cta.b1024.b64 [ $0 + 0 ], $1;", "l,l"(ptr addrspace(3) @shared, ptr addrspace(1) %matrix)
  call void asm sideeffect "tensormap.replace.tile.rank.shared::cta.b1024.b32 [ $0 + 0 ], 0x0;", "l"(ptr addrspace(3) @shared)
  call void asm sideeffect "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [ $0 + 0 ], 0x0, $1;", "l,r"(ptr addrspace(3) @shared, i32 65536)
  call void asm sideeffect "tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [ $0 + 0 ], 0x0, $1;", "l,r"(ptr addrspace(3) @shared, i32 1)
  call void asm sideeffect "tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [ $0 + 0 ], 0x7;", "l"(ptr addrspace(3) @shared)
  call void asm sideeffect "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [ $0 + 0 ], [ $1 + 0 ], 0x80;", "l,l"(ptr addrspace(1) %map, ptr addrspace(3) @shared)
  %generic = addrspacecast ptr addrspace(1) %map to ptr
  call void asm sideeffect "cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes [$0], [$1, {$2}], [$3];", "r,l,r,r"(ptr addrspace(3) @shared, ptr %generic, i32 %x, i32 8192)
  ret void
}

; CHECK-LABEL: kernel @interleaves
; CHECK: not modelled: read by {{.*}} a tensor-map copy, whose descriptor is not known
define ptx_kernel void @interleaves(ptr addrspace(1) %matrix, ptr addrspace(1) %own, i32 %layout) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %slot = shl i32 %x, 7
  %map = getelementptr i8, ptr addrspace(1) %own, i32 %slot
  call void asm sideeffect "tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [ $0 + 0 ], 0x0, $1;", "l,r"(ptr addrspace(3) @shared, i32 64)
  call void asm sideeffect "tensormap.replace.tile.global_address.shared::cta.b1024.b64 [ $0 + 0 ], $1;", "l,l"(ptr addrspace(3) @shared, ptr addrspace(1) %matrix)
  call void asm sideeffect "tensormap.replace.tile.rank.shared::cta.b1024.b32 [ $0 + 0 ], 0x0;", "l"(ptr addrspace(3) @shared)
  call void asm sideeffect "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [ $0 + 0 ], 0x0, $1;", "l,r"(ptr addrspace(3) @shared, i32 65536)
  call void asm sideeffect "tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [ $0 + 0 ], 0x0, $1;", "l,r"(ptr addrspace(3) @shared, i32 1)
  call void asm sideeffect "tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [ $0 + 0 ], 0x7;", "l"(ptr addrspace(3) @shared)
  call void asm sideeffect "tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [ $0 + 0 ], $1;", "l,r"(ptr addrspace(3) @shared, i32 %layout)
  call void asm sideeffect "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [ $0 + 0 ], [ $1 + 0 ], 0x80;", "l,l"(ptr addrspace(1) %map, ptr addrspace(3) @shared)
  %generic = addrspacecast ptr addrspace(1) %map to ptr
  call void asm sideeffect "cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes [$0], [$1, {$2}], [$3];", "r,l,r,r"(ptr addrspace(3) @shared, ptr %generic, i32 %x, i32 8192)
  ret void
}

; CHECK-LABEL: kernel @fills_twice
; CHECK: not modelled: read by {{.*}} a tensor-map copy, whose descriptor is not known
define ptx_kernel void @fills_twice(ptr addrspace(1) %matrix, ptr addrspace(1) %own) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %slot = shl i32 %x, 7
  %map = getelementptr i8, ptr addrspace(1) %own, i32 %slot
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %isFirst = icmp eq i32 %t, 0
  %other = getelementptr i8, ptr addrspace(1) %matrix, i64 256
  br i1 %isFirst, label %fill, label %refill
refill:
  call void asm sideeffect "tensormap.replace.tile.global_address.shared::cta.b1024.b64 [ $0 + 0 ], $1;", "l,l"(ptr addrspace(3) @shared, ptr addrspace(1) %other)
  br label %copy
fill:
  call void asm sideeffect "tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [ $0 + 0 ], 0x0, $1;", "l,r"(ptr addrspace(3) @shared, i32 64)
  call void asm sideeffect "tensormap.replace.tile.global_address.shared::cta.b1024.b64 [ $0 + 0 ], $1;", "l,l"(ptr addrspace(3) @shared, ptr addrspace(1) %matrix)
  call void asm sideeffect "tensormap.replace.tile.rank.shared::cta.b1024.b32 [ $0 + 0 ], 0x0;", "l"(ptr addrspace(3) @shared)
  call void asm sideeffect "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [ $0 + 0 ], 0x0, $1;", "l,r"(ptr addrspace(3) @shared, i32 65536)
  call void asm sideeffect "tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [ $0 + 0 ], 0x0, $1;", "l,r"(ptr addrspace(3) @shared, i32 1)
  call void asm sideeffect "tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [ $0 + 0 ], 0x7;", "l"(ptr addrspace(3) @shared)
  br label %copy
copy:
  call void asm sideeffect "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [ $0 + 0 ], [ $1 + 0 ], 0x80;", "l,l"(ptr addrspace(1) %map, ptr addrspace(3) @shared)
  %generic = addrspacecast ptr addrspace(1) %map to ptr
  call void asm sideeffect "cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes [$0], [$1, {$2}], [$3];", "r,l,r,r"(ptr addrspace(3) @shared, ptr %generic, i32 %x, i32 8192)
  ret void
}

; CHECK-LABEL: kernel @uses_it_first
; CHECK: not modelled: read by {{.*}} a tensor-map copy, whose descriptor is not known
define ptx_kernel void @uses_it_first(ptr addrspace(1) %matrix, ptr addrspace(1) %own) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %slot = shl i32 %x, 7
  %map = getelementptr i8, ptr addrspace(1) %own, i32 %slot
  %generic = addrspacecast ptr addrspace(1) %map to ptr
  call void asm sideeffect "cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes [$0], [$1, {$2}], [$3];", "r,l,r,r"(ptr addrspace(3) @shared, ptr %generic, i32 %x, i32 8192)
  call void asm sideeffect "tensormap.replace.tile.global_address.shared::cta.b1024.b64 [ $0 + 0 ], $1;", "l,l"(ptr addrspace(3) @shared, ptr addrspace(1) %matrix)
  call void asm sideeffect "tensormap.replace.tile.rank.shared::cta.b1024.b32 [ $0 + 0 ], 0x0;", "l"(ptr addrspace(3) @shared)
  call void asm sideeffect "tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [ $0 + 0 ], 0x0, $1;", "l,r"(ptr addrspace(3) @shared, i32 64)
  call void asm sideeffect "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [ $0 + 0 ], 0x0, $1;", "l,r"(ptr addrspace(3) @shared, i32 65536)
  call void asm sideeffect "tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [ $0 + 0 ], 0x0, $1;", "l,r"(ptr addrspace(3) @shared, i32 1)
  call void asm sideeffect "tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [ $0 + 0 ], 0x7;", "l"(ptr addrspace(3) @shared)
  call void asm sideeffect "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [ $0 + 0 ], [ $1 + 0 ], 0x80;", "l,l"(ptr addrspace(1) %map, ptr addrspace(3) @shared)
  call void asm sideeffect "cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes [$0], [$1, {$2}], [$3];", "r,l,r,r"(ptr addrspace(3) @shared, ptr %generic, i32 %x, i32 8192)
  ret void
}

attributes #0 = { "nvvm.reqntid"="128" }
