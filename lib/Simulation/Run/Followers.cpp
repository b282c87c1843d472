//===- Followers.cpp - Who follows in which slot --------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Followers.h.
//
//===----------------------------------------------------------------------===//

#include "Followers.h"

#include "Machine/Cache.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <tuple>

namespace swizzle::simulation {

uint32_t scatter(uint32_t value, uint32_t seed) {
  return LineHash(32)(value * 2654435761u + seed);
}

void Followers::sort(std::vector<FreeSlot> &freed, uint32_t round) {
  for (FreeSlot &free : freed) {
    uint64_t any = free.inStep ? 0 : scatter(free.first, round);
    free.turn = any << 32 | free.first;
  }
  llvm::sort(freed, [](const FreeSlot &a, const FreeSlot &b) {
    return std::tie(a.turn, a.slot) < std::tie(b.turn, b.slot);
  });
  if (sameCluster > 0)
    keepClusters(
        llvm::find_if(freed, [](const FreeSlot &free) { return !free.inStep; }),
        freed.end(), round);
}

void Followers::keepClusters(std::vector<FreeSlot>::iterator begin,
                             std::vector<FreeSlot>::iterator end,
                             uint32_t round) {
  const std::vector<FreeSlot> before(begin, end);
  for (size_t i = before.size(); i-- > 0;) {
    if (before[i].cluster >= waiting.size())
      waiting.resize(before[i].cluster + 1);
    waiting[before[i].cluster].push_back(static_cast<uint32_t>(i));
  }
  const double chances = std::ldexp(sameCluster, 32);
  std::vector<bool> filled(before.size());
  size_t next = 0;
  for (; begin != end; ++begin) {
    while (filled[next])
      ++next;
    auto luck = scatter(static_cast<uint32_t>(end - begin), ~round);
    bool stays = lastCluster < waiting.size() &&
                 !waiting[lastCluster].empty() && luck < chances;
    size_t place = stays ? waiting[lastCluster].back() : next;
    filled[place] = true;
    *begin = before[place];
    lastCluster = before[place].cluster;
    // The one that comes next is the first that waits in its cluster.
    waiting[lastCluster].pop_back();
  }
}

} // namespace swizzle::simulation
