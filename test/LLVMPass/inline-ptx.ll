; Accesses as Triton writes them for NVIDIA: read by a strict grammar. What is not in
; it refuses the kernel.

; REQUIRES: no-sanitizers
; RUN: %llvm_tools/opt -load-pass-plugin=%llvm_plugin -passes='always-inline,swizzle<chip=h200;formula-file=%S/Inputs/reversed.swz;grid=8>' -S -o %t.ll -pass-remarks=swizzle -pass-remarks-missed=swizzle < %s 2>&1 | FileCheck %s
; RUN: swizzle-check %s %t.ll --kernel=masked --formula-file=%S/Inputs/reversed.swz --grid=8 | FileCheck %s --check-prefix=SAME
; RUN: swizzle-check %s %t.ll --kernel=reduces --formula-file=%S/Inputs/reversed.swz --grid=8 | FileCheck %s --check-prefix=SAME
; RUN: swizzle-check %s %t.ll --kernel=copied --dynamic-workgroup-bytes=1024 --formula-file=%S/Inputs/reversed.swz --grid=8 | FileCheck %s --check-prefix=SAME
; RUN: swizzle-sim %s --kernel=masked --chip=h200 --grid=8 | FileCheck %s --check-prefix=MODEL

; CHECK-DAG: kernel 'masked': remapped for {{[a-z0-9]+}}
; CHECK-DAG: kernel 'copied': remapped for {{[a-z0-9]+}}
; CHECK-DAG: kernel 'computes': remapped for {{[a-z0-9]+}}
; CHECK-DAG: kernel 'meets': may not be remapped (cross-workgroup-write):
; CHECK-DAG: kernel 'unmasked_meets': may not be remapped (cross-workgroup-write):
; CHECK-DAG: kernel 'special_register': may not be remapped (hardware-slot):
; CHECK-DAG: kernel 'may_wait': may not be remapped (volatile):
; CHECK-DAG: kernel 'acquires': may not be remapped (atomic-load):
; CHECK-DAG: kernel 'updates': may not be remapped (atomic-not-commutative):
; CHECK-DAG: kernel 'adds': remapped for {{[a-z0-9]+}}
; CHECK-DAG: kernel 'adds_four': remapped for {{[a-z0-9]+}}
; CHECK-DAG: kernel 'reduces': remapped for {{[a-z0-9]+}}
; CHECK-DAG: kernel 'reduces_for_all': may not be remapped (inline-asm):
; CHECK-DAG: kernel 'adds_and_uses': may not be remapped (atomic-result-used):
; CHECK-DAG: kernel 'adds_for_all': may not be remapped (inline-asm):
; CHECK-DAG: kernel 'swaps': may not be remapped (inline-asm):
; CHECK-DAG: kernel 'odd_operands': may not be remapped (inline-asm):
; CHECK-DAG: kernel 'wide_predicate': may not be remapped (inline-asm):
; CHECK-DAG: kernel 'adds_for_itself': may not be remapped (atomic-scope):
; CHECK-DAG: kernel 'ignores_inside': may not be remapped (cross-workgroup-write):
; CHECK-DAG: kernel 'ignores_outside': remapped for {{[a-z0-9]+}}
; CHECK-DAG: kernel 'copies_and_waits': remapped for {{[a-z0-9]+}}
; CHECK-DAG: kernel 'odd_size': may not be remapped (inline-asm):
; CHECK-DAG: kernel 'reads_first': remapped for {{[a-z0-9]+}}
; CHECK-DAG: kernel 'stores_first': remapped for {{[a-z0-9]+}}
; CHECK-DAG: kernel 'asks_first': remapped for {{[a-z0-9]+}}
; CHECK-DAG: kernel 'goes_anywhere': remapped for {{[a-z0-9]+}}; assumes that
; CHECK-DAG: kernel 'tied_moves_on': may not be remapped (cross-workgroup-write):
; CHECK-DAG: kernel 'tied_moves_on': workgroups (0) and (1) both touch byte 256 of arg0
; CHECK-DAG: kernel 'tied_stays': remapped for {{[a-z0-9]+}}; assumes that the grid is 8; any
; CHECK-DAG: kernel 'may_be_overwritten': remapped for {{[a-z0-9]+}}; assumes that {{.*}} do not race
; CHECK-DAG: kernel 'kept_in_a_variable': remapped for {{[a-z0-9]+}}; assumes that {{.*}} do not race
; CHECK-DAG: kernel 'is_another': remapped for {{[a-z0-9]+}}; assumes that the grid is 8; any
; CHECK-DAG: kernel 'written_early': remapped for {{[a-z0-9]+}}; assumes that the grid is 8; any
; CHECK-DAG: kernel 'other_size': remapped for {{[a-z0-9]+}}; assumes that the grid is 8; any
; CHECK-DAG: kernel 'moves_an_address': remapped for {{[a-z0-9]+}}
; CHECK-DAG: kernel 'no_text': remapped for {{[a-z0-9]+}}
; CHECK-DAG: kernel 'multiplies': remapped for {{[a-z0-9]+}}
; CHECK-DAG: kernel 'keeps_in_cache': remapped for {{[a-z0-9]+}}
; CHECK-DAG: kernel 'keeps_what_meets': may not be remapped (cross-workgroup-write):
; CHECK-DAG: kernel 'no_policy': may not be remapped (inline-asm):
; CHECK-DAG: kernel 'fraction_moved': may not be remapped (inline-asm): 'llvm.inline_asm' {{.*}} ("mov.f32 $0, 1.5;")
; CHECK-DAG: kernel 'any_space': remapped for {{[a-z0-9]+}}
; CHECK-DAG: kernel 'any_space_meets': may not be remapped (cross-workgroup-write):
; CHECK-DAG: kernel 'other_order_of_words': remapped for {{[a-z0-9]+}}
; CHECK-DAG: kernel 'two_spaces': may not be remapped (inline-asm):
; CHECK-DAG: kernel 'polls': may not be remapped (waiting-loop):
; SAME: passed
; MODEL: DRAM
target triple = "nvptx64-nvidia-cuda"

