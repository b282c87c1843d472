//===- Counters.h - What a run counts ---------------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums over a run, all of one kind: they may be taken apart by time, and a part
// may stand for what was left out.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_SIMULATION_MEMORY_COUNTERS_H
#define SWIZZLE_LIB_SIMULATION_MEMORY_COUNTERS_H

#include "swizzle/Hardware/Schema.h"

#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace swizzle::simulation {

/// Groups of lines over which traffic is counted apart, to estimate from their
/// spread how far a sample can be trusted.
inline constexpr unsigned kSampleGroups = 16;

/// What lines of one group cause, in sectors.
struct GroupCount {
  uint64_t dram = 0;     ///< read and written
  uint64_t behind = 0;   ///< asked by the shared level
  uint64_t shared = 0;   ///< looked up in the shared level
  uint64_t crossing = 0; ///< asked by the other half of it
};

/// Look-ups in all caches of one level.
struct LevelCount {
  uint64_t lookups = 0, hits = 0;
};

/// Of one place where workgroups wait for what they have read (`WaitPlace`).
struct WaitCount {
  uint64_t times = 0; ///< that a workgroup waited there
  uint64_t reads = 0; ///< accesses that it waited for
  /// Lines that first-level caches did not have, once for each wave that waits
  /// for one; and those of them that came from memory, be it that another had
  /// asked for them.
  uint64_t asked = 0, late = 0;
};

/// Sums over a run, in sectors unless named otherwise.
struct Counters {
  uint64_t lineAccesses = 0; ///< of waves, sampled or not
  uint64_t sampledLines = 0; ///< those that were simulated
  uint64_t steps = 0;        ///< accesses of whole workgroups,
  uint64_t emptySteps = 0;   ///< and those of them that touch nothing
  /// By level; of the shared one, what compute units ask.
  std::array<LevelCount, kMaxLevels> level{};
  uint64_t fabricLookups = 0, fabricHits = 0; ///< asked by the other half
  uint64_t forwardedWrites = 0; ///< of the fabric look-ups, all of them hits
  /// Reads that compute units asked of the shared level, hits all of them:
  /// those that were merged on the way, and early ones that waited for memory
  /// there.
  uint64_t mergedReads = 0, waitingReads = 0;
  uint64_t dramReads = 0, dramWrites = 0;
  /// By hash of the line; in a sample only.
  std::array<GroupCount, kSampleGroups> groups{};
  std::vector<uint64_t> cacheLookups; ///< of the shared level, by cache
  uint64_t ended = 0;                 ///< workgroups
  std::vector<WaitCount> waits;       ///< by place
};

/// Calls `apply(counter, from, to)` for each sum of `counters`.
template <typename Fn>
void forEachSum(Counters &counters, const Counters &from, const Counters &to,
                Fn apply) {
  // Counters that nothing was counted in yet have no lists.
  auto at = [](const auto &list, size_t i) {
    return i < list.size() ? list[i] : std::decay_t<decltype(list[0])>();
  };
  apply(counters.lineAccesses, from.lineAccesses, to.lineAccesses);
  apply(counters.sampledLines, from.sampledLines, to.sampledLines);
  apply(counters.steps, from.steps, to.steps);
  apply(counters.emptySteps, from.emptySteps, to.emptySteps);
  apply(counters.ended, from.ended, to.ended);
  for (size_t i = 0; i < counters.level.size(); ++i) {
    apply(counters.level[i].lookups, from.level[i].lookups,
          to.level[i].lookups);
    apply(counters.level[i].hits, from.level[i].hits, to.level[i].hits);
  }
  apply(counters.fabricLookups, from.fabricLookups, to.fabricLookups);
  apply(counters.fabricHits, from.fabricHits, to.fabricHits);
  apply(counters.forwardedWrites, from.forwardedWrites, to.forwardedWrites);
  apply(counters.mergedReads, from.mergedReads, to.mergedReads);
  apply(counters.waitingReads, from.waitingReads, to.waitingReads);
  apply(counters.dramReads, from.dramReads, to.dramReads);
  apply(counters.dramWrites, from.dramWrites, to.dramWrites);
  for (size_t i = 0; i < counters.groups.size(); ++i) {
    const GroupCount &a = from.groups[i], &b = to.groups[i];
    apply(counters.groups[i].dram, a.dram, b.dram);
    apply(counters.groups[i].behind, a.behind, b.behind);
    apply(counters.groups[i].shared, a.shared, b.shared);
    apply(counters.groups[i].crossing, a.crossing, b.crossing);
  }
  for (size_t i = 0; i < counters.cacheLookups.size(); ++i)
    apply(counters.cacheLookups[i], at(from.cacheLookups, i),
          at(to.cacheLookups, i));
  for (size_t i = 0; i < counters.waits.size(); ++i) {
    const WaitCount a = at(from.waits, i), b = at(to.waits, i);
    apply(counters.waits[i].times, a.times, b.times);
    apply(counters.waits[i].reads, a.reads, b.reads);
    apply(counters.waits[i].asked, a.asked, b.asked);
    apply(counters.waits[i].late, a.late, b.late);
  }
}

} // namespace swizzle::simulation

#endif // SWIZZLE_LIB_SIMULATION_MEMORY_COUNTERS_H
