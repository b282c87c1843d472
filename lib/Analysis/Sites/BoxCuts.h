//===- BoxCuts.h - Boxes that cuts keep apart -------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether boxes of different workgroups stay apart. A cut across one dimension
// that goes through no box leaves two sets to look at, each by itself:
//
//   aa bb      a | b      rows and columns of tiles fall apart by cuts alone;
//   aa bb  ->  a | b      what no cut divides is compared pair by pair.
//   cc dd      -----
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_SITES_BOXCUTS_H
#define SWIZZLE_LIB_ANALYSIS_SITES_BOXCUTS_H

#include "IntegerSearch.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace swizzle::analysis {

/// Boxes of up to 2^32 workgroups, each with what is done there.
struct Boxes {
  unsigned dims = 1;
  std::vector<int64_t> ends; ///< by box and dimension: first and last
  std::vector<uint32_t> workgroups, effects;

  size_t size() const { return workgroups.size(); }
  int64_t low(uint32_t box, unsigned dim) const {
    return ends[2 * (size_t(box) * dims + dim)];
  }
  int64_t high(uint32_t box, unsigned dim) const {
    return ends[2 * (size_t(box) * dims + dim) + 1];
  }
};

/// True if no two boxes of different workgroups overlap whose effects
/// `conflict`. False: they do, or the budget, in comparisons, does not suffice.
bool areApart(const Boxes &boxes,
              llvm::function_ref<bool(uint32_t, uint32_t)> conflict,
              WorkBudget &budget);

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_SITES_BOXCUTS_H
