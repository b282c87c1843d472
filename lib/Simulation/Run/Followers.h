//===- Followers.h - Who follows in which slot ------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Workgroups that end in one round are followed by the next ones, each in the
// slot of one of them. Which slot comes first decides which workgroups run next
// to each other:
//
//   in step    as the first ones were started: one on each compute unit, then a
//              second one on each
//   others     end as memory answers, in any order; but those that become free
//              while others are started wait for their turn, and the slots of a
//              cluster of compute units tend to have it one after the other
//
// Measured on an H200 (benchmarks/probes/followers.py), of lives that differ by
// half or more: where nothing but starting them takes time, a workgroup starts in
// the cluster of the one before in 52 to 66 % of cases; where one starts every 5
// ns, eight times as seldom as could be, in 18 to 22 %; 12.5 % are chance.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_SIMULATION_RUN_FOLLOWERS_H
#define SWIZZLE_LIB_SIMULATION_RUN_FOLLOWERS_H

#include <cstdint>
#include <vector>

namespace swizzle::simulation {

/// A hash of `value`.
uint32_t scatter(uint32_t value, uint32_t seed);

/// A slot whose workgroup ended.
struct FreeSlot {
  uint32_t slot = 0;
  uint32_t first = 0; ///< the workgroup that it began with
  uint32_t cluster = 0;
  bool inStep = false; ///< with its neighbours: it ends as it began
  uint64_t turn = 0;   ///< when it is filled again; set by `Followers`
};

class Followers {
public:
  /// The chance that a workgroup starts in the cluster of the one before,
  /// rather than in any slot.
  double sameCluster = 0;

  /// Puts those that ended in one round in the order in which they are filled
  /// again.
  void sort(std::vector<FreeSlot> &freed, uint32_t round);

private:
  void keepClusters(std::vector<FreeSlot>::iterator begin,
                    std::vector<FreeSlot>::iterator end, uint32_t round);

  uint32_t lastCluster = 0;
  /// By cluster, the last first: those that are not filled yet.
  std::vector<std::vector<uint32_t>> waiting;
};

} // namespace swizzle::simulation

#endif // SWIZZLE_LIB_SIMULATION_RUN_FOLLOWERS_H
