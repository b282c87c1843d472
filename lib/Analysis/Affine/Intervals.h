//===- Intervals.h - Sums of intervals with unknown ends --------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a Domain does with intervals whose ends may be unknown.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_AFFINE_INTERVALS_H
#define SWIZZLE_LIB_ANALYSIS_AFFINE_INTERVALS_H

#include "Domain.h"
#include "swizzle/Support/IntegerMath.h"
#include "swizzle/Support/Interval.h"

#include <algorithm>
#include <cstdint>

namespace swizzle::analysis {

inline int64_t clampToKnown(__int128 value) {
  return int64_t(std::clamp<__int128>(value, -kUnbounded, kUnbounded));
}

/// An end that nobody knows stays so, whatever is added.
inline Interval add(Interval a, Interval b) {
  Interval sum = {clampToKnown(__int128(a.low) + b.low),
                  clampToKnown(__int128(a.high) + b.high)};
  if (std::min(a.low, b.low) <= -kUnbounded)
    sum.low = -kUnbounded;
  if (std::max(a.high, b.high) >= kUnbounded)
    sum.high = kUnbounded;
  return sum;
}

inline Interval scale(Interval a, int64_t factor) {
  int64_t p = clampToKnown(__int128(a.low) * factor);
  int64_t q = clampToKnown(__int128(a.high) * factor);
  return {std::min(p, q), std::max(p, q)};
}

inline Interval intersect(Interval a, Interval b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

inline Interval floorOf(Interval a, int64_t divisor) {
  return {a.low <= -kUnbounded ? a.low : floorDiv(a.low, divisor),
          a.high >= kUnbounded ? a.high : floorDiv(a.high, divisor)};
}

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_AFFINE_INTERVALS_H
