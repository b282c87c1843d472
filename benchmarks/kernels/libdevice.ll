; Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
; See LICENSE.TXT for license information.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; The few fp32 functions that MLIR expects of CUDA's libdevice, on the special
; function units (as nvcc's -use_fast_math): CUDA is not needed to compile the
; benchmark kernels, and no call is left in the PTX.

target triple = "nvptx64-nvidia-cuda"

declare float @llvm.fma.f32(float, float, float)
declare float @llvm.fabs.f32(float)
declare float @llvm.maxnum.f32(float, float)
declare float @llvm.sqrt.f32(float)
declare float @llvm.nvvm.ex2.approx.f(float)
declare float @llvm.nvvm.lg2.approx.f(float)
declare float @llvm.nvvm.rsqrt.approx.f(float)

define linkonce_odr float @__nv_fmaf(float %a, float %b, float %c) alwaysinline {
  %r = call float @llvm.fma.f32(float %a, float %b, float %c)
  ret float %r
}

define linkonce_odr float @__nv_fabsf(float %x) alwaysinline {
  %r = call float @llvm.fabs.f32(float %x)
  ret float %r
}

define linkonce_odr float @__nv_sqrtf(float %x) alwaysinline {
  %r = call float @llvm.sqrt.f32(float %x)
  ret float %r
}

define linkonce_odr float @__nv_rsqrtf(float %x) alwaysinline {
  %r = call float @llvm.nvvm.rsqrt.approx.f(float %x)
  ret float %r
}

; e^x = 2^(x log2 e)
define linkonce_odr float @__nv_expf(float %x) alwaysinline {
  %scaled = fmul float %x, 0x3FF7154760000000
  %r = call float @llvm.nvvm.ex2.approx.f(float %scaled)
  ret float %r
}

; ln x = log2 x * ln 2
define linkonce_odr float @__nv_logf(float %x) alwaysinline {
  %log2 = call float @llvm.nvvm.lg2.approx.f(float %x)
  %r = fmul float %log2, 0x3FE62E4300000000
  ret float %r
}

define linkonce_odr float @__nv_fmaxf(float %a, float %b) alwaysinline {
  %r = call float @llvm.maxnum.f32(float %a, float %b)
  ret float %r
}
