//===- Independence.h - Do workgroups touch each other's bytes? -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The question about plain loads and stores on which legality rests, asked of a
// kernel model: may one workgroup write a byte that another one touches? The
// answer is a counterexample, or that there is none, or what would have to be
// assumed.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_ANALYSIS_LEGALITY_INDEPENDENCE_H
#define SWIZZLE_ANALYSIS_LEGALITY_INDEPENDENCE_H

#include "swizzle/Kernel/KernelModel.h"
#include "llvm/ADT/StringSet.h"
#include <optional>
#include <string>
#include <vector>

namespace swizzle {

/// Two workgroups and a byte that both touch and the first one writes.
struct CrossWorkgroupAccess {
  WorkgroupId writer, other;
  Access writes, touches; ///< of one buffer
  int64_t byte = 0;       ///< offset into the buffer

  /// Both are atomic: what the order decides is which update comes last.
  bool updates() const {
    return writes.kind == AccessKind::Atomic &&
           touches.kind == AccessKind::Atomic;
  }

  /// "workgroups (0,0) and (1,0) both touch byte 508 of arg0: ..."
  std::string describe(const KernelModel &model) const;
};

struct Independence {
  std::optional<CrossWorkgroupAccess> counterexample;
  bool ifMemorySaysSo = false; ///< that both do it, nothing but data decides
  /// What is assumed where the access maps cannot tell, one phrase each that
  /// goes on from "it is assumed that"; empty: independence is proved.
  std::vector<std::string> assumptions;
  /// "the atomic max.i32 of arg0 (loaded from memory) may meet, ...": two
  /// updates of one buffer that do not commute, and of one it is not known
  /// where; else empty.
  std::string mayClash;
  /// A write whose place is not known, but that it is the same for workgroups
  /// that differ along an axis of the grid; null if there is none.
  const NotModelled *sharedWrite = nullptr;
  unsigned sharedAxis = 0; ///< that one
  /// A meeting was found that is assumed away, as sizes that nobody gave may be
  /// why.
  bool restsOnSizes = false;
};

/// Accesses that were compared with each other in one reading of a kernel, in
/// words: where, and when.
struct JudgedAccesses {
  llvm::StringSet<> places, sites;
};

/// Judges the plain loads and stores of `model`, and atomics against them. A
/// counterexample is exact: there are threads and loop counters that reach it.
Independence judgeIndependence(const KernelModel &model);

/// The same for the accesses of one buffer alone, by its name, however far apart
/// workgroups are that meet under sizes that nobody gave.
Independence judgeFarApart(const KernelModel &model, llvm::StringRef buffer);

/// The accesses of `model`.
JudgedAccesses accessesOf(const KernelModel &model);

/// The same of another reading than `judged` is of: what was compared then is not
/// compared again. `atKnownPlaces`: of accesses at other places nothing is asked.
Independence judgeOtherwise(const KernelModel &model,
                            const JudgedAccesses &judged, bool atKnownPlaces);

} // namespace swizzle

#endif // SWIZZLE_ANALYSIS_LEGALITY_INDEPENDENCE_H
