//===- Race.h - Which orders may still win ----------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A race (O. Maron and A. Moore, NIPS 1993) of orders that are looked at twice,
// a few at a time, the fastest first. How far the first look may be off is what
// it was off by for those that were looked at again.
//
//   first look     0.90 0.90 0.91 0.91 | 0.93 0.94 0.99   over the kernel's time
//   closer look    0.89 0.90 0.92 0.91                    off by 1.1 %
//   left                                 none: 0.93 less 1.1 % is no 0.90
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_PLANNER_TRIALS_RACE_H
#define SWIZZLE_LIB_PLANNER_TRIALS_RACE_H

#include "Constants.h"

#include <algorithm>
#include <cmath>

namespace swizzle::planner {

/// What is known of a race: times over the kernel's own.
class Race {
public:
  explicit Race(double margin) : margin(margin) {}

  /// An order took `seen` at the first look and takes `time` at a closer one.
  void note(double seen, double time) {
    off = std::max(off, std::abs(time / seen - 1));
    best = std::min(best, time);
  }
  /// True if an order that took `seen` at the first look may be as good as the
  /// best, and better than the kernel: by less than the margin, too, since it
  /// is told how much the best one gains.
  bool mayWin(double seen) const {
    double enough =
        std::min((1 + EvaluationConstants::calmMargin * margin) * best, 1.0);
    return (1 - off) * seen <= enough;
  }

private:
  double margin, off = RaceConstants::leastError, best = HUGE_VAL;
};

} // namespace swizzle::planner

#endif // SWIZZLE_LIB_PLANNER_TRIALS_RACE_H
