//===- IntegerSearch.h - Integer points of linear conditions ----*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether a system of linear equalities and inequalities has an integer
// solution, answered within a budget of work. The question is NP-hard: a search
// without a budget may run for years on a kernel of ordinary size.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_SITES_INTEGERSEARCH_H
#define SWIZZLE_LIB_ANALYSIS_SITES_INTEGERSEARCH_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <utility>
#include <vector>

namespace swizzle::analysis {

enum class Answer : uint8_t { No, Yes, Unknown };

/// A coefficient for each unknown, and the constant.
using Row = llvm::SmallVector<int64_t, 32>;

/// Conditions on integers.
struct LinearSystem {
  unsigned unknowns = 0;
  std::vector<Row> equalities;   ///< row = 0
  std::vector<Row> inequalities; ///< row >= 0

  /// 0 <= row <= most
  void bound(Row row, int64_t most);
};

/// Counts work, in whatever unit its user does: entries of a simplex tableau,
/// comparisons.
struct WorkBudget {
  uint64_t left = 0;

  /// False, with nothing left, if there is less than `work`.
  bool spend(uint64_t work) {
    bool suffices = work <= left;
    left = suffices ? left - work : 0;
    return suffices;
  }
};

/// Looks for a solution of `system`, which it puts into `point`. `twins` are
/// pairs of unknowns whose differences matter more than their values; the
/// search decides about those first, in this order. Unknown: the budget does
/// not suffice.
Answer findInteger(LinearSystem system,
                   const std::vector<std::pair<unsigned, unsigned>> &twins,
                   WorkBudget &budget, std::vector<int64_t> &point);

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_SITES_INTEGERSEARCH_H
