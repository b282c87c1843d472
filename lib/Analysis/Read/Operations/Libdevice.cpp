//===- Libdevice.cpp - Functions of CUDA's libdevice ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// They compute with their operands. Others whose names begin alike do not: NVIDIA's
// headers call what a workgroup's place in its cluster is read by
// `__nv_clusterRelativeBlockRank_impl`.
//
// Source: NVIDIA, "Libdevice User's Guide".
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
    "fast_log2f fast_logf fast_powf fast_sincosf fast_sinf fast_tanf fast_tanhf "
    "fdiv_r* ffs ffsll finitef float_as_int float_as_uint float2half_rn "
    "float2int_r* float2ll_r* float2uint_r* float2ull_r* fma_r* fmaf_ieee_r* "
    "fmaf_r* fmul_r* frcp_r* frsqrt_rn fsqrt_r* fsub_r* hadd half2float "
    "hiloint2double int_as_float int2double_rn int2float_r* isfinited isfinitef "
    "isinfd isinff isnand isnanf ll2double_r* ll2float_r* llabs llmax llmin "
    "longlong_as_double max min mul24 mul64hi mulhi popc popcll rhadd sad "
    "saturatef signbitd signbitf uhadd uint_as_float uint2double_rn "
    "uint2float_r* ull2double_r* ull2float_r* ullmax ullmin umax umin umul24 "
    "umul64hi umulhi urhadd usad");

bool isOfLibdevice(llvm::StringRef name) {
  if (!name.consume_front("__nv_"))
    return false;
  if (matches(kOthers, name) || matches(kBothPrecisions, name))
    return true;
  return name.consume_back("f") && matches(kBothPrecisions, name);
}

} // namespace swizzle::analysis
