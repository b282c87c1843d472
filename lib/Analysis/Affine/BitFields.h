//===- BitFields.h - Bits that a number may have ----------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compilers put indices together from bits of the thread id:
//
//   ((t & 32) >> 3) | ((t & 64) >> 1)    bits 2 and 5
//
// As an affine form that is 4 * q32 + 24 * q64 - 64 * q128, with quotients of
// t. Here it is taken apart again, into parts that share no bits, so that a
// mask or an `or` with other bits needs no further quotients.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_AFFINE_BITFIELDS_H
#define SWIZZLE_LIB_ANALYSIS_AFFINE_BITFIELDS_H

#include "Domain.h"

namespace swizzle::analysis {

/// A part of a number, which is never negative, and the bits that it may have.
struct BitField {
  AffineForm form;
  uint64_t mask = 0;
};

/// Parts that add up to `form` on the current path and share no bits; nullopt
/// if `form` may be negative, as far as can be told, or reach 2^59.
std::optional<std::vector<BitField>> bitFieldsOf(const Domain &domain,
                                                 const AffineForm &form);

/// The bits that `form` may have; all of them if that is not known.
uint64_t possibleBits(const Domain &domain, const AffineForm &form);

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_AFFINE_BITFIELDS_H
