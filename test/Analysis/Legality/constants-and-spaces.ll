; What an argument may overlap is no constant, which nobody writes; so nothing is assumed
; of it. And of an address it is known in which memory it is.

; RUN: swizzle-llvm %s --options='chip=h200;grid=64;block=32;formula=@reverse;strict' -o /dev/null --report=%t.json
; RUN: FileCheck %s < %t.json
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i1 @llvm.nvvm.isspacep.global(ptr)
declare i1 @llvm.nvvm.isspacep.shared(ptr)

@table = internal unnamed_addr addrspace(1) constant [4 x i32] [i32 3, i32 1, i32 4, i32 1]
@coefficients = addrspace(4) externally_initialized constant [4 x i32] zeroinitializer
@state = internal addrspace(1) global [4 x i32] zeroinitializer

; CHECK: "name": "looks_up"
; CHECK: "outcome": "remapped"
define ptx_kernel void @looks_up(ptr %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %i = and i32 %x, 3
  %a = getelementptr [4 x i32], ptr addrspace(1) @table, i32 0, i32 %i
  %b = getelementptr [4 x i32], ptr addrspace(4) @coefficients, i32 0, i32 %i
  %one = load i32, ptr addrspace(1) %a
  %two = load i32, ptr addrspace(4) %b
  %sum = add i32 %one, %two
  %to = getelementptr i32, ptr %out, i32 %x
  store i32 %sum, ptr %to
  ret void
}

; CHECK: "name": "looks_up_state"
; CHECK: "reason": "`strict` is given, and it is only assumed that state and arg0 do not overlap in memory
define ptx_kernel void @looks_up_state(ptr %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %i = and i32 %x, 3
  %a = getelementptr [4 x i32], ptr addrspace(1) @state, i32 0, i32 %i
  %one = load i32, ptr addrspace(1) %a
  %to = getelementptr i32, ptr %out, i32 %x
  store i32 %one, ptr %to
  ret void
}

; CHECK: "name": "asks_where"
; CHECK: "outcome": "remapped"
; CHECK: "not_modelled": [],
define ptx_kernel void @asks_where(ptr noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %to = getelementptr i32, ptr %out, i32 %x
  %global = call i1 @llvm.nvvm.isspacep.global(ptr %to)
  %shared = call i1 @llvm.nvvm.isspacep.shared(ptr %to)
  %only = xor i1 %shared, true
  %both = and i1 %global, %only
  br i1 %both, label %store, label %end
store:
  store i32 %x, ptr %to
  br label %end
end:
  ret void
}

; Parameters and constants have windows of their own.
; CHECK: "name": "asks_of_a_parameter"
; CHECK: "reason": "`strict` is given, and it is only assumed that writes of arg1
define ptx_kernel void @asks_of_a_parameter(ptr byval([4 x i32]) align 16 readonly %s, ptr noalias %out, i32 %i) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = getelementptr i32, ptr %s, i32 %i
  %global = call i1 @llvm.nvvm.isspacep.global(ptr %from)
  br i1 %global, label %meet, label %apart
apart:
  %to = getelementptr i32, ptr %out, i32 %x
  store i32 %x, ptr %to
  ret void
meet:
  store i32 %x, ptr %out
  ret void
}

; CHECK: "name": "asks_of_a_constant"
; CHECK: "reason": "`strict` is given, and it is only assumed that writes of arg1
define ptx_kernel void @asks_of_a_constant(ptr addrspace(4) noalias readonly %c, ptr noalias %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %from = call ptr @generic(ptr addrspace(4) %c)
  %global = call i1 @llvm.nvvm.isspacep.global(ptr %from)
  br i1 %global, label %apart, label %meet
apart:
  %to = getelementptr i32, ptr %out, i32 %x
  store i32 %x, ptr %to
  ret void
meet:
  store i32 %x, ptr %out
  ret void
}

define internal ptr @generic(ptr addrspace(4) %c) noinline {
  %from = addrspacecast ptr addrspace(4) %c to ptr
  ret ptr %from
}
