; A number that is taken apart into digits and put together in another order has the range of
; these digits, and so has one of which a bit is turned.

; RUN: swizzle-llvm %s --options='chip=h200;grid=2835;block=256;formula=@reverse;simulate=off' --report=%t.json -o /dev/null
; RUN: python3 -c "import json; [print(k['name'], k['outcome'], k['modelled'], len(k['not_modelled'])) for k in json.load(open('%t.json'))['kernels']]" | FileCheck %s

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; A permutation of the axes of a tensor of 24 x 42 x 36 x 20 numbers.
; CHECK: permuted remapped 2 0
define ptx_kernel void @permuted(ptr noalias %out, ptr noalias readonly %in) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b8 = shl i32 %b, 8
  %i = add i32 %b8, %t
  %q = sdiv i32 %i, 20
  %m = mul i32 %q, 20
  %r = sub i32 %i, %m
  %i3 = srem i32 %q, 36
  %q2 = sdiv i32 %i, 720
  %i2 = srem i32 %q2, 42
  %q1 = sdiv i32 %i, 30240
  %i1 = srem i32 %q1, 24
  %a = mul i32 %r, 864
  %a1 = add i32 %a, %i1
  %a2 = mul i32 %a1, 42
  %c = mul i32 %i3, 1008
  %c1 = add i32 %c, %i2
  %j = add i32 %c1, %a2
  %z = sext i32 %j to i64
  %from = getelementptr float, ptr %in, i64 %z
  %v = load float, ptr %from
  %zi = sext i32 %i to i64
  %to = getelementptr float, ptr %out, i64 %zi
  store float %v, ptr %to
  ret void
}

; The neighbour's tile, (x ^ 1) * 256: below zero for nobody.
; CHECK: neighbours remapped 2 0
define ptx_kernel void @neighbours(ptr noalias %out, ptr noalias readonly %in) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %other = xor i32 %x, 1
  %i = shl i32 %other, 8
  %j = add i32 %i, %t
  %z = zext i32 %j to i64
  %to = getelementptr float, ptr %out, i64 %z
  %i2 = shl i32 %x, 8
  %j2 = add i32 %i2, %t
  %z2 = zext i32 %j2 to i64
  %from = getelementptr float, ptr %in, i64 %z2
  %v = load float, ptr %from
  store float %v, ptr %to
  ret void
}
