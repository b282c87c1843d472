//===- Numbers.h - Bit patterns of floating-point formats -------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any format that APFloat knows, to and from double; the common ones quickly.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_CODEGEN_HOST_INPUTS_NUMBERS_H
#define SWIZZLE_LIB_CODEGEN_HOST_INPUTS_NUMBERS_H

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"

#include <cstdint>

namespace swizzle::host {

/// The common formats, to compare with without a call.
inline const llvm::fltSemantics *const kHalf = &llvm::APFloat::IEEEhalf();
inline const llvm::fltSemantics *const kBFloat = &llvm::APFloat::BFloat();
inline const llvm::fltSemantics *const kSingle = &llvm::APFloat::IEEEsingle();
inline const llvm::fltSemantics *const kDouble = &llvm::APFloat::IEEEdouble();

/// A half that is neither tiny nor infinite nor NaN: most of them.
inline bool isNormalHalf(uint32_t bits) {
  uint32_t exponent = bits >> 10 & 31;
  return exponent && exponent < 31;
}

inline float decodeNormalHalf(uint32_t bits) {
  return llvm::bit_cast<float>((bits & 0x8000) << 16 |
                               ((bits & 0x7fff) << 13) + (112u << 23));
}

/// The number that `bits` stand for; exact for every format up to 64 bits.
inline double decode(const llvm::fltSemantics *semantics, uint64_t bits) {
  if (semantics == kSingle)
    return llvm::bit_cast<float>(uint32_t(bits));
  if (semantics == kDouble)
    return llvm::bit_cast<double>(bits);
  if (semantics == kBFloat)
    return llvm::bit_cast<float>(uint32_t(bits) << 16);
  if (semantics == kHalf && isNormalHalf(uint32_t(bits)))
    return decodeNormalHalf(uint32_t(bits));
  llvm::APFloat value(
      *semantics,
      llvm::APInt(llvm::APFloat::getSizeInBits(*semantics), bits, false, true));
  bool lost;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                &lost);
  return value.convertToDouble();
}

/// Rounded to nearest, ties to even; what is too large becomes what the format
/// has for that.
inline uint64_t encode(const llvm::fltSemantics *semantics, double number) {
  if (semantics == kSingle)
    return llvm::bit_cast<uint32_t>(float(number));
  if (semantics == kDouble)
    return llvm::bit_cast<uint64_t>(number);
  llvm::APFloat value(number);
  bool lost;
  value.convert(*semantics, llvm::APFloat::rmNearestTiesToEven, &lost);
  return value.bitcastToAPInt().getZExtValue();
}

} // namespace swizzle::host

#endif // SWIZZLE_LIB_CODEGEN_HOST_INPUTS_NUMBERS_H
