; Forty functions, each of which calls the next one twice and is marked always_inline,
; are 2^40 copies of the last one: said at once, and not inlined.

; RUN: swizzle-llvm %s --options='chip=h100;grid=8x4;block=64' -o %t.ll 2>&1 | FileCheck %s
; RUN: diff %s %t.ll
; RUN: not swizzle-check %s --model --grid=8x4 --block=64 2>&1 | FileCheck %s --check-prefix=READ

; CHECK: swizzle: all kernels stay as they are: 'f21' would be more than 1000000 instructions, with all that it calls and that is marked always_inline
; READ:  'f21' would be more than 1000000 instructions
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %out) {
  call void @f0(ptr %out)
  ret void
}
define internal void @f0(ptr %out) alwaysinline {
  call void @f1(ptr %out)
  call void @f1(ptr %out)
  ret void
}
define internal void @f1(ptr %out) alwaysinline {
  call void @f2(ptr %out)
  call void @f2(ptr %out)
  ret void
}
define internal void @f2(ptr %out) alwaysinline {
  call void @f3(ptr %out)
  call void @f3(ptr %out)
  ret void
}
define internal void @f3(ptr %out) alwaysinline {
  call void @f4(ptr %out)
  call void @f4(ptr %out)
  ret void
}
define internal void @f4(ptr %out) alwaysinline {
  call void @f5(ptr %out)
  call void @f5(ptr %out)
  ret void
}
define internal void @f5(ptr %out) alwaysinline {
  call void @f6(ptr %out)
  call void @f6(ptr %out)
  ret void
}
define internal void @f6(ptr %out) alwaysinline {
  call void @f7(ptr %out)
  call void @f7(ptr %out)
  ret void
}
define internal void @f7(ptr %out) alwaysinline {
  call void @f8(ptr %out)
  call void @f8(ptr %out)
  ret void
}
define internal void @f8(ptr %out) alwaysinline {
  call void @f9(ptr %out)
  call void @f9(ptr %out)
  ret void
}
define internal void @f9(ptr %out) alwaysinline {
  call void @f10(ptr %out)
  call void @f10(ptr %out)
  ret void
}
define internal void @f10(ptr %out) alwaysinline {
  call void @f11(ptr %out)
  call void @f11(ptr %out)
  ret void
}
define internal void @f11(ptr %out) alwaysinline {
  call void @f12(ptr %out)
  call void @f12(ptr %out)
  ret void
}
define internal void @f12(ptr %out) alwaysinline {
  call void @f13(ptr %out)
  call void @f13(ptr %out)
  ret void
}
define internal void @f13(ptr %out) alwaysinline {
  call void @f14(ptr %out)
  call void @f14(ptr %out)
  ret void
}
define internal void @f14(ptr %out) alwaysinline {
  call void @f15(ptr %out)
  call void @f15(ptr %out)
  ret void
}
define internal void @f15(ptr %out) alwaysinline {
  call void @f16(ptr %out)
  call void @f16(ptr %out)
  ret void
}
define internal void @f16(ptr %out) alwaysinline {
  call void @f17(ptr %out)
  call void @f17(ptr %out)
  ret void
}
define internal void @f17(ptr %out) alwaysinline {
  call void @f18(ptr %out)
  call void @f18(ptr %out)
  ret void
}
define internal void @f18(ptr %out) alwaysinline {
  call void @f19(ptr %out)
  call void @f19(ptr %out)
  ret void
}
define internal void @f19(ptr %out) alwaysinline {
  call void @f20(ptr %out)
  call void @f20(ptr %out)
  ret void
}
define internal void @f20(ptr %out) alwaysinline {
  call void @f21(ptr %out)
  call void @f21(ptr %out)
  ret void
}
define internal void @f21(ptr %out) alwaysinline {
  call void @f22(ptr %out)
  call void @f22(ptr %out)
  ret void
}
define internal void @f22(ptr %out) alwaysinline {
  call void @f23(ptr %out)
  call void @f23(ptr %out)
  ret void
}
define internal void @f23(ptr %out) alwaysinline {
  call void @f24(ptr %out)
  call void @f24(ptr %out)
  ret void
}
define internal void @f24(ptr %out) alwaysinline {
  call void @f25(ptr %out)
  call void @f25(ptr %out)
  ret void
}
define internal void @f25(ptr %out) alwaysinline {
  call void @f26(ptr %out)
  call void @f26(ptr %out)
  ret void
}
define internal void @f26(ptr %out) alwaysinline {
  call void @f27(ptr %out)
  call void @f27(ptr %out)
  ret void
}
define internal void @f27(ptr %out) alwaysinline {
  call void @f28(ptr %out)
  call void @f28(ptr %out)
  ret void
}
define internal void @f28(ptr %out) alwaysinline {
  call void @f29(ptr %out)
  call void @f29(ptr %out)
  ret void
}
define internal void @f29(ptr %out) alwaysinline {
  call void @f30(ptr %out)
  call void @f30(ptr %out)
  ret void
}
define internal void @f30(ptr %out) alwaysinline {
  call void @f31(ptr %out)
  call void @f31(ptr %out)
  ret void
}
define internal void @f31(ptr %out) alwaysinline {
  call void @f32(ptr %out)
  call void @f32(ptr %out)
  ret void
}
define internal void @f32(ptr %out) alwaysinline {
  call void @f33(ptr %out)
  call void @f33(ptr %out)
  ret void
}
define internal void @f33(ptr %out) alwaysinline {
  call void @f34(ptr %out)
  call void @f34(ptr %out)
  ret void
}
define internal void @f34(ptr %out) alwaysinline {
  call void @f35(ptr %out)
  call void @f35(ptr %out)
  ret void
}
define internal void @f35(ptr %out) alwaysinline {
  call void @f36(ptr %out)
  call void @f36(ptr %out)
  ret void
}
define internal void @f36(ptr %out) alwaysinline {
  call void @f37(ptr %out)
  call void @f37(ptr %out)
  ret void
}
define internal void @f37(ptr %out) alwaysinline {
  call void @f38(ptr %out)
  call void @f38(ptr %out)
  ret void
}
define internal void @f38(ptr %out) alwaysinline {
  call void @f39(ptr %out)
  call void @f39(ptr %out)
  ret void
}
define internal void @f39(ptr %out) alwaysinline {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  store i32 %x, ptr %out
  ret void
}
