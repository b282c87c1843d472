//===- ReadsInFlight.h - Lines that are on their way ------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which lines compute units have asked the shared level for, and have not got
// yet: what the miss-status holding registers of a cache know (D. Kroft, ISCA
// 1981). Two things happen to a second read of such a line:
//
//   - one by the same cluster of compute units is merged with the first on its
//     way, and never reaches the cache (NVIDIA's L2 request coalescer);
//   - one of a line that comes from memory waits in the cache until it is there,
//     merged or not.
//
//   round 5   unit 0 reads line 7      looked up, a miss: in flight until round 6
//             unit 1 reads line 7      same cluster: merged; it waits
//   round 6   unit 40 reads line 7     another cluster: looked up; it waits
//   round 7   unit 2 reads line 7      looked up, a hit
//
// Few lines are on their way at a time. They are kept in a table without
// chains, where a later one drives an earlier one out.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_SIMULATION_MEMORY_READSINFLIGHT_H
#define SWIZZLE_LIB_SIMULATION_MEMORY_READSINFLIGHT_H

#include "Machine/Cache.h"
#include "Machine/Machine.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace swizzle::simulation {

/// Of the reads that the units behind one shared cache make.
class ReadsInFlight {
public:
  /// One line in 2^sampleShift is simulated.
  ReadsInFlight(const Machine &machine, unsigned sampleShift)
      : fromMemory(1 + static_cast<uint32_t>(std::lround(machine.missDelay))),
        enabled(machine.unitsPerCluster > 0 || machine.waitingLookups > 0) {
    unsigned bits = kLineBits > sampleShift + kLeastBits
                        ? kLineBits - sampleShift
                        : kLeastBits;
    lines.resize(enabled ? size_t(1) << bits : 1);
  }

  /// False where nothing is known of what becomes of such reads.
  explicit operator bool() const { return enabled; }

  void nextRound() { ++round; }
  void prefetch(uint32_t hash) const { simulation::prefetch(at(hash)); }

  struct Found {
    bool merged = false;  ///< with one of the same cluster: not looked up
    bool waiting = false; ///< for memory
  };
  /// Another read of these sectors by `cluster`: what becomes of it.
  Found find(uint32_t hash, uint8_t sectors, uint32_t cluster) {
    Line &line = lines[hash & (lines.size() - 1)];
    if (line.hash != hash || line.until < round || (sectors & ~line.sectors))
      return {};
    uint64_t bit = uint64_t(1) << (cluster & 63);
    bool merged = line.clusters & bit;
    line.clusters |= bit;
    return {merged, line.waits};
  }

  /// A read was looked up; `waits`: it went to memory.
  void begin(uint32_t hash, uint8_t sectors, uint32_t cluster, bool waits) {
    lines[hash & (lines.size() - 1)] = {
        hash, round + (waits ? fromMemory - 1 : 0),
        uint64_t(1) << (cluster & 63), sectors, waits};
  }

private:
  static constexpr unsigned kLineBits = 19, kLeastBits = 10;

  struct Line {
    uint32_t hash = 0;
    uint32_t until = 0; ///< the last round in which it is on its way
    uint64_t clusters = 0;
    uint8_t sectors = 0;
    bool waits = false;
  };
  const Line &at(uint32_t hash) const { return lines[hash & (lines.size() - 1)]; }

  std::vector<Line> lines;
  uint32_t round = 1;
  uint32_t fromMemory; ///< rounds that a read from memory takes
  bool enabled;
};

} // namespace swizzle::simulation

#endif // SWIZZLE_LIB_SIMULATION_MEMORY_READSINFLIGHT_H
