; A poll whose bits or numbers are gathered until there are enough of them waits as any
; other; also where the load was hoisted. A loop that counts does not, though the default
; of a switch in it, which nothing comes to, would leave it.

; RUN: swizzle-llvm %s --options='chip=h200;grid=64;block=32;formula=@reverse' -o /dev/null --report=%t.json
; RUN: FileCheck %s < %t.json
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.umax.i32(i32, i32)
declare float @llvm.fma.f32(float, float, float)
declare i32 @llvm.cttz.i32(i32, i1)

; CHECK: "name": "gathers_bits"
; CHECK: "reason_code": "waiting-loop"
define ptx_kernel void @gathers_bits(ptr %flags, ptr noalias readonly %order, ptr %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mine = getelementptr i32, ptr %order, i32 %x
  %before = load i32, ptr %mine
  %flag = getelementptr i32, ptr %flags, i32 %before
  br label %wait
wait:
  %bits = phi i32 [ 0, %0 ], [ %all, %wait ]
  %new = call i32 asm sideeffect "ld.global.cg.u32 $0,[$1];", "=r,l,~{memory}"(ptr %flag)
  %all = or i32 %new, %bits
  %low = and i32 %all, 1
  %none = icmp eq i32 %low, 0
  br i1 %none, label %wait, label %go
go:
  %next = getelementptr i32, ptr %flags, i32 %x
  call void asm sideeffect "st.global.cg.u32 [$0],$1;", "l,r,~{memory}"(ptr %next, i32 1)
  ret void
}

; CHECK: "name": "sums"
; CHECK: "reason_code": "waiting-loop"
define ptx_kernel void @sums(ptr %flags, ptr noalias readonly %order, ptr %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %mine = getelementptr i32, ptr %order, i32 %x
  %before = load i32, ptr %mine
  %flag = getelementptr i32, ptr %flags, i32 %before
  br label %wait
wait:
  %sum = phi float [ 0.0, %0 ], [ %all, %wait ]
  %new = call float asm sideeffect "ld.global.cg.f32 $0,[$1];", "=f,l,~{memory}"(ptr %flag)
  %all = fadd float %sum, %new
  %enough = fcmp ogt float %all, 0.5
  br i1 %enough, label %go, label %wait
go:
  %next = getelementptr float, ptr %flags, i32 %x
  call void asm sideeffect "st.global.cg.f32 [$0],$1;", "l,f,~{memory}"(ptr %next, float 1.0)
  ret void
}

; CHECK: "name": "multiplies"
; CHECK: "reason_code": "waiting-loop"
define ptx_kernel void @multiplies(ptr %flags, ptr noalias readonly %order, ptr %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %mine = getelementptr i32, ptr %order, i32 %x
  %before = load i32, ptr %mine
  %flag = getelementptr i32, ptr %flags, i32 %before
  br label %wait
wait:
  %product = phi i32 [ 3, %0 ], [ %all, %wait ]
  %new = call i32 asm sideeffect "ld.global.cg.u32 $0,[$1];", "=r,l,~{memory}"(ptr %flag)
  %all = mul i32 %product, %new
  %enough = icmp sgt i32 %all, 5
  br i1 %enough, label %go, label %wait
go:
  %next = getelementptr i32, ptr %flags, i32 %x
  call void asm sideeffect "st.global.cg.u32 [$0],$1;", "l,r,~{memory}"(ptr %next, i32 2)
  ret void
}

; CHECK: "name": "greatest"
; CHECK: "reason_code": "waiting-loop"
define ptx_kernel void @greatest(ptr %flags, ptr noalias readonly %order, ptr %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %mine = getelementptr i32, ptr %order, i32 %x
  %before = load i32, ptr %mine
  %flag = getelementptr i32, ptr %flags, i32 %before
  br label %wait
wait:
  %most = phi i32 [ 0, %0 ], [ %all, %wait ]
  %new = call i32 asm sideeffect "ld.global.cg.u32 $0,[$1];", "=r,l,~{memory}"(ptr %flag)
  %all = call i32 @llvm.umax.i32(i32 %most, i32 %new)
  %enough = icmp ugt i32 %all, 5
  br i1 %enough, label %go, label %wait
go:
  %next = getelementptr i32, ptr %flags, i32 %x
  call void asm sideeffect "st.global.cg.u32 [$0],$1;", "l,r,~{memory}"(ptr %next, i32 6)
  ret void
}