@shared = external addrspace(3) global [0 x i8], align 16

define internal i32 @index() alwaysinline {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %x, 64
  %i = add i32 %first, %t
  ret i32 %i
}

define ptx_kernel void @masked(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = shl i32 %x, 7
  %double = shl i32 %t, 1
  %i = add i32 %first, %double
  %below = icmp slt i32 %i, 1000
  %from = getelementptr float, ptr addrspace(1) %in, i32 %i
  %to = getelementptr float, ptr addrspace(1) %out, i32 %i
  %both = call { i32, i32 } asm sideeffect "mov.u32 $0, 0x0;\0A\09mov.u32 $1, 0x0;\0A\09@$3 ld.global.L1::evict_last.v2.b32 { $0, $1 }, [ $2 + 0 ];", "=r,=r,l,b"(ptr addrspace(1) %from, i1 %below)
  %a = extractvalue { i32, i32 } %both, 0
  %b = extractvalue { i32, i32 } %both, 1
  %c = add i32 %a, %b
  call void asm sideeffect "@$3 st.global.v2.b32 [ $2 + 0 ], { $0, $1 };", "r,r,l,b"(i32 %a, i32 %c, ptr addrspace(1) %to, i1 %below)
  ret void
}

define ptx_kernel void @copied(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = shl i32 %x, 8
  %four = shl i32 %t, 2
  %i = add i32 %first, %four
  %from = getelementptr float, ptr addrspace(1) %in, i32 %i
  %to = getelementptr float, ptr addrspace(1) %out, i32 %i
  %bytes = shl i32 %t, 4
  %room = getelementptr i8, ptr addrspace(3) @shared, i32 %bytes
  call void asm sideeffect "cp.async.cg.shared.global [ $0 + 0 ], [ $1 + 0 ], 0x10, $2;", "r,l,r"(ptr addrspace(3) %room, ptr addrspace(1) %from, i32 16)
  call void asm sideeffect "// all of them\0A\09bar.sync 0;", ""()
  %v = call i32 asm sideeffect "ld.shared.b32 $0, [ $1 + 4 ];", "=r,r"(ptr addrspace(3) %room)
  call void asm sideeffect "st.global.b32 [ $1 + 8 ], $0;", "r,l"(i32 %v, ptr addrspace(1) %to)
  ret void
}

