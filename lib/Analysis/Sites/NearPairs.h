//===- NearPairs.h - Pairs that strides do not keep apart -------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which of all pairs of accesses are worth the exact question, without a look
// at each of them.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_SITES_NEARPAIRS_H
#define SWIZZLE_LIB_ANALYSIS_SITES_NEARPAIRS_H

#include "StrideSearch.h"

#include <set>

namespace swizzle::analysis {

/// True if two accesses of a byte, in different workgroups, are communication:
/// reads are not, nor are updates that commute.
bool conflict(AccessKind kindOfA, llvm::StringRef updateOfA, AccessKind kindOfB,
              llvm::StringRef updateOfB);

/// The same of `Access` and `NotModelled`.
template <typename A, typename B> bool conflict(const A &a, const B &b) {
  return conflict(a.kind, a.update, b.kind, b.update);
}

struct NearPairs {
  /// Indices of sites, the lesser one first, in program order.
  std::vector<std::pair<size_t, size_t>> pairs;
  /// Buffers with pairs that were not looked at, as there were too many
  /// questions.
  std::set<uint32_t> unasked;
};

/// The pairs of `sites` in one buffer that conflict, and that strides may not
/// keep apart in different workgroups.
NearPairs findNearPairs(const std::vector<AccessSite> &sites,
                        StrideComparison &strides);

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_SITES_NEARPAIRS_H
