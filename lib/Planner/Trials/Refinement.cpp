//===- Refinement.cpp - A closer look at the orders that may win ----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A race (O. Maron and A. Moore, NIPS 1993): orders are simulated in more
// detail a few at a time, the fastest first, and each time those are dropped
// that cannot win any more. How far the first look may be off is what it was
// off by for those that were looked at twice.
//
//   first look     1.00 1.00 1.01 1.01 | 1.03 1.04 1.09 1.13   times, relative
//   closer look    0.99 1.00 1.02 1.01                         off by 1 %
//   left                                 none: 1.03 less 1 % is no 0.99
//
// Where workgroups differ and the first look was at a part of the launch, it
// tells nothing of the units that wait for the longest at the end, and none are
// dropped.
//
//===----------------------------------------------------------------------===//

#include "Constants.h"
#include "Evaluation.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

namespace swizzle::planner {

using Constants = RaceConstants;

namespace {

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
  double margin, off = Constants::leastError, best = HUGE_VAL;
};

} // namespace

/// Simulates the kernel and some orders again if one of them may cost so much
/// that it becomes worthwhile; else returns false. `some`, the best first, has
/// those afterwards that were.
llvm::Expected<bool> Evaluation::refine(std::vector<Trial *> &some,
                                        double accesses) {
  bool sawAll = lastDetail.prefix >= 1 && lastDetail.depth >= 1;
  if (!sampling.refine(accesses))
    return false;
  std::vector<Trial *> left = std::move(some);
  some.clear();
  Race race(options.margin);
  for (bool first = true; first || !left.empty(); first = false) {
    size_t count =
        options.full ? left.size() : std::min(Constants::together, left.size());
    llvm::Expected<std::vector<Metrics>> metrics =
        sampling.measure(jobsOf(llvm::ArrayRef(left).take_front(count), first));
    if (!metrics)
      return metrics.takeError();
    auto next = metrics->begin();
    if (first)
      setBefore(std::move(*next++));
    for (Trial *trial : llvm::ArrayRef(left).take_front(count)) {
      // Times are told in proportion to the kernel's by now.
      double seen = trial->forecast.timeUs / unchanged.timeUs;
      trial->forecast = forecastOf(*next, before());
      trial->metrics = std::move(*next++);
      race.note(seen, trial->forecast.timeUs / unchanged.timeUs);
      some.push_back(trial);
    }
    left.erase(left.begin(), left.begin() + count);
    if (!options.full && (sawAll || !before().unevenWorkgroups))
      llvm::erase_if(left, [&](const Trial *trial) {
        return !race.mayWin(trial->forecast.timeUs / unchanged.timeUs);
      });
  }
  return true;
}

} // namespace swizzle::planner
