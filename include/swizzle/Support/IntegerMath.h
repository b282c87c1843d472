//===- IntegerMath.h - Integers that round down -----------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Division as Python and floordiv of affine maps define it, and division by
// constants: -7 // 4 is -2, -7 % 4 is 1; 7 // 3 is 7 * 11 >> 5.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_SUPPORT_INTEGERMATH_H
#define SWIZZLE_SUPPORT_INTEGERMATH_H

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace swizzle {

/// a / b rounded down; b is not 0, and the quotient fits.
template <typename T> T floorDiv(T a, T b) {
  T q = a / b;
  return q * b != a && (a < 0) != (b < 0) ? q - 1 : q;
}

/// a - b * floor(a / b), which has the sign of b; b is not 0.
template <typename T> T floorMod(T a, T b) {
  if (b == -1)
    return 0;
  T r = a % b;
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

/// The m with n / d = (n * m) >> `shift` for all 0 <= n <= `most`, if there is
/// one: 2^shift / d rounded up. With e = m * d - 2^shift, n * m / 2^shift is
/// more than n / d by n * e / (d * 2^shift), which has to stay below 1 / d.
/// `shift` <= 126; `most` and `d` are below 2^63.
/// Source: Granlund, Montgomery, "Division by invariant integers using
/// multiplication", PLDI 1994.
inline std::optional<uint64_t> multiplierFor(uint64_t divisor, uint64_t most,
                                             unsigned shift) {
  unsigned __int128 power = (unsigned __int128)1 << shift;
  unsigned __int128 multiplier = (power + divisor - 1) / divisor;
  unsigned __int128 excess = multiplier * divisor - power;
  if (multiplier > UINT64_MAX || excess * most >= power)
    return std::nullopt;
  return uint64_t(multiplier);
}

/// A multiplication and a shift for each quotient of 0 <= n < 2^(bits - 1) by a
/// constant, 2 <= d < 2^(bits - 1).
template <typename T> class Reciprocal {
public:
  using Unsigned = std::make_unsigned_t<T>;

  explicit Reciprocal(T divisor)
      : shift(sizeof(T) * 8 - 1 + llvm::Log2_64_Ceil(divisor)),
        multiplier(
            Unsigned(*multiplierFor(divisor, Unsigned(-1) >> 1, shift))) {}

  Unsigned divide(Unsigned n) const {
    return Unsigned((Product(n) * multiplier) >> shift);
  }

private:
  using Product =
      std::conditional_t<sizeof(T) == 4, uint64_t, unsigned __int128>;
  unsigned shift;
  Unsigned multiplier;
};

} // namespace swizzle

#endif // SWIZZLE_SUPPORT_INTEGERMATH_H
