//===- Search.h - Cheap first, careful later --------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two-stage search over a template's parameters.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_TUNING_SEARCH_SEARCH_H
#define SWIZZLE_LIB_TUNING_SEARCH_SEARCH_H

#include "Evaluator.h"
#include "Points.h"

namespace swizzle::tuning {

struct SearchLimits {
  /// Sets that are looked at cheaply, at most, but for those that were there
  /// already: what an agent lists is looked at, all of it.
  size_t points = 24;
  size_t finalists = 3; ///< sets that are kept
};

struct SearchResult {
  /// Best first; the first set of `points`, if it is none of the best, comes
  /// last and in addition.
  std::vector<Variant> finalists;
  std::vector<TriedSet> sets; ///< all that were looked at, with their figures
};

/// Ranks the variants of `points` by cheap evaluation, climbs from the best to
/// its neighbours, and keeps the best few. What the cheap profiler cannot tell
/// stays in its order: suggested sets first. A single variant is kept without
/// any evaluation. Leaves evaluations for the finalists.
SearchResult searchPoints(Points &points, Evaluator &evaluator, Budget &budget,
                          Objective objective, const SearchLimits &limits);

} // namespace swizzle::tuning

#endif // SWIZZLE_LIB_TUNING_SEARCH_SEARCH_H
