//===- MathLibraries.cpp - Functions of libdevice and OCML ----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// They compute with their operands. Others whose names begin alike need not:
// NVIDIA's headers call what a workgroup's place in its cluster is read by
// `__nv_clusterRelativeBlockRank_impl`.
//
// Sources: NVIDIA, "Libdevice User's Guide"; ROCm device libraries, ocml.h.
//
//===----------------------------------------------------------------------===//

#include "Operations.h"

namespace swizzle::analysis {

/// Of one number or two, in double precision; with an "f" behind it in single.
static constexpr llvm::StringLiteral kBothPrecisions(
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh cospi "
    "cyl_bessel_i0 cyl_bessel_i1 erf erfc erfcinv erfcx erfinv exp exp10 exp2 "
    "expm1 fabs fdim floor fma fmax fmin fmod frexp hypot ilogb j0 j1 jn ldexp "
    "lgamma llrint llround log log10 log1p log2 logb lrint lround modf nan "
    "nearbyint nextafter norm norm3d norm4d normcdf normcdfinv pow powi rcbrt "
    "remainder remquo rhypot rint rnorm rnorm3d rnorm4d round rsqrt scalbn sin "
    "sincos sincospi sinh sinpi sqrt tan tanh tgamma trunc y0 y1 yn");

static constexpr llvm::StringLiteral kOthers(
    "abs brev brevll byte_perm clz clzll double_as_longlong double2float_r* "
    "double2hiint double2int_r* double2ll_r* double2loint double2uint_r* "
    "double2ull_r* dadd_r* ddiv_r* dmul_r* drcp_r* dsqrt_r* dsub_r* "
    "fadd_r* fast_cosf fast_exp10f fast_expf fast_fdividef fast_log10f "
    "fast_log2f fast_logf fast_powf fast_sincosf fast_sinf fast_tanf "
    "fast_tanhf "
    "fdiv_r* ffs ffsll finitef float_as_int float_as_uint float2half_rn "
    "float2int_r* float2ll_r* float2uint_r* float2ull_r* fma_r* fmaf_ieee_r* "
    "fmaf_r* fmul_r* frcp_r* frsqrt_rn fsqrt_r* fsub_r* hadd half2float "
    "hiloint2double int_as_float int2double_rn int2float_r* isfinited "
    "isfinitef isinfd isinff isnand isnanf ll2double_r* ll2float_r* llabs "
    "llmax llmin "
    "longlong_as_double max min mul24 mul64hi mulhi popc popcll rhadd sad "
    "saturatef signbitd signbitf uhadd uint_as_float uint2double_rn "
    "uint2float_r* ull2double_r* ull2float_r* ullmax ullmin umax umin umul24 "
    "umul64hi umulhi urhadd usad");

/// With the type behind them: "exp_f32", "fma_rte_f64".
static constexpr llvm::StringLiteral
    kOcml("acos acosh acospi asin asinh asinpi atan atan2 atan2pi atanh atanpi "
          "cabs cacos "
          "cacosh casin casinh catan catanh cbrt ccos ccosh cdiv ceil cexp "
          "clog copysign cos "
          "cosh cospi csin csinh csqrt ctan ctanh erf erfc erfcinv erfcx "
          "erfinv exp exp10 exp2 "
          "expm1 fabs fdim floor fma fmax fmin fmod fmuladd fpclassify fract "
          "frexp hypot i0 i1 "
          "ilogb isfinite isinf isnan isnormal j0 j1 ldexp len3 len4 lgamma "
          "lgamma_r log log10 "
          "log1p log2 logb mad max maxmag min minmag modf nan native_* ncdf "
          "ncdfinv nearbyint "
          "nextafter pow pown powr rcbrt remainder remquo rhypot rint rlen3 "
          "rlen4 rootn round "
          "rsqrt scalb scalbn signbit sin sincos sincospi sinh sinpi sqrt tan "
          "tanh tanpi "
          "tgamma trunc y0 y1 add_rt* div_rt* fma_rt* mul_rt* sqrt_rt* sub_rt* "
          "cvtrt*");

static bool isOfLibdevice(llvm::StringRef name) {
  if (matches(kOthers, name) || matches(kBothPrecisions, name))
    return true;
  return name.consume_back("f") && matches(kBothPrecisions, name);
}

static bool isOfOcml(llvm::StringRef name) {
  auto [function, type] = name.rsplit('_');
  return matches("f16 f32 f64 2f16 2f32", type) && matches(kOcml, function);
}

bool isOfNoMathLibrary(llvm::StringRef name) {
  if (name.consume_front("__nv_"))
    return !isOfLibdevice(name);
  return name.consume_front("__ocml_") && !isOfOcml(name);
}

} // namespace swizzle::analysis
