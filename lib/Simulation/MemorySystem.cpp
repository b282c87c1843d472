//===- MemorySystem.cpp - Caches and memory of a chip ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host waits for its own caches more than for anything else: the tags of
// the simulated ones do not fit. So lines go through in blocks, and a block
// through stages, each a block behind the one before: hash and ask for the
// first-level set; look there and ask for the L2's set; see whether the L2 has
// it, else ask for the last level's set; look there. By the time that a set is
// looked at, the host has it. Lines stay in the order in which they were
// entered at each level.
//
// A sample takes one line of each aligned group of 2^shift. Which one differs
// from group to group, with a period that is no power of two, so that strides
// do not meet the sample in step; and because there is a period, which lines of
// a pattern are taken is worked out once for each place in the period.
//
//===----------------------------------------------------------------------===//

#include "MemorySystem.h"

#include <algorithm>
#include <numeric>

namespace swizzle::simulation {

namespace {

constexpr std::array<uint8_t, 1 << kMaxSectors> makePopulation() {
  std::array<uint8_t, 1 << kMaxSectors> table{};
  for (unsigned i = 1; i < table.size(); ++i)
    table[i] = static_cast<uint8_t>(table[i / 2] + i % 2);
  return table;
}
constexpr std::array<uint8_t, 1 << kMaxSectors> kPopulation = makePopulation();

/// Lines of a block.
constexpr size_t kBlock = 96;

/// Groups of lines after which the sample repeats: a prime.
constexpr uint32_t kPeriod = 251;

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
    for (uint32_t unit = 0; unit < machine.numUnits(); ++unit) {
      uint32_t die = unit / machine.unitsPerDie;
      dieOf.push_back(die);
      nearOf.push_back(near(unit, die));
    }
    for (int i = 0; i < kStages; ++i)
      stage[i] = &blocks[i];
    // Every place within a group is sampled equally often, in no order: the
    // groups are ranked by a hash.
    std::vector<uint32_t> byHash(kPeriod);
    std::iota(byHash.begin(), byHash.end(), 0);
    std::sort(byHash.begin(), byHash.end(), [](uint32_t a, uint32_t b) {
      LineHash scatter(32);
      return scatter(a + 1) < scatter(b + 1);
    });
    sampledOf.resize(kPeriod);
    for (uint32_t rank = 0; rank < kPeriod; ++rank)
      sampledOf[byHash[rank]] = rank & ((1u << shift) - 1);
  }

  void access(uint32_t slot, uint32_t unit, const Pattern &pattern,
              uint32_t baseLine, AccessKind kind) override {
    ++counters.steps;
    counters.lineAccesses += pattern.line.size();
    if (!shift) {
      enter(slot, unit, pattern, baseLine, kind, pattern.line.size(),
            [](size_t i) { return i; });
      return;
    }
    uint64_t entry = sampleOf(pattern, baseLine);
    size_t count = entry & 0xffff;
    if (count == 0)
      return;
    if (count <= 3) {
      enter(slot, unit, pattern, baseLine, kind, count, [entry](size_t i) {
        return static_cast<uint16_t>(entry >> (16 * (i + 1)));
      });
      return;
    }
    const uint16_t *list = pattern.sample.lists[entry >> 16].data();
    enter(slot, unit, pattern, baseLine, kind, count,
          [list](size_t i) { return list[i]; });
  }

  void flush() override {
    for (int left = kStages; left > 0; --left)
      advance();
  }

  uint64_t dirtySectors() override {
    flush();
    uint64_t sum = 0;
    auto add = [&](uint32_t, uint8_t dirty) { sum += kPopulation[dirty]; };
    for (auto &cache : l2)
      cache.forEachDirty(add, /*clean=*/false);
    for (auto &cache : llc)
      cache.forEachDirty(add, /*clean=*/false);
    return sum;
  }

  void finish() override {
    flush();
    for (auto &cache : l2)
      cache.forEachDirty(
          [&](uint32_t tag, uint8_t dirty) { writeBack(tag, dirty); });
    for (auto &cache : llc)
      cache.forEachDirty(
          [&](uint32_t tag, uint8_t dirty) { toDram(tag, dirty); });
  }

private:
  /// Lines on their way, in the order in which they were entered.
  struct alignas(16) Entry {
    uint32_t hash, slot;
    uint16_t unit;
    uint8_t touched, covered;
    AccessKind kind;
  };
  struct Block {
    size_t count = 0;
    Entry entry[kBlock];
  };
  static constexpr int kStages = 4;

  template <typename Index>
  void enter(uint32_t slot, uint32_t unit, const Pattern &pattern,
             uint32_t baseLine, AccessKind kind, size_t count, Index index) {
    counters.sampledLines += count;
    outcomes[slot].lines += count;
    bool first = kind == AccessKind::Read && !l1.empty();
    for (size_t done = 0; done < count;) {
      Block *block = stage[0];
      size_t at = block->count, end = std::min(kBlock, at + count - done);
      for (; at < end; ++at, ++done) {
        size_t i = index(done);
        uint32_t hash = mix((baseLine + pattern.line[i]) >> shift);
        block->entry[at] = {hash,
                            slot,
                            static_cast<uint16_t>(unit),
                            pattern.touched[i],
                            pattern.covered[i],
                            kind};
        if (first)
          l1[unit].prefetch(hash);
      }
      block->count = end;
      if (end == kBlock)
        advance();
    }
  }

  /// Moves every block on by one stage.
  void advance() {
    finishBlock(*stage[3]);
    if (!llc.empty())
      lookAhead(*stage[2]);
    firstLevel(*stage[1]);
    Block *done = stage[3];
    done->count = 0;
    for (int i = kStages - 1; i > 0; --i)
      stage[i] = stage[i - 1];
    stage[0] = done;
  }