; The flag that is set lies beside the one that is awaited, which memory names; and what is
; added is a multiple of the flag.
; CHECK: "name": "sums_for_the_next"
; CHECK: "reason_code": "waiting-loop"
define ptx_kernel void @sums_for_the_next(ptr noalias %flags, ptr noalias readonly %order, float %scale) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %mine = getelementptr i32, ptr %order, i32 %x
  %before = load i32, ptr %mine
  %flag = getelementptr float, ptr %flags, i32 %before
  br label %wait
wait:
  %sum = phi float [ 0.0, %0 ], [ %all, %wait ]
  %new = call float asm sideeffect "ld.global.cg.f32 $0,[$1];", "=f,l,~{memory}"(ptr %flag)
  %all = call float @llvm.fma.f32(float %new, float %scale, float %sum)
  %none = fcmp olt float %all, 0.5
  br i1 %none, label %wait, label %go
go:
  %next = getelementptr float, ptr %flag, i32 1
  call void asm sideeffect "st.global.cg.u32 [$0],$1;", "l,r,~{memory}"(ptr %next, i32 1065353216)
  ret void
}

; Steps that lie beside what they are added to are this workgroup's own.
; CHECK: "name": "steps"
; CHECK: "outcome": "remapped"
define ptx_kernel void @steps(ptr noalias %state, float %until) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %p = getelementptr {float, float}, ptr %state, i32 %x
  %q = getelementptr i8, ptr %p, i32 4
  %begin = load float, ptr %p
  %step = load float, ptr %q
  br label %turn
turn:
  %time = phi float [ %begin, %0 ], [ %next, %turn ]
  %next = fadd float %time, %step
  %more = fcmp olt float %next, %until
  br i1 %more, label %turn, label %end
end:
  store float %next, ptr %p
  ret void
}

; What takes the lowest bit away moves on.
; CHECK: "name": "bits"
; CHECK: "outcome": "remapped"
define ptx_kernel void @bits(ptr noalias readonly %masks, ptr %table, i32 %wanted) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %m = getelementptr i32, ptr %masks, i32 %x
  %mask = load i32, ptr %m
  %row = mul i32 %x, 32
  br label %turn
turn:
  %left = phi i32 [ %mask, %0 ], [ %rest, %next ]
  %any = icmp ne i32 %left, 0
  br i1 %any, label %look, label %end
look:
  %bit = call i32 @llvm.cttz.i32(i32 %left, i1 true)
  %at = add i32 %row, %bit
  %p = getelementptr i32, ptr %table, i32 %at
  %number = load i32, ptr %p
  %found = icmp eq i32 %number, %wanted
  br i1 %found, label %store, label %next
next:
  %less = add i32 %left, -1
  %rest = and i32 %left, %less
  br label %turn
store:
  store i32 0, ptr %p
  br label %end
end:
  ret void
}

; CHECK: "name": "counts"
; CHECK: "outcome": "remapped"
define ptx_kernel void @counts(ptr %data, ptr noalias readonly %steps, ptr %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %place = getelementptr i32, ptr %data, i32 %x
  br label %turn
turn:
  %i = phi i32 [ 0, %0 ], [ %next, %end ]
  %h = phi i32 [ 0, %0 ], [ %mixed, %end ]
  %from = getelementptr i32, ptr %steps, i32 %i
  %step = load i32, ptr %from
  %old = load i32, ptr %place
  %kind = and i32 %old, 1
  switch i32 %kind, label %never [
    i32 0, label %even
    i32 1, label %odd
  ]
never:
  unreachable
even:
  br label %end
odd:
  br label %end
end:
  %with = phi i32 [ %step, %even ], [ %old, %odd ]
  %mixed = xor i32 %h, %with
  %next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %next, 5
  br i1 %done, label %out.of, label %turn
out.of:
  store i32 %mixed, ptr %place
  ret void
}
