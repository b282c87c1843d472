//===- MemorySystem.cpp - Caches and memory of a chip ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.TXT for license information. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
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

constexpr std::array<uint8_t, 256> makePopulation() {
  std::array<uint8_t, 256> table{};
  for (unsigned i = 1; i < 256; ++i)
    table[i] = static_cast<uint8_t>(table[i / 2] + i % 2);
  return table;
}
constexpr std::array<uint8_t, 256> kPopulation = makePopulation();

/// Lines that are worked through at once; bounds the scratch arrays.
constexpr size_t kBatch = 256;

/// Bits of the hash: upper ones choose sets; these are independent of them.
constexpr unsigned kHomeBit = 3;
constexpr unsigned kGroupBit = 4;

template <unsigned L1Ways> class Hierarchy final : public MemorySystem {
public:
  Hierarchy(const Machine &machine, unsigned sampleShift, uint32_t seed)
      : machine(machine), shift(sampleShift), random(seed * 2654435761u + 1) {
    auto lines = [&](int64_t bytes) {
      return bytes / machine.lineBytes >> sampleShift;
    };
    if (machine.l1Bytes > 0) {
      l1.resize(machine.numUnits());
      for (auto &cache : l1)
        cache.resize(lines(machine.l1Bytes), machine.l1Ways);
    }
    l2.resize(machine.numDies * machine.l2Partitions);
    for (auto &cache : l2)
      cache.resize(lines(machine.l2Bytes / machine.l2Partitions),
                   machine.l2Ways);
    if (machine.llcBytes > 0) {
      llc.resize(1);
      llc[0].resize(lines(machine.llcBytes), machine.llcWays);
    }
    counters.dieLookups.assign(machine.numDies, 0);
    unsigned group = machine.fetchBytes / machine.sectorBytes;
    for (unsigned mask = 0; mask < 256; ++mask) {
      unsigned wide = 0, all = (1u << group) - 1;
      for (unsigned at = 0; at < 8; at += group)
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
      hash[i] = mixLine(baseLine + line[i]);
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
    for (size_t i = 0; i < count; ++i) {
      uint32_t at = baseLine + line[i];
      uint32_t scattered = (at >> shift) * 0x9e3779b1u;
      skipped[i] = ((scattered >> 20) ^ at) & mask;
    }
    size_t taken = 0;
    for (size_t i = 0; i < count; ++i) {
      hash[taken] = baseLine + line[i];
      sampledTouched[taken] = touchedIn[i];
      sampledCovered[taken] = coveredIn[i];
      taken += skipped[i] == 0;
    }
    for (size_t i = 0; i < taken; ++i)
      hash[i] = mixLine(hash[i]);
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
  static uint8_t readL1(Cache<L1Ways> &cache, uint32_t tag, uint8_t mask) {
    auto &set = cache.set(tag);
    int way = cache.find(set, tag);
    if (way < 0) {
      Evicted out;
      way = cache.replace(set, tag, 0, out);
    } else {
      cache.touch(set, way);
    }
    uint8_t missing = mask & ~set.valid[way];
    set.valid[way] |= mask;
    return missing;
  }

  uint32_t read(uint32_t unit, size_t count) {
    const uint32_t *tags = hash;
    const uint8_t *masks = touched;
    uint32_t die = unit / machine.unitsPerDie;
    if (!l1.empty()) {
      Cache<L1Ways> &cache = l1[unit];
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
    prefetchL2(unit, die, tags, count);
    uint32_t fromDram = 0;
    uint64_t before = counters.l2Lookups;
    for (size_t i = 0; i < count; ++i)
      fromDram += readL2(unit, die, tags[i], masks[i]);
    counters.dieLookups[die] += counters.l2Lookups - before;
    return fromDram;
  }

  uint32_t write(uint32_t unit, size_t count, bool atomic) {
    uint32_t die = unit / machine.unitsPerDie;
    prefetchL2(unit, die, hash, count);
    uint32_t fromDram = 0;
    uint64_t before = counters.l2Lookups;
    for (size_t i = 0; i < count; ++i) {
      if (atomic)
        fromDram += readHome(home(die, hash[i]), hash[i], touched[i]) != 0;
      writeL2(unit, die, hash[i], touched[i], covered[i]);
    }
    counters.dieLookups[die] += counters.l2Lookups - before;
    return fromDram;
  }

  //===--------------------------------------------------------------------===//
  // L2
  //===--------------------------------------------------------------------===//

  uint32_t home(uint32_t die, uint32_t tag) const {
    return machine.l2Partitions == 1 ? die : die * 2 + (tag >> kHomeBit & 1);
  }
  /// The partition that `unit` is next to.
  uint32_t near(uint32_t unit, uint32_t die) const {
    if (machine.l2Partitions == 1)
      return die;
    uint32_t local = unit - die * machine.unitsPerDie;
    return die * 2 + (local & 1);
  }

  void prefetchL2(uint32_t unit, uint32_t die, const uint32_t *tags,
                  size_t count) {
    if (machine.l2Partitions == 1) {
      for (size_t i = 0; i < count; ++i)
        l2[die].prefetch(tags[i]);
      return;
    }
    uint32_t local = near(unit, die);
    for (size_t i = 0; i < count; ++i) {
      l2[local].prefetch(tags[i]);
      l2[home(die, tags[i])].prefetch(tags[i]);
    }
  }

  /// True if the line had to be fetched from memory.
  bool readL2(uint32_t unit, uint32_t die, uint32_t tag, uint8_t mask) {
    uint32_t at = home(die, tag), local = near(unit, die);
    uint64_t sectors = kPopulation[mask];
    counters.l2Lookups += sectors;
    if (at == local) {
      uint8_t missing = lookUp(l2[at], tag, mask);
      counters.l2Hits += sectors - kPopulation[missing];
      return missing && fetch(l2[at], tag, missing);
    }
    uint8_t missing = lookUp(l2[local], tag, mask);
    counters.l2Hits += sectors - kPopulation[missing];
    if (!missing)
      return false;
    uint64_t crossing = kPopulation[missing];
    counters.fabricLookups += crossing;
    uint8_t absent = lookUp(l2[at], tag, missing);
    counters.fabricHits += crossing - kPopulation[absent];
    bool fromDram = absent && fetch(l2[at], tag, absent);
    // What was fetched together crosses together, as far as it is there.
    auto &set = l2[at].set(tag);
    int way = l2[at].find(set, tag);
    fill(l2[local], tag,
         missing | (fetchMask[missing] & (way < 0 ? 0 : set.valid[way])));
    return fromDram;
  }

  /// Sectors that were fetched from memory into the home of a line.
  uint8_t readHome(uint32_t at, uint32_t tag, uint8_t mask) {
    uint8_t missing = lookUp(l2[at], tag, mask);
    return missing && fetch(l2[at], tag, missing) ? missing : 0;
  }

  void writeL2(uint32_t unit, uint32_t die, uint32_t tag, uint8_t mask,
               uint8_t full) {
    uint32_t at = home(die, tag), local = near(unit, die);
    uint64_t sectors = kPopulation[mask];
    counters.l2Lookups += sectors;
    counters.l2Hits += sectors;
    if (machine.l2Partitions > 1) {
      if (at != local) {
        counters.fabricLookups += sectors;
        counters.fabricHits += sectors;
      }
      // The copy in the half that is not the line's home is out of date.
      Cache<16> &other = l2[at ^ 1];
      auto &set = other.set(tag);
      if (int way = other.find(set, tag); way >= 0)
        set.valid[way] &= ~mask;
    }
    Cache<16> &cache = l2[at];
    auto &set = cache.set(tag);
    int way = cache.find(set, tag);
    if (countWriteMisses)
      counters.l2Hits -=
          way < 0 ? sectors
                  : kPopulation[mask & ~(set.valid[way] | set.dirty[way])];
    if (way < 0)
      way = makeRoom(cache, set, tag);
    else
      cache.touch(set, way);
    set.valid[way] |= full;
    set.dirty[way] |= mask;
  }

  /// Sectors of `mask` that are not there. A hit becomes the latest used.
  uint8_t lookUp(Cache<16> &cache, uint32_t tag, uint8_t mask) {
    auto &set = cache.set(tag);
    int way = cache.find(set, tag);
    if (way < 0)
      return mask;
    cache.touch(set, way);
    return mask & ~set.valid[way];
  }

  unsigned makeRoom(Cache<16> &cache, typename Cache<16>::Set &set,
                    uint32_t tag) {
    Evicted out;
    unsigned way = cache.replace(set, tag, nextRank(cache.ways()), out);
    if (out.dirty)
      writeBack(out.tag, out.dirty);
    return way;
  }

  void fill(Cache<16> &cache, uint32_t tag, uint8_t mask) {
    auto &set = cache.set(tag);
    int way = cache.find(set, tag);
    if (way < 0)
      way = makeRoom(cache, set, tag);
    set.valid[way] |= mask;
  }

  /// Brings sectors into an L2; true if memory was asked.
  bool fetch(Cache<16> &cache, uint32_t tag, uint8_t missing) {
    uint8_t wide = fetchMask[missing];
    fill(cache, tag, wide);
    return readLastLevel(tag, wide);
  }

  //===--------------------------------------------------------------------===//
  // Last level and memory
  //===--------------------------------------------------------------------===//

  bool readLastLevel(uint32_t tag, uint8_t mask) {
    uint64_t sectors = kPopulation[mask];
    uint64_t absent = sectors;
    if (!llc.empty()) {
      Cache<16> &cache = llc[0];
      uint8_t missing = lookUp(cache, tag, mask);
      absent = kPopulation[missing];
      counters.llcLookups += sectors;
      counters.llcHits += sectors - absent;
      if (missing)
        fillLastLevel(tag, missing, 0);
    }
    counters.dramReads += absent;
    counters.dramGroup[tag >> kGroupBit & (kSampleGroups - 1)] += absent;
    return absent != 0;
  }

  void writeBack(uint32_t tag, uint8_t dirty) {
    if (llc.empty())
      return toDram(tag, dirty);
    counters.llcLookups += kPopulation[dirty];
    uint8_t missing = lookUp(llc[0], tag, dirty);
    counters.llcHits += kPopulation[dirty] - kPopulation[missing];
    fillLastLevel(tag, dirty, dirty);
  }

  void fillLastLevel(uint32_t tag, uint8_t valid, uint8_t dirty) {
    Cache<16> &cache = llc[0];
    auto &set = cache.set(tag);
    int way = cache.find(set, tag);
    if (way < 0) {
      Evicted out;
      way = cache.replace(set, tag, nextRank(cache.ways()), out);
      if (out.dirty)
        toDram(out.tag, out.dirty);
    }
    set.valid[way] |= valid;
    set.dirty[way] |= dirty;
  }

  void toDram(uint32_t tag, uint8_t dirty) {
    counters.dramWrites += kPopulation[dirty];
    counters.dramGroup[tag >> kGroupBit & (kSampleGroups - 1)] +=
        kPopulation[dirty];
  }

  const Machine machine;
  const unsigned shift;
  uint32_t random;
  uint32_t pool = 1;
  bool countWriteMisses = false;
  std::array<uint8_t, 256> fetchMask{};

  std::vector<Cache<L1Ways>> l1;
  std::vector<Cache<16>> l2; ///< die-major, then partition
  std::vector<Cache<16>> llc;

  // Scratch of one batch.
  const uint8_t *touched = nullptr, *covered = nullptr;
  alignas(64) uint32_t hash[kBatch + 1];
  alignas(64) uint32_t skipped[kBatch + 1];
  alignas(64) uint32_t missTag[kBatch + 1];
  uint8_t missMask[kBatch + 1];
  uint8_t sampledTouched[kBatch + 1], sampledCovered[kBatch + 1];
};

} // namespace

std::unique_ptr<MemorySystem> MemorySystem::create(const Machine &machine,
                                                   unsigned sampleShift,
                                                   uint32_t seed) {
  if (machine.l1Ways <= 8)
    return std::make_unique<Hierarchy<8>>(machine, sampleShift, seed);
  return std::make_unique<Hierarchy<16>>(machine, sampleShift, seed);
}

} // namespace swizzle::simulation
