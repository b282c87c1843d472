; What CUDA's own headers make of half precision, cooperative groups, textures and
; accesses with an order, as clang leaves it.

; REQUIRES: no-sanitizers
; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='swizzle<chip=h200;formula-file=%S/Inputs/reversed.swz;grid=8;block=64>' -S -o %t.ll -pass-remarks=swizzle -pass-remarks-missed=swizzle < %s 2>&1 | FileCheck %s
; RUN: swizzle-check %s %t.ll --kernel=numbers --formula-file=%S/Inputs/reversed.swz --grid=8 --block=64 | FileCheck %s --check-prefix=SAME
; RUN: swizzle-opt %s --swizzle-print-model -o /dev/null 2>&1 | FileCheck %s --check-prefix=MODEL
; SAME: passed

target triple = "nvptx64-nvidia-cuda"

@shared = external addrspace(3) global [0 x i8], align 16
@variable = addrspace(1) global [1024 x i32] zeroinitializer

; A number of lanes that is predefined, numbers with a suffix and an upper-case
; prefix, and names with dollars, of which LLVM wants two each.
; CHECK-DAG: kernel 'numbers': remapped for
; MODEL-LABEL: kernel @numbers
; MODEL: write arg0[256*x + 4*tx] 4 bytes
define ptx_kernel void @numbers(ptr addrspace(1) noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %warp = call i32 asm "{ mov.u32 $0, WARP_SZ; }", "=r"()
  %two = call i32 asm "{ .reg .b32 $$two, __$$2; mov.b32 $$two, 0X2U; mov.b32 __$$2, $$two; mov.b32 $0, __$$2; }", "=r"()
  %threads = mul i32 %warp, %two
  %first = mul i32 %x, %threads
  %i = add i32 %first, %t
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %i, ptr addrspace(1) %to
  ret void
}

; What of workgroup memory the system keeps to itself begins at the same place in all
; workgroups.
; CHECK-DAG: kernel 'reserved': remapped for
define ptx_kernel void @reserved(ptr addrspace(1) noalias %out) {
  %start = call i64 asm "{ .reg .u32 a; .reg .u64 b; mov.u32 a, %reserved_smem_offset_1; cvt.u64.u32 b, a; cvta.shared.u64 $0, b; }", "=l"()
  %kept = inttoptr i64 %start to ptr
  store i32 1, ptr %kept
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %x, ptr addrspace(1) %to
  ret void
}

; How cuda_bf16.h makes a float of a bfloat16: numbers beside registers.
; CHECK-DAG: kernel 'widened': remapped for
; MODEL-LABEL: kernel @widened
; MODEL: read arg1[2*x] 2 bytes
; MODEL: write arg0[4*x] 4 bytes
define ptx_kernel void @widened(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias readonly %in) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i16, ptr addrspace(1) %in, i32 %x
  %half = load i16, ptr addrspace(1) %from
  %wide = call float asm "{ mov.b32 $0, {0,$1};}\0A", "=f,h"(i16 %half)
  %to = getelementptr float, ptr addrspace(1) %out, i32 %x
  store float %wide, ptr addrspace(1) %to
  ret void
}

; Rows of workgroup memory by a generic address, as ldmatrix without a memory has it.
; CHECK-DAG: kernel 'generic_rows': remapped for
; MODEL-LABEL: kernel @generic_rows
; MODEL-NOT: not modelled
; MODEL: write arg0[4*x] 4 bytes
define ptx_kernel void @generic_rows(ptr addrspace(1) noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %generic = addrspacecast ptr addrspace(3) @shared to ptr
  %row = getelementptr i8, ptr %generic, i32 %t
  %rows = call { i32, i32 } asm sideeffect "ldmatrix.sync.aligned.m8n8.x2.b16 {$0, $1}, [$2];", "=r,=r,l"(ptr %row)
  %first = extractvalue { i32, i32 } %rows, 0
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %first, ptr addrspace(1) %to
  ret void
}

; CHECK-DAG: kernel 'unknown_register': may not be remapped (inline-asm):
define ptx_kernel void @unknown_register(ptr addrspace(1) noalias %out) {
  %start = call i32 asm "mov.u32 $0, %reserved_for_others;", "=r"()
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %start, ptr addrspace(1) %to
  ret void
}

