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
//     way, and never reaches the cache (NVIDIA's L2 request coalescer), as long
//     as no more than a few are waiting for that one;
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

#include "LazyZeros.h"
#include "Machine/Cache.h"
#include "Machine/Machine.h"

#include "llvm/Support/Compiler.h"

#include <cmath>
#include <cstdlib>
#include <vector>

namespace swizzle::simulation {

/// Of the reads that the units behind one shared cache make.
class ReadsInFlight {
public:
  /// One line in 2^sampleShift is simulated.
  ReadsInFlight(const Machine &machine, unsigned sampleShift)
      : lines(isKnown(machine) ? size_t(1) << bitsOf(sampleShift) : 1),
        fromMemory(1 + static_cast<uint32_t>(std::lround(machine.missDelay))),
        readsPerLookup(static_cast<uint64_t>(machine.readsPerLookup)),
        enabled(isKnown(machine)) {}

  /// False where nothing is known of what becomes of such reads.
  explicit operator bool() const { return enabled; }

  /// In the next round, lines that the cache has, and those from memory, are on
  /// their way for these parts of it.
  void nextRound(float cachePart, float memoryPart) {
    ++round;
    onTheWay[0] = static_cast<uint32_t>(std::lround(cachePart * kMoments));
    onTheWay[1] = static_cast<uint32_t>(std::lround(memoryPart * kMoments));
  }
  /// Nothing is on its way any more.
  void forget() { lines.clear(); }

  void prefetch(uint32_t hash) const {
    simulation::prefetch(*lines.place(hash & (lines.size() - 1)));
  }

  struct Found {
    bool known = false;   ///< the line is on its way
    bool merged = false;  ///< with one of the same cluster: not looked up
    bool waiting = false; ///< for memory
  };
  /// Another read of these sectors by `slot` of `cluster`: what becomes of it.
  Found find(uint32_t hash, uint8_t sectors, uint32_t cluster, uint32_t slot) {
    Line *found = lines.find(hash & (lines.size() - 1));
    if (!found)
      return {};
    Line &line = *found;
    if (line.hash != hash || line.until < round || (sectors & ~line.sectors) ||
        !isSoon(line, momentOf(slot)))
      return {};
    // Those that wait for one line from memory go on together.
    if (line.waits)
      moments[slot] = line.moment;
    unsigned at = shiftOf(cluster);
    uint64_t reads = line.reads >> at & 15;
    bool merged = reads > 0 && reads < readsPerLookup;
    line.reads += merged ? uint64_t(1) << at : (1 - reads) << at;
    return {true, merged, line.waits};
  }

  /// A read was looked up; `waits`: it went to memory.
  void begin(uint32_t hash, uint8_t sectors, uint32_t cluster, uint32_t slot,
             bool waits) {
    lines[hash & (lines.size() - 1)] = {hash,
                                        round,
                                        round + (waits ? fromMemory - 1 : 0),
                                        uint64_t(1) << shiftOf(cluster),
                                        sectors,
                                        momentOf(slot),
                                        waits};
  }

private:
  static constexpr unsigned kLineBits = 19, kLeastBits = 10;

  static bool isKnown(const Machine &machine) {
    return machine.unitsPerCluster > 0 || machine.waitingClocks > 0;
  }
  static unsigned bitsOf(unsigned sampleShift) {
    return kLineBits > sampleShift + kLeastBits ? kLineBits - sampleShift
                                                : kLeastBits;
  }

  /// Of zeros: a line that was on its way before the first round.
  struct Line {
    uint32_t hash;
    uint32_t from, until; ///< rounds in which it is on its way
    /// By cluster, four bits each: reads that its latest look-up answers.
    uint64_t reads;
    uint8_t sectors;
    uint8_t moment; ///< of the round, of the look-up
    bool waits;
  };
  /// A round is as many moments; workgroups read in it at one of them.
  static constexpr uint32_t kMoments = 256;
  uint8_t momentOf(uint32_t slot) {
    while (LLVM_UNLIKELY(slot >= moments.size()))
      moments.push_back(
          static_cast<uint8_t>(uint32_t(moments.size()) * 2654435761u >> 24));
    return moments[slot];
  }
  /// True if a read at `moment` comes before the line is there.
  bool isSoon(const Line &line, uint8_t moment) const {
    uint32_t part = onTheWay[line.waits];
    return part >= kMoments ||
           (line.from == round && static_cast<uint32_t>(std::abs(
                                      int(line.moment) - int(moment))) < part);
  }
  static unsigned shiftOf(uint32_t cluster) { return (cluster & 15) * 4; }

  LazyZeros<Line> lines;
  std::vector<uint8_t> moments; ///< by slot
  uint32_t round = 1;
  uint32_t fromMemory; ///< rounds that a read from memory takes
  uint64_t readsPerLookup;
  /// Moments that a line takes from the cache, and from memory.
  uint32_t onTheWay[2] = {kMoments, kMoments};
  bool enabled;
};

} // namespace swizzle::simulation

#endif // SWIZZLE_LIB_SIMULATION_MEMORY_READSINFLIGHT_H
