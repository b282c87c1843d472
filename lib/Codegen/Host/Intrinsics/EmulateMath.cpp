//===- EmulateMath.cpp - Functions of numbers -----------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of the table in Intrinsics.h. What a GPU approximates is computed in
// double and rounded: original and variant get the same, and no bits are
// promised. Functions of the device libraries are those of the C library.
//
//===----------------------------------------------------------------------===//

#include "Compile/Compilation.h"
#include "Inputs/Numbers.h"
#include "Intrinsics.h"

#include <cmath>

namespace swizzle::host {

namespace {

const llvm::fltSemantics *formatOf(uint32_t bytes) {
  return bytes == 2 ? kHalf : bytes == 4 ? kSingle : kDouble;
}

double number(const Frame &frame, unsigned operand) {
  return decode(formatOf(frame.call.operands[operand].bytes),
                frame.word(operand));
}

void give(const Frame &frame, double value) {
  frame.giveWord(encode(formatOf(frame.call.result.bytes), value));
}

template <double (*function)(double)>
void unary(Workgroup &, const Frame &frame) {
  give(frame, function(number(frame, 0)));
}
template <double (*function)(double, double)>
void binary(Workgroup &, const Frame &frame) {
  give(frame, function(number(frame, 0), number(frame, 1)));
}
template <double (*function)(double, double, double)>
void ternary(Workgroup &, const Frame &frame) {
  give(frame, function(number(frame, 0), number(frame, 1), number(frame, 2)));
}

double reciprocal(double x) { return 1 / x; }
double reciprocalRoot(double x) { return 1 / std::sqrt(x); }
double fraction(double x) { return x - std::floor(x); }
/// Of an angle in whole turns.
double sineOfTurns(double x) { return std::sin(2 * M_PI * x); }
double cosineOfTurns(double x) { return std::cos(2 * M_PI * x); }
double saturate(double x) { return x > 0 ? std::min(x, 1.0) : 0; }
double add(double x, double y) { return x + y; }
double multiply(double x, double y) { return x * y; }
double divide(double x, double y) { return x / y; }
double minimum(double x, double y) {
  return std::isnan(x) || std::isnan(y) ? NAN : std::fmin(x, y);
}
double maximum(double x, double y) {
  return std::isnan(x) || std::isnan(y) ? NAN : std::fmax(x, y);
}
double median(double x, double y, double z) {
  return std::fmax(std::fmin(x, y), std::fmin(std::fmax(x, y), z));
}

/// A result of a whole number.
template <uint64_t (*function)(uint64_t, uint64_t, uint64_t)>
void integers(Workgroup &, const Frame &frame) {
  size_t count = frame.call.operands.size();
  frame.giveWord(function(frame.word(0), count > 1 ? frame.word(1) : 0,
                          count > 2 ? frame.word(2) : 0));
}

uint64_t highSigned32(uint64_t a, uint64_t b, uint64_t) {
  return uint64_t(int64_t(int32_t(a)) * int32_t(b)) >> 32;
}
uint64_t highUnsigned32(uint64_t a, uint64_t b, uint64_t) {
  return a * b >> 32;
}
uint64_t highSigned64(uint64_t a, uint64_t b, uint64_t) {
  return uint64_t(__int128(int64_t(a)) * int64_t(b) >> 64);
}
uint64_t highUnsigned64(uint64_t a, uint64_t b, uint64_t) {
  return uint64_t((unsigned __int128)(a)*b >> 64);
}
int64_t signed24(uint64_t a) { return int64_t(a << 40) >> 40; }
uint64_t product24(uint64_t a, uint64_t b, uint64_t) {
  return uint64_t(signed24(a) * signed24(b));
}
uint64_t unsignedProduct24(uint64_t a, uint64_t b, uint64_t) {
  return (a & 0xFFFFFF) * (b & 0xFFFFFF);
}
/// `c & 31` bits of `a` from bit `b & 31` on.
uint64_t bits(uint64_t a, uint64_t b, uint64_t c) {
  return uint32_t(a) >> (b & 31) & ((uint64_t(1) << (c & 31)) - 1);
}
uint64_t signedBits(uint64_t a, uint64_t b, uint64_t c) {
  unsigned width = c & 31;
  if (!width)
    return 0;
  return uint64_t(int64_t(bits(a, b, c) << (64 - width)) >> (64 - width));
}
/// prmt in its plain mode: each nibble of `c` names a byte of b:a.
uint64_t permute(uint64_t a, uint64_t b, uint64_t c) {
  uint64_t both = uint64_t(uint32_t(b)) << 32 | uint32_t(a), result = 0;
  for (int i = 0; i < 4; ++i) {
    uint64_t selector = c >> 4 * i & 15;
    uint64_t byte = both >> (selector & 7) * 8 & 255;
    if (selector & 8)
      byte = byte & 128 ? 255 : 0;
    result |= byte << 8 * i;
  }
  return result;
}
/// v_perm_b32: each byte of `c` names a byte of a:b, or a constant.
uint64_t permuteBytes(uint64_t a, uint64_t b, uint64_t c) {
  uint64_t both = uint64_t(uint32_t(a)) << 32 | uint32_t(b), result = 0;
  for (int i = 0; i < 4; ++i) {
    uint64_t selector = c >> 8 * i & 255;
    uint64_t sign = both >> ((selector & 3) * 16 + 15) & 1;
    uint64_t byte = selector < 8     ? both >> selector * 8 & 255
                    : selector < 12  ? sign * 255
                    : selector == 12 ? 0
                                     : 255;
    result |= byte << 8 * i;
  }
  return result;
}

template <bool isSigned> void dot4(Workgroup &, const Frame &frame) {
  int64_t sum =
      isSigned ? int64_t(int32_t(frame.word(2))) : int64_t(frame.word(2));
  for (int i = 0; i < 4; ++i) {
    uint64_t a = frame.word(0) >> 8 * i & 255, b = frame.word(1) >> 8 * i & 255;
    sum += isSigned ? int64_t(int8_t(a)) * int8_t(b) : int64_t(a * b);
  }
  frame.giveWord(uint64_t(sum));
}

llvm::StringRef withoutClamp(IntrinsicCall &call, Compilation &) {
  return call.constants.back().value_or(1) ? "a result that is clamped" : "";
}

/// Two numbers as halves, rounded toward zero.
void packHalves(Workgroup &, const Frame &frame) {
  uint32_t packed = 0;
  for (unsigned i = 0; i < 2; ++i) {
    llvm::APFloat value(frame.get<float>(i));
    bool lost;
    value.convert(*kHalf, llvm::APFloat::rmTowardZero, &lost);
    packed |= uint32_t(value.bitcastToAPInt().getZExtValue()) << 16 * i;
  }
  frame.give(packed);
}

/// Bits of the exponent as a number; frexp yields [0.5, 1).
double mantissa(double x) {
  int exponent;
  return std::frexp(x, &exponent);
}
void exponent(Workgroup &, const Frame &frame) {
  int found = 0;
  double x = number(frame, 0);
  if (std::isfinite(x))
    std::frexp(x, &found);
  frame.giveWord(uint64_t(int64_t(found)));
}

/// What a kernel prints is dropped.
void printNothing(Workgroup &, const Frame &frame) { frame.giveWord(0); }

/// The first operand is the text.
void assertFail(Workgroup &w, const Frame &frame) {
  w.failAssertion(frame.call.site, w.textAt(frame.get<const char *>(0)));
}
void abortRun(Workgroup &w, const Frame &frame) { w.failTrap(frame.call.site); }

/// Memory that a thread allocates is its own.
void allocate(Workgroup &w, const Frame &frame) {
  frame.give(w.allocate(frame.call.site, frame.word(0)));
}

const IntrinsicRow kMathRows[] = {
    {"llvm.nvvm.ex2.approx*", unary<std::exp2>},
    {"llvm.nvvm.lg2.approx*", unary<std::log2>},
    {"llvm.nvvm.sin.approx*", unary<std::sin>},
    {"llvm.nvvm.cos.approx*", unary<std::cos>},
    {"llvm.nvvm.tanh.approx*", unary<std::tanh>},
    {"llvm.nvvm.rcp.rn.*", unary<reciprocal>},
    {"llvm.nvvm.rcp.approx.*", unary<reciprocal>},
    {"llvm.nvvm.sqrt.rn.*", unary<std::sqrt>},
    {"llvm.nvvm.sqrt.approx.*", unary<std::sqrt>},
    {"llvm.nvvm.sqrt.f", unary<std::sqrt>},
    {"llvm.nvvm.rsqrt.approx.*", unary<reciprocalRoot>},
    {"llvm.nvvm.fabs*", unary<std::fabs>},
    {"llvm.nvvm.saturate.*", unary<saturate>},
    {"llvm.nvvm.fmin.nan.*", binary<minimum>},
    {"llvm.nvvm.fmax.nan.*", binary<maximum>},
    {"llvm.nvvm.fmin.ftz.nan.*", binary<minimum>},
    {"llvm.nvvm.fmax.ftz.nan.*", binary<maximum>},
    {"llvm.nvvm.fmin.*", binary<std::fmin>},
    {"llvm.nvvm.fmax.*", binary<std::fmax>},
    {"llvm.nvvm.add.rn.*", binary<add>},
    {"llvm.nvvm.mul.rn.*", binary<multiply>},
    {"llvm.nvvm.div.rn.*", binary<divide>},
    {"llvm.nvvm.div.approx.*", binary<divide>},
    {"llvm.nvvm.div.full*", binary<divide>},
    {"llvm.nvvm.fma.rn.f", ternary<std::fma>},
    {"llvm.nvvm.fma.rn.d", ternary<std::fma>},
    {"llvm.nvvm.fma.rn.ftz.f", ternary<std::fma>},
    {"llvm.nvvm.mulhi.i", integers<highSigned32>},
    {"llvm.nvvm.mulhi.ui", integers<highUnsigned32>},
    {"llvm.nvvm.mulhi.ll", integers<highSigned64>},
    {"llvm.nvvm.mulhi.ull", integers<highUnsigned64>},
    {"llvm.nvvm.mul24.i", integers<product24>},
    {"llvm.nvvm.mul24.ui", integers<unsignedProduct24>},
    {"llvm.nvvm.prmt", integers<permute>},
    {"llvm.amdgcn.exp2.*", unary<std::exp2>},
    {"llvm.amdgcn.log.f*", unary<std::log2>},
    {"llvm.amdgcn.rcp.f*", unary<reciprocal>},
    {"llvm.amdgcn.rsq.f*", unary<reciprocalRoot>},
    {"llvm.amdgcn.sqrt.*", unary<std::sqrt>},
    {"llvm.amdgcn.sin.*", unary<sineOfTurns>},
    {"llvm.amdgcn.cos.*", unary<cosineOfTurns>},
    {"llvm.amdgcn.tanh.*", unary<std::tanh>},
    {"llvm.amdgcn.fract.*", unary<fraction>},
    {"llvm.amdgcn.frexp.mant.*", unary<mantissa>},
    {"llvm.amdgcn.frexp.exp.*", exponent},
    {"llvm.amdgcn.fmed3.*", ternary<median>},
    {"llvm.amdgcn.fma.legacy", ternary<std::fma>},
    {"llvm.amdgcn.fmul.legacy", binary<multiply>},
    {"llvm.amdgcn.cvt.pkrtz", packHalves},
    {"llvm.amdgcn.ubfe.i32", integers<bits>},
    {"llvm.amdgcn.sbfe.i32", integers<signedBits>},
    {"llvm.amdgcn.mul.u24*", integers<unsignedProduct24>},
    {"llvm.amdgcn.mul.i24*", integers<product24>},
    {"llvm.amdgcn.perm", integers<permuteBytes>},
    {"llvm.amdgcn.sdot4", dot4<true>, withoutClamp},
    {"llvm.amdgcn.udot4", dot4<false>, withoutClamp},
    {"__nv_rsqrtf", unary<reciprocalRoot>},
    {"__nv_rsqrt", unary<reciprocalRoot>},
    {"__nv_saturatef", unary<saturate>},
    {"__ocml_rsqrt_*", unary<reciprocalRoot>},
    {"__ocml_exp_f16", unary<std::exp>},
    {"__ocml_exp2_f16", unary<std::exp2>},
    {"__ocml_log_f16", unary<std::log>},
    {"__ocml_log2_f16", unary<std::log2>},
    {"__ocml_sqrt_f16", unary<std::sqrt>},
    {"__ocml_sin_f16", unary<std::sin>},
    {"__ocml_cos_f16", unary<std::cos>},
    {"__ocml_tanh_f16", unary<std::tanh>},
    {"swizzle.keep*", nullptr},
    {"vprintf", printNothing},
    {"puts", printNothing},
    {"__ockl_printf_*", nullptr},
    {"__ockl_fprintf_*", nullptr},
    {"__assertfail", assertFail},
    {"abort", abortRun},
    {"malloc", allocate},
    {"free", nullptr},
};

} // namespace

llvm::ArrayRef<IntrinsicRow> mathRows() { return kMathRows; }

bool isLibraryFunction(llvm::StringRef name) {
  static const llvm::StringLiteral functions[] = {
      "acos", "acosh", "asin",  "asinh",     "atan",      "atan2", "atanh",
      "cbrt", "ceil",  "cos",   "cosh",      "copysign",  "erf",   "erfc",
      "exp",  "exp2",  "exp10", "expm1",     "fabs",      "fdim",  "floor",
      "fma",  "fmax",  "fmin",  "fmod",      "hypot",     "ldexp", "lgamma",
      "log",  "log10", "log1p", "log2",      "nearbyint", "pow",   "remainder",
      "rint", "round", "sin",   "roundeven", "sinh",      "sqrt",  "tan",
      "tanh", "trunc", "tgamma"};
  for (llvm::StringRef function : {"memcpy", "memmove", "memset"})
    if (name == function)
      return true;
  for (llvm::StringRef function : functions) {
    llvm::StringRef rest = name;
    if (rest.consume_front(function) && (rest.empty() || rest == "f"))
      return true;
  }
  return false;
}

std::string libraryName(llvm::StringRef name) {
  std::string found;
  if (name.consume_front("__nv_")) {
    name.consume_front("fast_");
    found = name.str();
  } else if (name.consume_front("__ocml_")) {
    name.consume_front("native_");
    bool single = name.consume_back("_f32");
    if (!single && !name.consume_back("_f64"))
      return "";
    found = name.str() + (single ? "f" : "");
  }
  return isLibraryFunction(found) ? found : "";
}

} // namespace swizzle::host
