//===- SharedCaches.h - What compute units share ----------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The L2 of each die, in one or two partitions, the last-level cache and
// memory. Everything is inline: a line access passes through here in a few
// nanoseconds.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_SIMULATION_SHAREDCACHES_H
#define SWIZZLE_LIB_SIMULATION_SHAREDCACHES_H

#include "MemorySystem.h"

#include <algorithm>

namespace swizzle::simulation {

/// Sectors in a mask of them.
constexpr std::array<uint8_t, 1 << kMaxSectors> makePopulation() {
  std::array<uint8_t, 1 << kMaxSectors> table{};
  for (unsigned i = 1; i < table.size(); ++i)
    table[i] = static_cast<uint8_t>(table[i / 2] + i % 2);
  return table;
}
inline constexpr std::array<uint8_t, 1 << kMaxSectors> kPopulation =
    makePopulation();

/// Bits of the hash: upper ones choose sets; these are independent of them.
inline constexpr unsigned kHomeBit = 3;
inline constexpr unsigned kGroupBit = 4;

template <typename L2Tag, bool TwoPartitions> class SharedCaches {
  using L2 = Cache<16, L2Tag>;

public:
  /// Lines have hashes of `bits` bits. What happens is counted in `counters`.
  SharedCaches(const Machine &machine, unsigned bits, unsigned sampleShift,
               uint32_t seed, Counters &counters)
      : counters(counters), unitsPerDie(machine.unitsPerDie),
        random(seed * 2654435761u + 1) {
    auto lines = [&](int64_t bytes) {
      return bytes / machine.lineBytes >> sampleShift;
    };
    l2.resize(machine.numDies * machine.l2Partitions);
    for (auto &cache : l2)
      cache.resize(lines(machine.l2Bytes / machine.l2Partitions),
                   machine.l2Ways, bits);
    if (machine.llcBytes > 0) {
      llc.resize(1);
      llc[0].resize(lines(machine.llcBytes), machine.llcWays, bits);
    }
    counters.dieLookups.assign(machine.numDies, 0);
    unsigned group = machine.fetchBytes / machine.sectorBytes;
    for (unsigned mask = 0; mask < fetchMask.size(); ++mask) {
      unsigned wide = 0, all = (1u << group) - 1;
      for (unsigned at = 0; at < kMaxSectors; at += group)
        if (mask >> at & all)
          wide |= all << at;
      fetchMask[mask] = static_cast<uint8_t>(wide);
    }
    countWriteMisses = machine.hitDefinition == HitDefinition::InFlightIsHit;
    pool = static_cast<uint32_t>(std::max<int64_t>(1, machine.victimPool));
  }

  /// The partition that a line of `die` belongs to.
  uint32_t home(uint32_t die, uint32_t tag) const {
    return !TwoPartitions ? die : die * 2 + (tag >> kHomeBit & 1);
  }
  /// The partition that `unit` is next to.
  uint32_t near(uint32_t unit, uint32_t die) const {
    if (!TwoPartitions)
      return die;
    uint32_t local = unit - die * unitsPerDie;
    return die * 2 + (local & 1);
  }

  /// Gets the host's copies of the sets where a line may be.
  void prefetch(uint32_t die, uint32_t tag) {
    uint32_t at = home(die, tag);
    l2[at].prefetch(tag);
    if (TwoPartitions)
      l2[at ^ 1].prefetch(tag);
  }

  bool hasLastLevel() const { return !llc.empty(); }
  /// The same behind the L2, for a line that is not there.
  void prefetchLastLevel(uint32_t die, uint32_t tag) {
    L2 &cache = l2[home(die, tag)];
    if (cache.find(cache.set(tag), tag) < 0)
      llc[0].prefetch(tag);
  }

  /// Reads sectors of a line, asked for next to partition `local` of `die`.
  /// True if any had to be fetched from memory.
  bool read(uint32_t local, uint32_t die, uint32_t tag, uint8_t mask) {
    uint32_t at = home(die, tag);
    uint64_t sectors = kPopulation[mask];
    counters.l2Lookups += sectors;
    bool fromDram = false;
    uint8_t there = 0;
    if (at == local) {
      uint8_t absent = readHome(at, tag, mask, there, fromDram);
      counters.l2Hits += sectors - kPopulation[absent];
      return fromDram;
    }
    Place copy = lookUp(l2[local], tag, mask);
    uint64_t crossing = kPopulation[copy.missing];
    counters.l2Hits += sectors - crossing;
    if (!crossing)
      return false;
    counters.fabricLookups += crossing;
    uint8_t absent = readHome(at, tag, copy.missing, there, fromDram);
    counters.fabricHits += crossing - kPopulation[absent];
    // What was fetched together crosses together, as far as it is there.
    fill(l2[local], copy, tag,
         copy.missing | (fetchMask[copy.missing] & there));
    return fromDram;
  }

  /// Makes sure that an atomic finds its sectors at the line's home. True as of
  /// `read`.
  bool fetch(uint32_t die, uint32_t tag, uint8_t mask) {
    uint8_t there = 0;
    bool fromDram = false;
    readHome(home(die, tag), tag, mask, there, fromDram);
    return fromDram;
  }

  /// Writes sectors of a line, `full` of them whole.
  void write(uint32_t local, uint32_t die, uint32_t tag, uint8_t mask,
             uint8_t full) {
    uint32_t at = home(die, tag);
    uint64_t sectors = kPopulation[mask];
    counters.l2Lookups += sectors;
    counters.l2Hits += sectors;
    if (TwoPartitions) {
      if (at != local) {
        counters.fabricLookups += sectors;
        counters.fabricHits += sectors;
        counters.forwardedWrites += sectors;
      }
      // The copy in the half that is not the line's home is out of date.
      L2 &other = l2[at ^ 1];
      auto &set = other.set(tag);
      if (int way = other.find(set, tag); way >= 0)
        set.state[way] &= ~mask;
    }
    L2 &cache = l2[at];
    auto &set = cache.set(tag);
    int way = cache.find(set, tag);
    if (countWriteMisses)
      counters.l2Hits -=
          way < 0 ? sectors
                  : kPopulation[mask & ~(set.state[way] |
                                         set.state[way] >> kMaxSectors)];
    if (way < 0)
      way = makeRoom(cache, set, tag);
    else
      cache.touch(set, way);
    set.state[way] |= full | mask << kMaxSectors;
  }

  /// Carries out the write-backs of a batch, whose sets were prefetched.
  void writeBackAll() {
    for (const Evicted &out : evicted)
      writeBack(out.hash, out.dirty);
    evicted.clear();
  }

  /// Sectors that `finish` would bring to memory.
  uint64_t dirtySectors() {
    uint64_t sum = 0;
    auto add = [&](uint32_t, uint8_t dirty) { sum += kPopulation[dirty]; };
    for (auto &cache : l2)
      cache.forEachDirty(add, /*clean=*/false);
    for (auto &cache : llc)
      cache.forEachDirty(add, /*clean=*/false);
    return sum;
  }

  /// Writes back everything.
  void finish() {
    for (auto &cache : l2)
      cache.forEachDirty(
          [&](uint32_t tag, uint8_t dirty) { writeBack(tag, dirty); });
    for (auto &cache : llc)
      cache.forEachDirty(
          [&](uint32_t tag, uint8_t dirty) { toDram(tag, dirty); });
  }

private:
  /// Where a line is in a cache.
  struct Place {
    typename L2::Set &set;
    int way;         ///< -1: nowhere
    uint8_t missing; ///< sectors that were looked for and are not there
  };

  /// Looks up sectors of a line. What is found becomes the latest used.
  static Place lookUp(L2 &cache, uint32_t tag, uint8_t mask) {
    auto &set = cache.set(tag);
    int way = cache.find(set, tag);
    if (way < 0)
      return {set, way, mask};
    cache.touch(set, way);
    return {set, way, static_cast<uint8_t>(mask & ~set.state[way])};
  }

  /// Makes sectors of a line valid, with room made for it if need be.
  void fill(L2 &cache, Place &place, uint32_t tag, uint8_t mask) {
    if (place.way < 0)
      place.way = makeRoom(cache, place.set, tag);
    place.set.state[place.way] |= mask;
  }

  /// Reads sectors at the home of a line, from memory if need be. Returns the
  /// sectors that the home did not have; `there`: those that it has now.
  uint8_t readHome(uint32_t at, uint32_t tag, uint8_t mask, uint8_t &there,
                   bool &fromDram) {
    Place place = lookUp(l2[at], tag, mask);
    if (place.missing) {
      uint8_t wide = fetchMask[place.missing];
      fill(l2[at], place, tag, wide);
      fromDram = readLastLevel(tag, wide);
    }
    there = place.set.state[place.way] & kSectorMask;
    return place.missing;
  }

  unsigned makeRoom(L2 &cache, typename L2::Set &set, uint32_t tag) {
    Evicted out;
    unsigned way = cache.replace(set, tag, nextRank(cache.ways()), out);
    if (out.dirty) {
      if (llc.empty()) {
        toDram(out.hash, out.dirty);
      } else {
        llc[0].prefetch(out.hash);
        evicted.push_back(out);
      }
    }
    return way;
  }

  bool readLastLevel(uint32_t tag, uint8_t mask) {
    uint64_t sectors = kPopulation[mask];
    uint64_t absent = sectors;
    if (!llc.empty()) {
      Place place = lookUp(llc[0], tag, mask);
      absent = kPopulation[place.missing];
      counters.llcLookups += sectors;
      counters.llcHits += sectors - absent;
      if (place.missing)
        fillLastLevel(place, tag, place.missing, 0);
    }
    counters.dramReads += absent;
    counters.dramGroup[tag >> kGroupBit & (kSampleGroups - 1)] += absent;
    return absent != 0;
  }

  void writeBack(uint32_t tag, uint8_t dirty) {
    if (llc.empty())
      return toDram(tag, dirty);
    counters.llcLookups += kPopulation[dirty];
    Place place = lookUp(llc[0], tag, dirty);
    counters.llcHits += kPopulation[dirty] - kPopulation[place.missing];
    fillLastLevel(place, tag, dirty, dirty);
  }

  void fillLastLevel(Place &place, uint32_t tag, uint8_t valid, uint8_t dirty) {
    if (place.way < 0) {
      Evicted out;
      place.way = llc[0].replace(place.set, tag, nextRank(llc[0].ways()), out);
      if (out.dirty)
        toDram(out.hash, out.dirty);
    }
    place.set.state[place.way] |= valid | dirty << kMaxSectors;
  }

  void toDram(uint32_t tag, uint8_t dirty) {
    counters.dramWrites += kPopulation[dirty];
    counters.dramGroup[tag >> kGroupBit & (kSampleGroups - 1)] +=
        kPopulation[dirty];
  }

  uint32_t nextRank(unsigned ways) {
    if (pool <= 1)
      return 0;
    random = random * 1664525u + 1013904223u;
    uint32_t rank = static_cast<uint32_t>((uint64_t(random) * pool) >> 32);
    return rank < ways ? rank : ways - 1;
  }

  Counters &counters;
  const uint32_t unitsPerDie;
  uint32_t random;
  uint32_t pool = 1;
  bool countWriteMisses = false;
  std::array<uint8_t, 1 << kMaxSectors> fetchMask{};
  std::vector<L2> l2; ///< die-major, then partition
  std::vector<L2> llc;
  std::vector<Evicted> evicted; ///< on their way to the last level
};

} // namespace swizzle::simulation

#endif // SWIZZLE_LIB_SIMULATION_SHAREDCACHES_H