; A texture is read alone; where it lies is not known.
; CHECK-DAG: kernel 'texture': remapped for
; MODEL-LABEL: kernel @texture
; MODEL: not modelled: read by inline PTX of the textures: an image, whose layout its handle alone tells
define ptx_kernel void @texture(i64 %image, ptr addrspace(1) noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %u = uitofp i32 %x to float
  %all = call { float, float, float, float } asm "tex.2d.v4.f32.f32 {$0, $1, $2, $3}, [$4, {$5, $6}];", "=f,=f,=f,=f,l,f,f"(i64 %image, float %u, float 5.0e-1)
  %texel = extractvalue { float, float, float, float } %all, 0
  %to = getelementptr float, ptr addrspace(1) %out, i32 %x
  store float %texel, ptr addrspace(1) %to
  ret void
}

; What is written may be part of an image, for all that is known.
; CHECK-DAG: kernel 'texture_intrinsic': remapped for h200; assumes that its buffers do not overlap
define ptx_kernel void @texture_intrinsic(i64 %image, ptr addrspace(1) %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %all = call { float, float, float, float } @llvm.nvvm.tex.unified.1d.v4f32.s32(i64 %image, i32 %x)
  %texel = extractvalue { float, float, float, float } %all, 0
  %to = getelementptr float, ptr addrspace(1) %out, i32 %x
  store float %texel, ptr addrspace(1) %to
  ret void
}

; Or of a variable, which a texture may be made of.
; CHECK-DAG: kernel 'texture_of_a_variable': remapped for h200; assumes that its buffers do not overlap
define ptx_kernel void @texture_of_a_variable(i64 %image) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %all = call { i32, i32, i32, i32 } @llvm.nvvm.tex.unified.1d.v4s32.s32(i64 %image, i32 %x)
  %texel = extractvalue { i32, i32, i32, i32 } %all, 0
  %to = getelementptr i32, ptr addrspace(1) @variable, i32 %x
  store i32 %texel, ptr addrspace(1) %to
  ret void
}

; A loop that ends when another workgroup has written the surface.
; CHECK-DAG: kernel 'polls_surface': may not be remapped (waiting-loop):
define ptx_kernel void @polls_surface(i64 %image) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  br label %loop
loop:
  %seen = call i32 asm sideeffect "suld.b.1d.b32.trap $0, [$1, {$2}];", "=r,l,r"(i64 %image, i32 0)
  %no = icmp eq i32 %seen, 0
  br i1 %no, label %loop, label %done
done:
  call void asm sideeffect "sust.b.1d.b32.trap [$0, {$1}], {$2};", "l,r,r"(i64 %image, i32 %x, i32 1)
  ret void
}

; How large an image is, is the same everywhere.
; CHECK-DAG: kernel 'asks_image': remapped for
define ptx_kernel void @asks_image(i64 %image, ptr addrspace(1) noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %width = call i32 asm "txq.width.b32 $0, [$1];", "=r,l"(i64 %image)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %width, ptr addrspace(1) %to
  ret void
}

; A surface is written, and any two workgroups may write the same of it.
; CHECK-DAG: kernel 'surface': remapped for {{.*}}; assumes that writes of the surfaces by inline PTX of the surfaces ({{.*}}) do not race between workgroups
define ptx_kernel void @surface(i64 %image) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  call void asm sideeffect "sust.b.2d.b32.trap [$0, {$1, $2}], {$3};", "l,r,r,r"(i64 %image, i32 %x, i32 0, i32 1)
  ret void
}

; CHECK-DAG: kernel 'surface_intrinsic': remapped for {{.*}}; assumes that writes of the surfaces {{.*}} do not race between workgroups
define ptx_kernel void @surface_intrinsic(i64 %image) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  call void @llvm.nvvm.sust.b.1d.i32.trap(i64 %image, i32 %x, i32 1)
  ret void
}

; CHECK-DAG: kernel 'reads_surface': remapped for
define ptx_kernel void @reads_surface(i64 %image, ptr addrspace(1) noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v = call i32 asm sideeffect "suld.b.1d.b32.trap $0, [$1, {$2}];", "=r,l,r"(i64 %image, i32 %x)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %v, ptr addrspace(1) %to
  ret void
}

