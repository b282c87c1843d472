//===- MemorySystem.cpp - Caches and memory of a chip ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Works through the lines of a step in three passes (hash and prefetch,
// first-level look-ups, second-level look-ups), so that the host's cache misses
// overlap.
//
//===----------------------------------------------------------------------===//

#include "MemorySystem.h"

#include <algorithm>

namespace swizzle::simulation {

namespace {

constexpr std::array<uint8_t, 1 << kMaxSectors> makePopulation() {
  std::array<uint8_t, 1 << kMaxSectors> table{};
  for (unsigned i = 1; i < table.size(); ++i)
    table[i] = static_cast<uint8_t>(table[i / 2] + i % 2);
  return table;
}
constexpr std::array<uint8_t, 1 << kMaxSectors> kPopulation = makePopulation();

/// Lines that are worked through at once; bounds the scratch arrays.
constexpr size_t kBatch = 256;

/// Lines between asking for a last-level set and using it.
constexpr size_t kLookAhead = 8;

/// Bits of the hash: upper ones choose sets; these are independent of them.
constexpr unsigned kHomeBit = 3;
constexpr unsigned kGroupBit = 4;

template <unsigned L1Ways, typename L2Tag, bool TwoPartitions>
class Hierarchy final : public MemorySystem {
  using L1 = Cache<L1Ways, uint32_t>;
  using L2 = Cache<16, L2Tag>;

public:
  Hierarchy(const Machine &machine, unsigned lineBits, unsigned sampleShift,
            uint32_t seed)
      : machine(machine), shift(sampleShift), mix(lineBits - sampleShift),
        random(seed * 2654435761u + 1) {
    unsigned bits = lineBits - sampleShift;
    auto lines = [&](int64_t bytes) {
      return bytes / machine.lineBytes >> sampleShift;
    };
    if (machine.l1Bytes > 0) {
      l1.resize(machine.numUnits());
      for (auto &cache : l1)
        cache.resize(lines(machine.l1Bytes), machine.l1Ways, bits);
    }
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

  StepOutcome access(uint32_t unit, const Pattern &pattern, uint32_t baseLine,
                     AccessKind kind) override {
    StepOutcome outcome;
    size_t count = pattern.line.size();
    counters.lineAccesses += count;
    for (size_t begin = 0; begin < count; begin += kBatch) {
      size_t end = std::min(begin + kBatch, count);
      size_t taken = shift ? gatherSampled(pattern, baseLine, begin, end)
                           : gather(pattern, baseLine, begin, end);
      if (!taken)
        continue;
      outcome.lines += taken;
      if (kind == AccessKind::Read)
        outcome.fromDram += read(unit, taken);
      else
        outcome.fromDram += write(unit, taken, kind == AccessKind::Atomic);
    }
    counters.sampledLines += outcome.lines;
    return outcome;
  }

  void finish() override {
    for (auto &cache : l2)
      cache.forEachDirty(
          [&](uint32_t tag, uint8_t dirty) { writeBack(tag, dirty); });
    for (auto &cache : llc)
      cache.forEachDirty(
          [&](uint32_t tag, uint8_t dirty) { toDram(tag, dirty); });
  }

private:
  size_t gather(const Pattern &pattern, uint32_t baseLine, size_t begin,
                size_t end) {
    const uint32_t *line = pattern.line.data() + begin;
    size_t count = end - begin;
    for (size_t i = 0; i < count; ++i)
      hash[i] = mix(baseLine + line[i]);
    touched = pattern.touched.data() + begin;
    covered = pattern.covered.data() + begin;
    return count;
  }

  /// Takes one line of each aligned group of 2^shift: which one is scattered,
  /// so that strides do not meet the sample in step.
  size_t gatherSampled(const Pattern &pattern, uint32_t baseLine, size_t begin,
                       size_t end) {
    const uint32_t *line = pattern.line.data() + begin;
    const uint8_t *touchedIn = pattern.touched.data() + begin;
    const uint8_t *coveredIn = pattern.covered.data() + begin;
    size_t count = end - begin;
    uint32_t mask = (1u << shift) - 1;
    auto distance = [&](size_t i) {
      uint32_t at = baseLine + line[i];
      uint32_t scattered = (at >> shift) * 0x9e3779b1u;
      return ((scattered >> 20) ^ at) & mask;
    };
    size_t taken = 0;
    if (count < 32) {
      for (size_t i = 0; i < count; ++i) {
        hash[taken] = baseLine + line[i];
        sampledTouched[taken] = touchedIn[i];
        sampledCovered[taken] = coveredIn[i];
        taken += distance(i) == 0;
      }
      count = 0;
    }
    for (size_t i = 0; i < count; ++i) // a loop of its own, for vectors
      skipped[i] = distance(i);
    for (size_t i = 0; i < count; ++i) {
      hash[taken] = baseLine + line[i];
      sampledTouched[taken] = touchedIn[i];
      sampledCovered[taken] = coveredIn[i];
      taken += skipped[i] == 0;
    }
    for (size_t i = 0; i < taken; ++i)
      hash[i] = mix(hash[i] >> shift);
    touched = sampledTouched;
    covered = sampledCovered;
    return taken;
  }

  uint32_t nextRank(unsigned ways) {
    if (pool <= 1)
      return 0;
    random = random * 1664525u + 1013904223u;
    uint32_t rank = static_cast<uint32_t>((uint64_t(random) * pool) >> 32);
    return rank < ways ? rank : ways - 1;
  }

  /// Sectors of `mask` that the first-level cache does not have; it has them
  /// afterwards.
  static uint8_t readL1(L1 &cache, uint32_t tag, uint8_t mask) {
    auto &set = cache.set(tag);
    int way = cache.find(set, tag);
    if (way < 0) {
      Evicted out;
      way = cache.replace(set, tag, 0, out);
    } else {
      cache.touch(set, way);
    }
    uint8_t missing = mask & ~set.state[way];
    set.state[way] |= mask;
    return missing;
  }

  uint32_t read(uint32_t unit, size_t count) {
    const uint32_t *tags = hash;
    const uint8_t *masks = touched;
    uint32_t die = unit / machine.unitsPerDie, local = near(unit, die);
    if (!l1.empty()) {
      L1 &cache = l1[unit];
      for (size_t i = 0; i < count; ++i)
        cache.prefetch(hash[i]);
      size_t missed = 0;
      uint64_t lookups = 0, misses = 0;
      for (size_t i = 0; i < count; ++i) {
        uint8_t missing = readL1(cache, hash[i], touched[i]);
        lookups += kPopulation[touched[i]];
        misses += kPopulation[missing];
        missTag[missed] = hash[i];
        missMask[missed] = missing;
        missed += missing != 0;
      }
      counters.l1Lookups += lookups;
      counters.l1Hits += lookups - misses;
      tags = missTag;
      masks = missMask;
      count = missed;
    }
    prefetchL2(local, die, tags, count);
    uint32_t fromDram = 0;
    uint64_t before = counters.l2Lookups;
    for (size_t i = 0; i < count; ++i) {
      if (!llc.empty() && i + kLookAhead < count)
        prefetchLastLevel(die, tags[i + kLookAhead]);
      fromDram += readL2(local, die, tags[i], masks[i]);
    }
    writeBackAll();
    counters.dieLookups[die] += counters.l2Lookups - before;
    return fromDram;
  }

  uint32_t write(uint32_t unit, size_t count, bool atomic) {
    uint32_t die = unit / machine.unitsPerDie, local = near(unit, die);
    prefetchL2(local, die, hash, count);
    uint32_t fromDram = 0;
    uint64_t before = counters.l2Lookups;
    for (size_t i = 0; i < count; ++i) {
      if (atomic) {
        uint8_t there = 0;
        bool missed = false;
        readHome(home(die, hash[i]), hash[i], touched[i], there, missed);
        fromDram += missed;
      }
      writeL2(local, die, hash[i], touched[i], covered[i]);
    }
    writeBackAll();
    counters.dieLookups[die] += counters.l2Lookups - before;
    return fromDram;
  }

  //===--------------------------------------------------------------------===//
  // L2
  //===--------------------------------------------------------------------===//

  uint32_t home(uint32_t die, uint32_t tag) const {
    return !TwoPartitions ? die : die * 2 + (tag >> kHomeBit & 1);
  }
  /// The partition that `unit` is next to.
  uint32_t near(uint32_t unit, uint32_t die) const {
    if (!TwoPartitions)
      return die;
    uint32_t local = unit - die * machine.unitsPerDie;
    return die * 2 + (local & 1);
  }

  void prefetchL2(uint32_t local, uint32_t die, const uint32_t *tags,
                  size_t count) {
    if (!TwoPartitions) {
      for (size_t i = 0; i < count; ++i)
        l2[die].prefetch(tags[i]);
      return;
    }
    for (size_t i = 0; i < count; ++i) {
      l2[local].prefetch(tags[i]);
      l2[home(die, tags[i])].prefetch(tags[i]);
    }
  }

  /// Gets the host's copy of a last-level set for a line that no L2 has.
  void prefetchLastLevel(uint32_t die, uint32_t tag) {
    L2 &cache = l2[home(die, tag)];
    if (cache.find(cache.set(tag), tag) < 0)
      llc[0].prefetch(tag);
  }

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

  /// True if the line had to be fetched from memory.
  bool readL2(uint32_t local, uint32_t die, uint32_t tag, uint8_t mask) {
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

  void writeL2(uint32_t local, uint32_t die, uint32_t tag, uint8_t mask,
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

  //===--------------------------------------------------------------------===//
  // Last level and memory
  //===--------------------------------------------------------------------===//

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

  /// Carries out the write-backs of a batch, whose sets were prefetched.
  void writeBackAll() {
    for (const Evicted &out : evicted)
      writeBack(out.hash, out.dirty);
    evicted.clear();
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

  const Machine machine;
  const unsigned shift;
  const LineHash mix;
  uint32_t random;
  uint32_t pool = 1;
  bool countWriteMisses = false;
  std::array<uint8_t, 1 << kMaxSectors> fetchMask{};

  std::vector<L1> l1;
  std::vector<L2> l2; ///< die-major, then partition
  std::vector<L2> llc;

  // Scratch of one batch.
  std::vector<Evicted> evicted; ///< on their way to the last level
  const uint8_t *touched = nullptr, *covered = nullptr;
  alignas(64) uint32_t hash[kBatch + 1];
  alignas(64) uint32_t skipped[kBatch + 1];
  alignas(64) uint32_t missTag[kBatch + 1];
  uint8_t missMask[kBatch + 1];
  uint8_t sampledTouched[kBatch + 1], sampledCovered[kBatch + 1];
};

} // namespace

std::unique_ptr<MemorySystem> MemorySystem::create(const Machine &machine,
                                                   unsigned lineBits,
                                                   unsigned sampleShift,
                                                   uint32_t seed) {
  sampleShift = std::min(sampleShift, lineBits - 1);
  int64_t lines =
      machine.l2Bytes / machine.l2Partitions / machine.lineBytes >> sampleShift;
  bool narrow =
      Cache<16, uint16_t>::fits(lines, machine.l2Ways, lineBits - sampleShift);
  auto make = [&](auto type) -> std::unique_ptr<MemorySystem> {
    using T = typename decltype(type)::element_type;
    return std::make_unique<T>(machine, lineBits, sampleShift, seed);
  };
  auto choose = [&](auto ways, auto partitions) {
    constexpr unsigned l1Ways = decltype(ways)::value;
    constexpr bool two = decltype(partitions)::value;
    return narrow ? make(std::unique_ptr<Hierarchy<l1Ways, uint16_t, two>>())
                  : make(std::unique_ptr<Hierarchy<l1Ways, uint32_t, two>>());
  };
  std::integral_constant<unsigned, 8> eight;
  std::integral_constant<unsigned, 16> sixteen;
  if (machine.l2Partitions > 1)
    return machine.l1Ways <= 8 ? choose(eight, std::true_type())
                               : choose(sixteen, std::true_type());
  return machine.l1Ways <= 8 ? choose(eight, std::false_type())
                             : choose(sixteen, std::false_type());
}

} // namespace swizzle::simulation