define ptx_kernel void @computes(ptr addrspace(1) noalias %out) #0 {
  %i = call i32 @index()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  %v = call i32 asm "prmt.b32 $0, $1, $1, 0x5410;", "=r,r"(i32 %i)
  store i32 %v, ptr addrspace(1) %to
  ret void
}

define ptx_kernel void @meets(ptr addrspace(1) noalias %out) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr float, ptr addrspace(1) %out, i32 %t
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], $0;", "r,l"(i32 %x, ptr addrspace(1) %to)
  ret void
}

define ptx_kernel void @unmasked_meets(ptr addrspace(1) noalias %out) #0 {
  %i = call i32 @index()
  %to = getelementptr float, ptr addrspace(1) %out, i32 %i
  %even = icmp eq i32 %i, 0
  call void asm sideeffect "@!$2 st.global.v2.b32 [ $1 + 0 ], { $0, $0 };", "r,l,b"(i32 %i, ptr addrspace(1) %to, i1 %even)
  ret void
}

define ptx_kernel void @special_register(ptr addrspace(1) noalias %out) #0 {
  %i = call i32 @index()
  %s = call i32 asm "mov.u32 $0, %smid;", "=r"()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %s, ptr addrspace(1) %to
  ret void
}

define ptx_kernel void @may_wait(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) #0 {
  %i = call i32 @index()
  %v = call i32 asm sideeffect "ld.volatile.global.b32 $0, [ $1 + 0 ];", "=r,l"(ptr addrspace(1) %in)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %v, ptr addrspace(1) %to
  ret void
}

define ptx_kernel void @acquires(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) #0 {
  %i = call i32 @index()
  %v = call i32 asm sideeffect "ld.acquire.gpu.global.b32 $0, [ $1 + 0 ];", "=r,l"(ptr addrspace(1) %in)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %v, ptr addrspace(1) %to
  ret void
}

define ptx_kernel void @updates(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v = call i32 asm sideeffect "atom.global.gpu.relaxed.exch.b32 $0, [ $1 + 0 ], $2;", "=r,l,r"(ptr addrspace(1) %out, i32 %x)
  ret void
}

define ptx_kernel void @adds(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %on = icmp slt i32 %x, 7
  %v = call i32 asm sideeffect "mov.u32 $0, 0x0;\0A\09@$3 atom.global.gpu.acq_rel.add.u32 $0, [ $1 + 0 ], $2;", "=r,l,r,b"(ptr addrspace(1) %out, i32 %x, i1 %on)
  ret void
}

define ptx_kernel void @adds_four(ptr addrspace(1) noalias %out) #0 {
  %i = call i32 @index()
  %low = and i32 %i, 127
  %four = shl i32 %low, 2
  %to = getelementptr float, ptr addrspace(1) %out, i32 %four
  %v = call { i32, i32 } asm sideeffect "atom.global.gpu.relaxed.add.v2.f32 { $0, $1 }, [ $2 + 8 ], { $3, $4 };", "=r,=r,l,r,r"(ptr addrspace(1) %to, float 1.0, float 2.0)
  ret void
}

; As Triton 3.9 writes them: an update that returns nothing.
define ptx_kernel void @reduces(ptr addrspace(1) noalias %out) #0 {
  %i = call i32 @index()
  %low = and i32 %i, 127
  %on = icmp slt i32 %i, 100
  %four = shl i32 %low, 2
  %to = getelementptr float, ptr addrspace(1) %out, i32 %four
  call void asm sideeffect "@$5 red.global.gpu.relaxed.add.v4.f32 [ $0 + 0 ], { $1, $2, $3, $4 };", "l,r,r,r,r,b"(ptr addrspace(1) %to, float 1.0, float 2.0, float 3.0, float 4.0, i1 %on)
  call void asm sideeffect "red.global.gpu.relaxed.add.f32 [ $0 + 4096 ], $1;", "l,r"(ptr addrspace(1) %to, float 1.0)
  ret void
}

