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

#ifndef SWIZZLE_LIB_TUNING_SEARCH_H
#define SWIZZLE_LIB_TUNING_SEARCH_H

#include "Evaluator.h"
#include "Points.h"

namespace swizzle::tuning {

struct SearchLimits {
  size_t points = 24;   ///< sets that are looked at cheaply, at most
  size_t finalists = 1; ///< sets that are kept
};

/// Ranks the variants of `points` by cheap evaluation, climbs from the best to
/// its neighbours, and keeps the best few, best first. What the cheap profiler
/// cannot tell stays in its order: suggested sets first. A single variant is
/// kept without any evaluation. Leaves evaluations for the finalists.
std::vector<Variant> searchPoints(Points &points, Evaluator &evaluator,
                                  Budget &budget, Objective objective,
                                  const SearchLimits &limits);

} // namespace swizzle::tuning

#endif // SWIZZLE_LIB_TUNING_SEARCH_H
