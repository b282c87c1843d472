//===- Reciprocal.h - Division by a constant ------------------ -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A multiplication and a shift for each quotient, once the divisor is known.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_FORMULA_EVAL_RECIPROCAL_H
#define SWIZZLE_LIB_FORMULA_EVAL_RECIPROCAL_H

#include "llvm/Support/MathExtras.h"

#include <cstdint>
#include <type_traits>

namespace swizzle {

/// n / d for 0 <= n < 2^(bits-1) as (n * multiplier) >> shift, where
/// shift = bits - 1 + ceil(log2 d): the error of the rounded-up multiplier
/// stays below one part in n * d.
template <typename T> struct Reciprocal {
  using Unsigned = std::make_unsigned_t<T>;
  using Product =
      std::conditional_t<sizeof(T) == 4, uint64_t, unsigned __int128>;

  explicit Reciprocal(int64_t divisor) {
    unsigned bits = sizeof(T) * 8;
    shift = bits - 1 + llvm::Log2_64_Ceil(divisor);
    unsigned __int128 one = 1;
    multiplier = Unsigned(((one << shift) + divisor - 1) / divisor);
  }
  Unsigned divide(Unsigned n) const {
    return Unsigned((Product(n) * multiplier) >> shift);
  }

  Unsigned multiplier;
  unsigned shift;
};

} // namespace swizzle

#endif // SWIZZLE_LIB_FORMULA_EVAL_RECIPROCAL_H