define ptx_kernel void @reduces_for_all(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  call void asm sideeffect "red.global.sys.relaxed.add.u32 [ $0 + 0 ], $1;", "l,r"(ptr addrspace(1) %out, i32 %x)
  ret void
}

define ptx_kernel void @adds_and_uses(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias %next) #0 {
  %i = call i32 @index()
  %v = call i32 asm sideeffect "atom.global.gpu.relaxed.add.u32 $0, [ $1 + 0 ], $2;", "=r,l,r"(ptr addrspace(1) %next, i32 1)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %v, ptr addrspace(1) %to
  ret void
}

define ptx_kernel void @adds_for_all(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v = call i32 asm sideeffect "atom.global.sys.relaxed.add.u32 $0, [ $1 + 0 ], $2;", "=r,l,r"(ptr addrspace(1) %out, i32 %x)
  ret void
}

define ptx_kernel void @swaps(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v = call i32 asm sideeffect "atom.global.gpu.relaxed.cas.b32 $0, [ $1 + 0 ], $2, $3;", "=r,l,r,r"(ptr addrspace(1) %out, i32 0, i32 %x)
  ret void
}

define ptx_kernel void @odd_operands(ptr addrspace(1) noalias %out) #0 {
  %i = call i32 @index()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  call void asm sideeffect "st.global.b32 [ $1 + 0 ], { $0, $0 };", "r,l"(i32 %i, ptr addrspace(1) %to)
  ret void
}

define ptx_kernel void @wide_predicate(ptr addrspace(1) noalias %out) #0 {
  %i = call i32 @index()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  call void asm sideeffect "@$0 st.global.b32 [ $1 + 0 ], $0;", "r,l"(i32 %i, ptr addrspace(1) %to)
  ret void
}

; One step for the workgroup alone.
define ptx_kernel void @adds_for_itself(ptr addrspace(1) noalias %out) #0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  call void asm sideeffect "red.global.cta.relaxed.add.u32 [ $0 + 0 ], $1;", "l,r"(ptr addrspace(1) %out, i32 %x)
  ret void
}

; A predicate behind the size says that the source is not read; what the workgroup
; before this one writes would be, in all but the first.
define ptx_kernel void @ignores_inside(ptr addrspace(1) noalias %out) #0 {
  %i = call i32 @index()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  %from = getelementptr i8, ptr addrspace(1) %to, i32 -256
  %first = icmp slt i32 %i, 64
  call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 4, $2;", "r,l,b"(ptr addrspace(3) @shared, ptr addrspace(1) %from, i1 %first)
  store i32 %i, ptr addrspace(1) %to
  ret void
}

define ptx_kernel void @ignores_outside(ptr addrspace(1) noalias %out) #0 {
  %i = call i32 @index()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  %from = getelementptr i8, ptr addrspace(1) %to, i32 -256
  %all = icmp slt i32 %i, 512
  call void asm sideeffect "cp.async.ca.shared.global [ $0 + 0 ], [ $1 + 0 ], 4, $2;", "r,l,b"(ptr addrspace(3) @shared, ptr addrspace(1) %from, i1 %all)
  store i32 %i, ptr addrspace(1) %to
  ret void
}

; As templates of libraries have it: the size is an operand.
define ptx_kernel void @copies_and_waits(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) #0 {
  %i = call i32 @index()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %i
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  call void asm sideeffect "cp.async.ca.shared.global [$0], [$1], $2;", "r,l,n"(ptr addrspace(3) @shared, ptr addrspace(1) %from, i32 4)
  call void asm sideeffect "cp.async.commit_group;", "~{memory}"()
  call void asm sideeffect "cp.async.wait_group $0;", "n,~{memory}"(i32 0)
  call void asm sideeffect "cp.async.wait_all;", "~{memory}"()
  store i32 %i, ptr addrspace(1) %to
  ret void
}

