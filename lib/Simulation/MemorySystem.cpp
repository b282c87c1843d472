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
//===----------------------------------------------------------------------===//

#include "MemorySystem.h"

#include "LineSample.h"
#include "SharedCaches.h"

#include <algorithm>

namespace swizzle::simulation {

namespace {

/// Lines of a block.
constexpr size_t kBlock = 96;

template <unsigned L1Ways, typename L2Tag, bool TwoPartitions>
class Hierarchy final : public MemorySystem {
  using L1 = Cache<L1Ways, uint32_t>;

public:
  Hierarchy(const Machine &machine, unsigned lineBits, unsigned sampleShift,
            uint32_t seed)
      : shift(sampleShift), mix(lineBits - sampleShift), sample(sampleShift),
        shared(machine, lineBits - sampleShift, sampleShift, seed, counters) {
    if (machine.l1Bytes > 0) {
      l1.resize(machine.numUnits());
      for (auto &cache : l1)
        cache.resize(machine.l1Bytes / machine.lineBytes >> sampleShift,
                     machine.l1Ways, lineBits - sampleShift);
    }
    for (uint32_t unit = 0; unit < machine.numUnits(); ++unit) {
      uint32_t die = unit / machine.unitsPerDie;
      dieOf.push_back(die);
      nearOf.push_back(shared.near(unit, die));
    }
    for (int i = 0; i < kStages; ++i)
      stage[i] = &blocks[i];
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
    uint64_t entry = sample.entry(pattern, baseLine);
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
    return shared.dirtySectors();
  }

  void finish() override {
    flush();
    shared.finish();
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
    if (shared.hasLastLevel())
      lookAhead(*stage[2]);
    firstLevel(*stage[1]);
    Block *done = stage[3];
    done->count = 0;
    for (int i = kStages - 1; i > 0; --i)
      stage[i] = stage[i - 1];
    stage[0] = done;
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
      for (size_t i = from; i < kept; ++i)
        shared.prefetch(die, block.entry[i].hash);
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
      shared.prefetchLastLevel(dieOf[entry.unit], entry.hash);
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
          fromDram = shared.read(local, die, entry.hash, entry.touched);
        } else {
          if (kind == AccessKind::Atomic)
            fromDram = shared.fetch(die, entry.hash, entry.touched);
          shared.write(local, die, entry.hash, entry.touched, entry.covered);
        }
        outcomes[entry.slot].fromDram += fromDram;
      }
      counters.dieLookups[die] += counters.l2Lookups - before;
      begin = end;
    }
    shared.writeBackAll();
  }

  const unsigned shift;
  const LineHash mix;
  const LineSample sample;
  std::vector<L1> l1; ///< by compute unit
  SharedCaches<L2Tag, TwoPartitions> shared;
  std::vector<uint16_t> dieOf, nearOf; ///< by compute unit
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