  /// The entry that says which lines of `pattern` are in the sample.
  uint64_t sampleOf(const Pattern &pattern, uint32_t baseLine) {
    SampledLines &sample = pattern.sample;
    uint32_t place = ((baseLine >> shift) % kPeriod) << shift |
                     (baseLine & ((1u << shift) - 1));
    if (sample.shift == shift) {
      uint16_t number = sample.place[place];
      if (number == SampledLines::kNone)
        return 0;
      if (number != SampledLines::kUnknown)
        return sample.entry[number - 1];
    }
    return findSample(pattern, baseLine, place);
  }

  /// Works out which lines of `pattern` are in the sample.
  uint64_t findSample(const Pattern &pattern, uint32_t baseLine,
                      uint32_t place) {
    SampledLines &sample = pattern.sample;
    if (sample.shift != shift || sample.entry.size() >= SampledLines::kMost) {
      sample = SampledLines();
      sample.shift = shift;
      sample.place.assign(kPeriod << shift, SampledLines::kUnknown);
      sample.entry.push_back(0);
      sample.numbers[{}] = SampledLines::kNone;
    }
    std::vector<uint16_t> taken;
    uint32_t mask = (1u << shift) - 1;
    for (size_t i = 0; i < pattern.line.size(); ++i) {
      uint32_t line = baseLine + pattern.line[i];
      if ((line & mask) == sampledOf[(line >> shift) % kPeriod])
        taken.push_back(static_cast<uint16_t>(i));
    }
    auto [found, added] = sample.numbers.try_emplace(
        taken, static_cast<uint16_t>(sample.entry.size() + 1));
    if (!added)
      return sample.entry[(sample.place[place] = found->second) - 1];
    uint64_t entry = taken.size();
    if (taken.size() <= 3) {
      for (size_t i = 0; i < taken.size(); ++i)
        entry |= uint64_t(taken[i]) << (16 * (i + 1));
    } else {
      entry |= uint64_t(sample.lists.size()) << 16;
      sample.lists.push_back(std::move(taken));
    }
    sample.entry.push_back(entry);
    sample.place[place] = found->second;
    return entry;
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

  /// The end of the entries from `begin` on that belong together: one compute
  /// unit, all reads or all not.
  static size_t runFrom(const Block &block, size_t begin) {
    size_t end = begin + 1;
    while (end < block.count &&
           block.entry[end].unit == block.entry[begin].unit &&
           block.entry[end].kind == block.entry[begin].kind)
      ++end;
    return end;
  }

  /// Looks up reads in the first-level caches; what is left of the block goes
  /// on to the L2.
  void firstLevel(Block &block) {
    size_t kept = 0;
    uint64_t lookups = 0, misses = 0;
    for (size_t begin = 0; begin < block.count;) {
      size_t end = runFrom(block, begin);
      uint32_t unit = block.entry[begin].unit, die = dieOf[unit];
      bool first = block.entry[begin].kind == AccessKind::Read && !l1.empty();
      size_t from = kept;
      if (first) {
        L1 &cache = l1[unit];
        for (size_t i = begin; i < end; ++i) {
          Entry entry = block.entry[i];
          uint8_t missing = readL1(cache, entry.hash, entry.touched);
          lookups += kPopulation[entry.touched];
          misses += kPopulation[missing];
          entry.touched = missing;
          block.entry[kept] = entry;
          kept += missing != 0;
        }
      } else {
        for (size_t i = begin; i < end; ++i)
          block.entry[kept++] = block.entry[i];
      }
      for (size_t i = from; i < kept; ++i) {
        uint32_t hash = block.entry[i].hash, at = home(die, hash);
        l2[at].prefetch(hash);
        if (TwoPartitions)
          l2[at ^ 1].prefetch(hash);
      }
      begin = end;
    }
    block.count = kept;
    counters.l1Lookups += lookups;
    counters.l1Hits += lookups - misses;
  }

  /// Gets the host's copy of the last-level sets of lines that no L2 has.
  void lookAhead(const Block &block) {
    for (size_t i = 0; i < block.count; ++i) {
      const Entry &entry = block.entry[i];
      L2 &cache = l2[home(dieOf[entry.unit], entry.hash)];
      if (cache.find(cache.set(entry.hash), entry.hash) < 0)
        llc[0].prefetch(entry.hash);
    }
  }

  /// Carries out what the first level did not answer.
  void finishBlock(const Block &block) {
    for (size_t begin = 0; begin < block.count;) {
      size_t end = runFrom(block, begin);
      uint32_t unit = block.entry[begin].unit;
      uint32_t die = dieOf[unit], local = nearOf[unit];
      AccessKind kind = block.entry[begin].kind;
      uint64_t before = counters.l2Lookups;
      for (size_t i = begin; i < end; ++i) {
        const Entry &entry = block.entry[i];
        bool fromDram = false;
        if (kind == AccessKind::Read) {
          fromDram = readL2(local, die, entry.hash, entry.touched);
        } else {
          if (kind == AccessKind::Atomic) {
            uint8_t there = 0;
            readHome(home(die, entry.hash), entry.hash, entry.touched, there,
                     fromDram);
          }
          writeL2(local, die, entry.hash, entry.touched, entry.covered);
        }
        outcomes[entry.slot].fromDram += fromDram;
      }
      counters.dieLookups[die] += counters.l2Lookups - before;
      begin = end;
    }
    writeBackAll();
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

  std::vector<uint16_t> dieOf, nearOf; ///< by compute unit
  std::vector<uint16_t> sampledOf;     ///< the line that each group gives
  std::vector<Evicted> evicted;        ///< on their way to the last level
  std::array<Block, kStages> blocks;
  std::array<Block *, kStages> stage;
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