define ptx_kernel void @odd_size(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) #0 {
  %i = call i32 @index()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  call void asm sideeffect "cp.async.ca.shared.global [$0], [$1], $2;", "r,l,r"(ptr addrspace(3) @shared, ptr addrspace(1) %in, i32 %i)
  store i32 %i, ptr addrspace(1) %to
  ret void
}

; Outputs that are read before anything is written to them: "=r" where "+r" was meant.
define ptx_kernel void @reads_first(ptr addrspace(1) noalias %out) #0 {
  %i = call i32 @index()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  %v = call i32 asm "add.s32 $0, $0, $1;", "=r,r"(i32 %i)
  %w = call { i32, i32 } asm "mov.b32 $0, $1;", "=r,=r"()
  %a = extractvalue { i32, i32 } %w, 0
  %sum = add i32 %v, %a
  store i32 %sum, ptr addrspace(1) %to
  ret void
}

define ptx_kernel void @stores_first(ptr addrspace(1) noalias %out) #0 {
  %i = call i32 @index()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  %v = call i32 asm sideeffect "st.global.b32 [ $1 + 0 ], $0;", "=r,l"(ptr addrspace(1) %to)
  ret void
}

define ptx_kernel void @asks_first(ptr addrspace(1) noalias %out) #0 {
  %i = call i32 @index()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  %v = call { i1, i32 } asm sideeffect "@$0 mov.b32 $1, 7;\0A\09@!$0 st.global.b32 [ $2 + 0 ], $1;", "=b,=r,l"(ptr addrspace(1) %to)
  ret void
}

define ptx_kernel void @goes_anywhere(ptr addrspace(1) noalias %out) #0 {
  %i = call i32 @index()
  %v = call i64 asm sideeffect "st.global.b32 [ $0 + 0 ], $1;", "=l,r"(i32 %i)
  ret void
}

; A tied input is the register of its output: the store is to the next workgroup's.
define ptx_kernel void @tied_moves_on(ptr addrspace(1) noalias %out) #0 {
  %i = call i32 @index()
  %at = getelementptr i32, ptr addrspace(1) %out, i32 %i
  %number = ptrtoint ptr addrspace(1) %at to i64
  %v = call i64 asm sideeffect "add.s64 $0, $0, 256;\0A\09st.global.b32 [ $1 + 0 ], $2;", "=l,0,r"(i64 %number, i32 %i)
  store i32 %i, ptr addrspace(1) %at
  ret void
}

define ptx_kernel void @tied_stays(ptr addrspace(1) noalias %out) #0 {
  %i = call i32 @index()
  %at = getelementptr i32, ptr addrspace(1) %out, i32 %i
  %number = ptrtoint ptr addrspace(1) %at to i64
  %v = call i64 asm sideeffect "st.global.b32 [ $1 + 0 ], $2;\0A\09add.s64 $0, $0, 256;", "=l,0,r"(i64 %number, i32 %i)
  ret void
}

; What is written may be the register of an input that is read later, where copies may
; connect them, unless it is said to be written early, or another size.
define ptx_kernel void @may_be_overwritten(ptr addrspace(1) noalias %out) #0 {
entry:
  %i = call i32 @index()
  %first = getelementptr i32, ptr addrspace(1) %out, i32 %i
  br label %again

again:
  %at = phi ptr addrspace(1) [ %first, %entry ], [ %next, %again ]
  %v = call i64 asm sideeffect "mov.b64 $0, 64;\0A\09st.global.b32 [ $1 + 0 ], $2;", "=l,l,r"(ptr addrspace(1) %at, i32 %i)
  %next = inttoptr i64 %v to ptr addrspace(1)
  %more = icmp ugt i64 %v, 64
  br i1 %more, label %again, label %done

