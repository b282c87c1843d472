//===- QuasiRandom.h - Workgroups that stand for all ------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some workgroups of a grid that are spread evenly along each axis, and in each
// product of axes. Evenly spaced linear ids are not: in a grid of 64 x 64, the
// ids 0, 512, 1024, ... all lie in column 0.
//
// Their places are multiples of the three powers of 1 / 1.2207..., modulo 1
// (additive recurrences; M. Roberts, The Unreasonable Effectiveness of
// Quasirandom Sequences, 2018).
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_SUPPORT_QUASIRANDOM_H
#define SWIZZLE_SUPPORT_QUASIRANDOM_H

#include "swizzle/Support/Grid.h"

#include <cmath>

namespace swizzle {

/// The i-th workgroup of the sequence, from i = 0, in the middle of `grid`, on.
inline WorkgroupId quasiRandomId(const Grid &grid, int64_t i) {
  constexpr double steps[3] = {0.8191725133961645, 0.6710436067037893,
                               0.5497004779019703};
  int64_t at[3];
  for (unsigned axis = 0; axis < 3; ++axis) {
    double share = 0.5 + steps[axis] * double(i);
    at[axis] =
        static_cast<int64_t>((share - std::floor(share)) * double(grid[axis]));
  }
  return {at[0], at[1], at[2]};
}

/// The i-th of `samples` numbers spread evenly over 0 to `count` - 1.
inline int64_t spreadOver(int64_t count, int64_t samples, int64_t i) {
  return static_cast<int64_t>((2 * double(i) + 1) * double(count) /
                              (2 * double(samples)));
}

} // namespace swizzle

#endif // SWIZZLE_SUPPORT_QUASIRANDOM_H