; Updates of a surface are not understood.
; CHECK-DAG: kernel 'updates_surface': may not be remapped (inline-asm):
define ptx_kernel void @updates_surface(i64 %image) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  call void asm sideeffect "sured.b.add.1d.u32.trap [$0, {$1}], $2;", "l,r,r"(i64 %image, i32 %x, i32 1)
  ret void
}

; An order that others may wait for.
; CHECK-DAG: kernel 'signals': may not be remapped (atomic-store):
define ptx_kernel void @signals(ptr addrspace(1) noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr i64, ptr addrspace(1) %out, i32 %x
  call void asm sideeffect "st.relaxed.gpu.global.v2.u32 [$0], {$1, $2};", "l,r,r"(ptr addrspace(1) %to, i32 %x, i32 1)
  ret void
}

; Of the workgroup's own memory, nobody else sees the order.
; CHECK-DAG: kernel 'signals_itself': remapped for
define ptx_kernel void @signals_itself(ptr addrspace(1) noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  call void asm sideeffect "st.release.cta.shared.u32 [$0], $1;", "r,r"(ptr addrspace(3) @shared, i32 1)
  %v = call i32 asm sideeffect "ld.acquire.cta.shared.u32 $0, [$1];", "=r,r"(ptr addrspace(3) @shared)
  %w = call i32 asm sideeffect "ld.volatile.shared.u32 $0, [$1];", "=r,r"(ptr addrspace(3) @shared)
  %sum = add i32 %v, %w
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %sum, ptr addrspace(1) %to
  ret void
}

; An address of workgroup memory is a mere number elsewhere.
; CHECK-DAG: kernel 'of_another_space': may not be remapped (volatile):
define ptx_kernel void @of_another_space(ptr addrspace(1) noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v = call i32 asm sideeffect "ld.volatile.global.u32 $0, [$1];", "=r,l"(ptr addrspace(3) @shared)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %v, ptr addrspace(1) %to
  ret void
}

; Loads release nothing, and stores acquire nothing.
; CHECK-DAG: kernel 'no_such_order': may not be remapped (inline-asm):
define ptx_kernel void @no_such_order(ptr addrspace(1) noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v = call i32 asm sideeffect "ld.release.cta.shared.u32 $0, [$1];", "=r,r"(ptr addrspace(3) @shared)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %v, ptr addrspace(1) %to
  ret void
}

; All add the same to a counter that wraps around, and nobody looks.
; CHECK-DAG: kernel 'counts': remapped for
define ptx_kernel void @counts(ptr addrspace(1) noalias %counter, ptr addrspace(1) noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  call void asm sideeffect "red.global.inc.u32 [$0], $1;", "l,r"(ptr addrspace(1) %counter, i32 100)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %x, ptr addrspace(1) %to
  ret void
}

; Where they wrap around at different numbers, the order decides.
; CHECK-DAG: kernel 'counts_apart': may not be remapped (atomic-not-commutative):
define ptx_kernel void @counts_apart(ptr addrspace(1) noalias %counter) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  call void asm sideeffect "red.global.inc.u32 [$0], $1;", "l,r"(ptr addrspace(1) %counter, i32 %x)
  ret void
}

; Functions of numbers, even where these are constants.
; CHECK-DAG: kernel 'of_constants': remapped for
define ptx_kernel void @of_constants(ptr addrspace(1) noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %root = call float @llvm.nvvm.sqrt.approx.f(float 2.0)
  %low = call i32 @llvm.nvvm.d2i.lo(double 2.5)
  %sum = call i32 asm "vabsdiff4.u32.u32.u32.add $0, $1, $2, $3;", "=r,r,r,r"(i32 %low, i32 %x, i32 0)
  %bits = bitcast float %root to i32
  %all = add i32 %bits, %sum
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %all, ptr addrspace(1) %to
  ret void
}

; The environment of a cooperative launch.
; CHECK-DAG: kernel 'environment': may not be remapped (grid-barrier):
define ptx_kernel void @environment(ptr addrspace(1) noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %e = call i32 @llvm.nvvm.read.ptx.sreg.envreg1()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %e, ptr addrspace(1) %to
  ret void
}