done:
  ret void
}

define ptx_kernel void @kept_in_a_variable(ptr addrspace(1) noalias %out) #0 {
  %i = call i32 @index()
  %at = getelementptr i32, ptr addrspace(1) %out, i32 %i
  %kept = alloca ptr addrspace(1)
  store ptr addrspace(1) %at, ptr %kept
  %again = load ptr addrspace(1), ptr %kept
  %v = call ptr addrspace(1) asm sideeffect "mov.b64 $0, 64;\0A\09st.global.b32 [ $1 + 0 ], $2;", "=l,l,r"(ptr addrspace(1) %again, i32 %i)
  store ptr addrspace(1) %v, ptr %kept
  ret void
}

define ptx_kernel void @is_another(ptr addrspace(1) noalias %out) #0 {
  %i = call i32 @index()
  %at = getelementptr i32, ptr addrspace(1) %out, i32 %i
  %v = call i64 asm sideeffect "mov.b64 $0, 64;\0A\09st.global.b32 [ $1 + 0 ], $2;", "=l,l,r"(ptr addrspace(1) %at, i32 %i)
  %sum = xor i64 %v, 1
  %v2 = call i64 asm sideeffect "mov.b64 $0, $2;\0A\09st.global.b32 [ $1 + 0 ], $3;", "=l,l,l,r"(ptr addrspace(1) %at, i64 %sum, i32 %i)
  ret void
}

define ptx_kernel void @written_early(ptr addrspace(1) noalias %out) #0 {
  %i = call i32 @index()
  %at = getelementptr i32, ptr addrspace(1) %out, i32 %i
  %v = call i64 asm sideeffect "mov.b64 $0, 64;\0A\09st.global.b32 [ $1 + 0 ], $2;", "=&l,l,r"(ptr addrspace(1) %at, i32 %i)
  ret void
}

define ptx_kernel void @other_size(ptr addrspace(1) noalias %out) #0 {
  %i = call i32 @index()
  %at = getelementptr i32, ptr addrspace(1) %out, i32 %i
  %v = call i32 asm sideeffect "mov.b32 $0, 64;\0A\09st.global.b32 [ $1 + 0 ], $2;", "=r,l,r"(ptr addrspace(1) %at, i32 %i)
  ret void
}

define ptx_kernel void @moves_an_address(ptr addrspace(1) noalias %out) #0 {
  %i = call i32 @index()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  %number = call i64 asm "mov.b64 $0, $1;", "=l,l"(ptr addrspace(1) %to)
  %half = call i32 asm "mov.b32 $0, $1;", "=r,r"(ptr addrspace(3) @shared)
  %low = trunc i64 %number to i32
  %sum = add i32 %low, %half
  store i32 %sum, ptr addrspace(1) %to
  ret void
}

; A barrier for the compiler.
define ptx_kernel void @no_text(ptr addrspace(1) noalias %out) #0 {
  %i = call i32 @index()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  call void asm sideeffect "", "~{memory}"()
  store i32 %i, ptr addrspace(1) %to
  ret void
}

; A product of one subgroup, as Triton writes it for sm_80.
define ptx_kernel void @multiplies(ptr addrspace(1) noalias %out) #0 {
  %i = call i32 @index()
  %to = getelementptr float, ptr addrspace(1) %out, i32 %i
  %d = call { float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 { $0, $1, $2, $3 }, { $8, $9, $10, $11 }, { $12, $13 }, { $4, $5, $6, $7 };", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,r,r"(float 0.0, float 0.0, float 0.0, float 0.0, i32 %i, i32 %i, i32 %i, i32 %i, i32 %i, i32 %i)
  %v = extractvalue { float, float, float, float } %d, 0
  store float %v, ptr addrspace(1) %to
  ret void
}

