//===- Interval.h - Ranges of integers --------------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one type for a range of integers, and what arithmetic makes of ranges:
//
//   Interval a{0, 5}, b{-2, 3};
//   a.wide() * b.wide();        // {-10, 15}
//   hull(a, b);                 // {-2, 5}
//   rangeOfAnd(a, b);           // {0, 5}: one side is not negative
//   rangeOfOr(a, Interval{2, 3}); // {2, 7}: no bit above those of 5 and 3
//
// Source of the rules for bits: Warren, Hacker's Delight, 2nd edition, chapter
// 4 (bounds of logical operations); these are the cheap ones, which are exact
// up to the next power of two.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_SUPPORT_INTERVAL_H
#define SWIZZLE_SUPPORT_INTERVAL_H

#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstdint>

namespace swizzle {

/// An interval whose ends may lie outside of 64 bits, as those of what
/// arithmetic yields do.
struct WideInterval {
  __int128 low = 0, high = 0;

  bool fits() const { return low >= INT64_MIN && high <= INT64_MAX; }
};

inline WideInterval operator+(WideInterval a, WideInterval b) {
  return {a.low + b.low, a.high + b.high};
}
inline WideInterval operator-(WideInterval a, WideInterval b) {
  return {a.low - b.high, a.high - b.low};
}
/// The ends of both are at most 2^63 in size.
inline WideInterval operator*(WideInterval a, WideInterval b) {
  auto [low, high] = std::minmax(
      {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  return {low, high};
}

/// All integers from `low` to `high`.
struct Interval {
  int64_t low = 0, high = 0;

  bool isNatural() const { return low >= 0; }
  WideInterval wide() const { return {low, high}; }
};

/// The smallest interval that holds both.
inline Interval hull(Interval a, Interval b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

inline Interval rangeOfMin(Interval a, Interval b) {
  return {std::min(a.low, b.low), std::min(a.high, b.high)};
}
inline Interval rangeOfMax(Interval a, Interval b) {
  return {std::max(a.low, b.low), std::max(a.high, b.high)};
}

/// The smallest 2^k - 1 that is at least `value`; 0 for what is not positive.
inline int64_t onesUpTo(int64_t value) {
  return value <= 0 ? 0
                    : int64_t(llvm::maskTrailingOnes<uint64_t>(
                          llvm::Log2_64(value) + 1));
}

/// Of any bitwise operation: the result needs no more bits than its operands.
inline Interval rangeOfBits(Interval a, Interval b) {
  int64_t reach = 0;
  for (int64_t end : {a.low, a.high, b.low, b.high})
    reach = std::max(reach, end < 0 ? ~end : end);
  int64_t ones = onesUpTo(reach);
  return {a.isNatural() && b.isNatural() ? 0 : ~ones, ones};
}
inline Interval rangeOfXor(Interval a, Interval b) { return rangeOfBits(a, b); }

inline Interval rangeOfOr(Interval a, Interval b) {
  Interval bits = rangeOfBits(a, b);
  return {bits.low == 0 ? std::max(a.low, b.low) : bits.low, bits.high};
}

inline Interval rangeOfAnd(Interval a, Interval b) {
  if (!a.isNatural() && !b.isNatural())
    return rangeOfBits(a, b);
  return {0, std::min(a.isNatural() ? a.high : INT64_MAX,
                      b.isNatural() ? b.high : INT64_MAX)};
}

/// Of `a` shifted right by an amount in `by`, which lies in 0 to 63.
inline Interval rangeOfShr(Interval a, Interval by) {
  return {std::min(a.low >> by.low, a.low >> by.high),
          std::max(a.high >> by.low, a.high >> by.high)};
}

/// Of `a` shifted left by an amount in `by`, which lies in 0 to 63.
inline WideInterval rangeOfShl(Interval a, Interval by) {
  return a.wide() * WideInterval{__int128(1) << by.low, __int128(1) << by.high};
}

} // namespace swizzle

#endif // SWIZZLE_SUPPORT_INTERVAL_H
