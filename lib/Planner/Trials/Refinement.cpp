//===- Refinement.cpp - A closer look at the orders that may win ----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Orders are simulated in more detail a few at a time, the fastest first, and
// each time those are dropped that cannot win any more (Race.h). Where
// workgroups differ and the first look was at a part of the launch, it tells
// nothing of the units that wait for the longest at the end, and none are
// dropped.
//
//===----------------------------------------------------------------------===//

#include "Constants.h"
#include "Evaluation.h"
#include "Race.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace swizzle::planner {

using Constants = RaceConstants;

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