; How caches keep a line is an operand.
define ptx_kernel void @keeps_in_cache(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) #0 {
  %i = call i32 @index()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %i
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  %policy = call i64 asm sideeffect "mov.u64 $0, 0x0;\0A\09createpolicy.fractional.L2::evict_last.b64 $0, 1.0;", "=l"()
  %v = call i32 asm sideeffect "mov.u32 $0, 0x0;\0A\09ld.global.L1::evict_last.L2::cache_hint.b32 { $0 }, [ $1 + 0 ], $2;", "=r,l,l"(ptr addrspace(1) %from, i64 %policy)
  call void asm sideeffect "st.global.L1::evict_first.L2::cache_hint.b32 [ $1 + 0 ], { $0 }, $2;", "r,l,l"(i32 %v, ptr addrspace(1) %to, i64 %policy)
  ret void
}

define ptx_kernel void @keeps_what_meets(ptr addrspace(1) noalias %out) #0 {
  %i = call i32 @index()
  call void asm sideeffect "st.global.L2::cache_hint.b32 [ $1 + 0 ], { $0 }, $2;", "r,l,l"(i32 %i, ptr addrspace(1) %out, i64 0)
  ret void
}

define ptx_kernel void @no_policy(ptr addrspace(1) noalias %out) #0 {
  %i = call i32 @index()
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %i
  call void asm sideeffect "st.global.L2::cache_hint.b32 [ $1 + 0 ], { $0 };", "r,l"(i32 %i, ptr addrspace(1) %to)
  ret void
}

; The value of a fraction is not kept.
define ptx_kernel void @fraction_moved(ptr addrspace(1) noalias %out) #0 {
  %i = call i32 @index()
  %to = getelementptr float, ptr addrspace(1) %out, i32 %i
  %v = call float asm "mov.f32 $0, 1.5;", "=f"()
  store float %v, ptr addrspace(1) %to
  ret void
}

define ptx_kernel void @any_space(ptr noalias %in, ptr noalias %out) #0 {
  %i = call i32 @index()
  %from = getelementptr i32, ptr %in, i32 %i
  %to = getelementptr i32, ptr %out, i32 %i
  %v = call i32 asm sideeffect "ld.u32 $0, [$1];", "=r,l"(ptr %from)
  call void asm sideeffect "st.u32 [$0], $1;", "l,r"(ptr %to, i32 %v)
  ret void
}

define ptx_kernel void @any_space_meets(ptr noalias %out) #0 {
  %i = call i32 @index()
  call void asm sideeffect "st.cs.u32 [$0], $1;", "l,r"(ptr %out, i32 %i)
  ret void
}

define ptx_kernel void @other_order_of_words(ptr addrspace(1) noalias %out) #0 {
  %i = call i32 @index()
  call void asm sideeffect "red.global.add.u32 [$0], $1;", "l,r"(ptr addrspace(1) %out, i32 %i)
  call void asm sideeffect "red.release.gpu.global.add.u32 [$0], $1;", "l,r"(ptr addrspace(1) %out, i32 %i)
  %old = call i32 asm sideeffect "atom.add.u32 $0, [$1], $2;", "=r,l,r"(ptr addrspace(1) %out, i32 %i)
  ret void
}

define ptx_kernel void @two_spaces(ptr addrspace(1) noalias %out) #0 {
  %i = call i32 @index()
  call void asm sideeffect "red.global.shared.add.u32 [$0], $1;", "l,r"(ptr addrspace(1) %out, i32 %i)
  ret void
}

; The look-back of a scan: what others have written is read over and over.
define ptx_kernel void @polls(ptr addrspace(1) noalias %flags) #0 {
  %i = call i32 @index()
  %own = getelementptr i32, ptr addrspace(1) %flags, i32 %i
  store i32 1, ptr addrspace(1) %own
  %before = getelementptr i8, ptr addrspace(1) %own, i32 -256
  br label %loop
loop:
  %seen = call i32 asm sideeffect "ld.global.cg.u32 $0, [$1];", "=r,l"(ptr addrspace(1) %before)
  %no = icmp eq i32 %seen, 0
  br i1 %no, label %loop, label %done
done:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

attributes #0 = { "nvvm.reqntid"="64" }
