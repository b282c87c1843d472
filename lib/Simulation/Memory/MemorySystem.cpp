//===- MemorySystem.cpp - Caches and memory of a chip ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What costs here is waiting for the host's own caches, which the tags of the
// simulated ones do not fit. So lines go through in blocks, and a block through
// stages, each a block behind the one before: hash and ask for the first-level
// set; look there and ask for the sets of the shared level and the one behind;
// look there. Levels between and further out are looked at without asking. By
// the time that a set is looked at, the host has it. Lines stay in the order in
// which they were entered at each level.
//
//===----------------------------------------------------------------------===//

#include "MemorySystem.h"

#include "LineSample.h"
#include "SharedCaches.h"

#include "llvm/Support/Compiler.h"

#include <algorithm>

namespace swizzle::simulation {

namespace {

template <unsigned L1Ways, typename L2Tag, bool TwoPartitions>
class Hierarchy final : public MemorySystem {
  using L1 = CacheShape<L1Ways, uint32_t>;
  using Hash = std::conditional_t<TwoPartitions, EvenHash, LineHash>;

public:
  Hierarchy(const Machine &machine, unsigned lineBits, unsigned sampleShift,
            uint32_t seed)
      : shift(sampleShift), mix(lineBits - sampleShift), sample(sampleShift),
        shared(machine, lineBits - sampleShift, sampleShift, seed, counters),
        sharedCount(counters.level[machine.shared]) {
    unsigned bits = lineBits - sampleShift;
    auto lines = [&](const MachineLevel &level) {
      return level.bytes / machine.lineBytes >> sampleShift;
    };
    const std::vector<MachineLevel> &levels = machine.levels;
    bool own = machine.shared > 0 && levels[0].unitsPerCache == 1;
    if (own)
      l1.resize(machine.numUnits(), L1(lines(levels[0]), levels[0].ways, bits));
    for (size_t i = own; i < machine.shared; ++i) {
      Between &level = between.emplace_back(levels[i], machine);
      level.caches.resize(
          machine.numCaches(levels[i]),
          CacheShape<16, uint32_t>(lines(levels[i]), levels[i].ways, bits));
      level.count = &counters.level[i];
    }
    int64_t unitsPerShared = levels[machine.shared].unitsPerCache;
    nearOf.resize(machine.numUnits());
    clusterOf.resize(machine.numUnits());
    for (uint32_t turn = 0; turn < machine.numUnits(); ++turn) {
      sharedOf.push_back(turn / unitsPerShared);
      uint32_t unit = machine.unitInTurn[turn];
      clusterOf[unit] = static_cast<uint16_t>(machine.clusterOfTurn(turn));
      nearOf[unit] = shared.near(clusterOf[unit], unit / unitsPerShared);
    }
    for (int i = 0; i < kStages; ++i)
      stage[i] = &blocks[i];
  }

  void access(llvm::ArrayRef<EnteredAccess> accesses) override {
    counters.steps += accesses.size();
    uint64_t lines = 0;
    for (const EnteredAccess &access : accesses)
      lines += access.pattern->line.size();
    counters.lineAccesses += lines;
    if (shift)
      return enterSampled(accesses);
    for (const EnteredAccess &access : accesses)
      enterAll(access);
  }

  void endRound() override {
    flush();
    shared.endRound(onTheWay.fromCache, onTheWay.fromMemory);
  }

  uint64_t dirtySectors() override {
    flush();
    return shared.dirtySectors();
  }

  uint64_t endLaunch() override {
    flush();
    l1.clear();
    for (Between &level : between)
      level.caches.clear();
    shared.endLaunch();
    size_t caches = counters.cacheLookups.size();
    counters = Counters();
    counters.cacheLookups.assign(caches, 0);
    return shared.dirtySectors();
  }

  void finish() override {
    flush();
    shared.finish();
  }

private:
  void flush() {
    for (int left = kStages; left > 0; --left)
      advance();
  }

  /// Lines of one compute unit that were entered one after the other; `begin`
  /// and `end` are places in the block.
  struct Run {
    uint16_t unit;
    AccessKind kind;
    uint8_t begin, end;
  };
  /// Lines on their way, in the order in which they were entered.
  struct Block {
    size_t count = 0, numRuns = 0;
    LineEntry entry[kBlock];
    Run run[kBlock + 1]; ///< the last may have no line yet

    llvm::ArrayRef<Run> runs() const { return {run, numRuns}; }
    llvm::MutableArrayRef<LineEntry> of(const Run &run) {
      return {entry + run.begin, entry + run.end};
    }
  };
  static_assert(kBlock <= 255, "places are bytes");
  static constexpr int kStages = 3;

  /// A level between those of single compute units and the shared one.
  struct Between {
    Between(const MachineLevel &level, const Machine &machine)
        : unitsPerCache(level.unitsPerCache),
          widen(widenMasks(level.sectorBytes / machine.sectorBytes)) {}
    Caches<16, uint32_t> caches;
    int64_t unitsPerCache;
    SectorMasks widen; ///< to the sectors of this level
    LevelCount *count = nullptr;
  };

  /// The block that lines of `unit` go into next, its last run one for them.
  Block *open(uint32_t unit, AccessKind kind) {
    Block *block = stage[0];
    if (block->numRuns > 0) {
      const Run &last = block->run[block->numRuns - 1];
      if (last.unit == unit && last.kind == kind)
        return block;
    }
    uint8_t at = static_cast<uint8_t>(block->count);
    block->run[block->numRuns++] = {static_cast<uint16_t>(unit), kind, at, at};
    return block;
  }
  static void close(Block &block, size_t count) {
    block.count = count;
    block.run[block.numRuns - 1].end = static_cast<uint8_t>(count);
  }

  /// Enters those lines of the accesses that the sample takes. Half of the
  /// accesses have none, and a branch on that would be mispredicted: they are
  /// sorted out first.
  void enterSampled(llvm::ArrayRef<EnteredAccess> accesses) {
    constexpr size_t most = 64;
    const EnteredAccess *found[most];
    uint64_t entries[most];
    size_t count = 0;
    auto enterFound = [&] {
      for (size_t i = 0; i < count; ++i)
        enterSome(*found[i], entries[i]);
      count = 0;
    };
    for (const EnteredAccess &access : accesses) {
      uint64_t entry = sample.entry(*access.pattern, access.baseLine);
      if (LLVM_UNLIKELY(entry == SampledLines::kFull)) {
        enterFound();
        access.pattern->sample = SampledLines();
        entry = sample.entry(*access.pattern, access.baseLine);
      }
      found[count] = &access;
      entries[count] = entry;
      count += entry != 0;
      if (count == most)
        enterFound();
    }
    enterFound();
  }

  /// Enters all lines of an access.
  void enterAll(const EnteredAccess &access) {
    const Pattern &pattern = *access.pattern;
    const Hash hashOf = mix;
    const uint32_t *lines = pattern.line.data();
    const uint8_t *sectors = pattern.sectors.data();
    const uint32_t slot = access.slot;
    constexpr size_t most = 16;
    uint32_t hashes[most];
    for (size_t left = pattern.line.size(); left > 0;) {
      // Apart from the rest, several are worked out at once.
      size_t count = std::min(left, most);
      for (size_t i = 0; i < count; ++i)
        hashes[i] = hashOf(access.baseLine + lines[i]);
      enter(access, count, [&](size_t i) {
        return LineEntry(hashes[i], sectors[i], slot, access.isHot,
                         access.waves);
      });
      lines += count;
      sectors += count;
      left -= count;
    }
  }

  /// Enters those lines of an access that an entry of the sample names.
  void enterSome(const EnteredAccess &access, uint64_t entry) {
    const Pattern &pattern = *access.pattern;
    const Hash hashOf = mix;
    size_t count = SampledLines::count(entry);
    const uint16_t *list =
        count > SampledLines::kFew ? pattern.sample.list(entry) : nullptr;
    enter(access, count, [&](size_t k) {
      size_t i = list ? list[k] : (entry >>= 16) & 0xffff;
      uint32_t line = access.baseLine + pattern.line[i];
      return LineEntry(hashOf(line >> shift), pattern.sectors[i], access.slot,
                       access.isHot, access.waves);
    });
  }

  /// Enters `count` lines of an access, the k-th as `lineAt(k)`.
  template <typename Fn>
  LLVM_ATTRIBUTE_ALWAYS_INLINE void enter(const EnteredAccess &access,
                                          size_t count, Fn lineAt) {
    counters.sampledLines += count;
    outcomes[access.slot].lines += access.isHot ? 0 : count;
    const L1 shape = l1.shape;
    bool reads = access.kind == AccessKind::Read && !l1.empty();
    auto *sets = reads ? l1[access.unit] : nullptr;
    Block *block = open(access.unit, access.kind);
    size_t at = block->count;
    for (size_t k = 0; k < count; ++k) {
      LineEntry entry = lineAt(k);
      block->entry[at] = entry;
      if (sets)
        prefetch(sets[shape.index(entry.hash())]);
      if (++at < kBlock)
        continue;
      close(*block, at);
      advance();
      block = open(access.unit, access.kind);
      at = 0;
    }
    close(*block, at);
  }

  /// Moves every block on by one stage.
  LLVM_ATTRIBUTE_NOINLINE void advance() {
    finishBlock(*stage[2]);
    firstLevel(*stage[1]);
    Block *done = stage[2];
    done->count = done->numRuns = 0;
    for (int i = kStages - 1; i > 0; --i)
      stage[i] = stage[i - 1];
    stage[0] = done;
  }

  /// Looks up reads in the first-level caches; what is left of the block goes
  /// on to the next level.
  void firstLevel(Block &block) {
    const L1 shape = l1.shape;
    uint64_t lookups = 0, misses = 0;
    for (Run &run : llvm::MutableArrayRef(block.run, block.numRuns)) {
      uint32_t cache = sharedOf[run.unit];
      if (run.kind == AccessKind::Read) {
        uint64_t missed = 0;
        if (l1.empty()) {
          for (LineEntry entry : block.of(run))
            missed += kPopulation[entry.touched()];
        } else {
          auto *sets = l1[run.unit];
          LineEntry *kept = block.entry + run.begin;
          for (LineEntry entry : block.of(run)) {
            uint32_t hash = entry.hash();
            uint8_t wanted = entry.touched();
            uint8_t missing = shape.read(sets[shape.index(hash)], hash, wanted);
            lookups += kPopulation[wanted];
            missed += kPopulation[missing];
            *kept = entry.with(missing);
            kept += missing != 0;
          }
          run.end = static_cast<uint8_t>(kept - block.entry);
          misses += missed;
        }
        if (LLVM_UNLIKELY(!between.empty()))
          missed = passBetween(block, run);
        sharedCount.lookups += missed;
        sharedCount.hits += missed;
        counters.cacheLookups[cache] += missed;
      }
      shared.prefetch(cache, block.of(run));
    }
    if (!l1.empty()) {
      counters.level[0].lookups += lookups;
      counters.level[0].hits += lookups - misses;
    }
  }

  /// Looks up reads in the levels between; what is left of the run goes on.
  /// Returns how many sectors that is.
  LLVM_ATTRIBUTE_NOINLINE uint64_t passBetween(Block &block, Run &run) {
    uint64_t missed = 0;
    for (Between &level : between) {
      const auto shape = level.caches.shape;
      auto *sets = level.caches[run.unit / level.unitsPerCache];
      LineEntry *kept = block.entry + run.begin;
      uint64_t lookups = 0;
      missed = 0;
      for (LineEntry entry : block.of(run)) {
        uint32_t hash = entry.hash();
        uint8_t wanted = level.widen[entry.touched()];
        uint8_t missing = shape.read(sets[shape.index(hash)], hash, wanted);
        lookups += kPopulation[wanted];
        missed += kPopulation[missing];
        *kept = entry.with(missing);
        kept += missing != 0;
      }
      run.end = static_cast<uint8_t>(kept - block.entry);
      level.count->lookups += lookups;
      level.count->hits += lookups - missed;
    }
    return missed;
  }

  /// Carries out what the first level did not answer.
  void finishBlock(Block &block) {
    for (const Run &run : block.runs()) {
      uint32_t cache = sharedOf[run.unit], local = nearOf[run.unit];
      if (run.kind == AccessKind::Read) {
        shared.read({local, cache, clusterOf[run.unit]}, block.of(run),
                    outcomes.data(), isEarly.data());
        continue;
      }
      uint64_t before = sharedCount.lookups;
      for (LineEntry entry : block.of(run)) {
        if (run.kind == AccessKind::Atomic)
          shared.fetch(cache, entry.hash(), entry.touched(),
                       outcomes[entry.slot()]);
        shared.write(local, cache, entry.hash(), entry.touched(),
                     entry.covered());
      }
      counters.cacheLookups[cache] += sharedCount.lookups - before;
    }
    shared.writeBackAll();
  }

  const unsigned shift;
  const Hash mix;
  const LineSample sample;
  Caches<L1Ways, uint32_t> l1; ///< by compute unit; empty if there are none
  SharedCaches<L2Tag, TwoPartitions> shared;
  LevelCount &sharedCount;
  std::vector<Between> between;
  /// By compute unit: its shared cache, the partition next to it, and its
  /// cluster.
  std::vector<uint16_t> sharedOf, nearOf, clusterOf;
  std::array<Block, kStages> blocks;
  std::array<Block *, kStages> stage;
};

} // namespace

double setBytes(const MachineLevel &level, const Machine &machine,
                double scale) {
  double lines = scale * double(level.bytes) / double(machine.lineBytes);
  double sets = std::max(1.0, lines / double(level.ways));
  return sets * double(machine.numCaches(level)) *
         double(sizeof(CacheSet<16, uint32_t>));
}

std::unique_ptr<MemorySystem> MemorySystem::create(const Machine &machine,
                                                   unsigned lineBits,
                                                   unsigned sampleShift,
                                                   uint32_t seed) {
  sampleShift = std::min(sampleShift, lineBits - 1);
  auto fits = [&](int64_t bytes, int64_t ways) {
    return CacheShape<16, uint16_t>::fits(
        bytes / machine.lineBytes >> sampleShift, ways, lineBits - sampleShift);
  };
  bool narrow = true;
  for (size_t i = machine.shared; i < machine.levels.size(); ++i) {
    const MachineLevel &level = machine.levels[i];
    int64_t parts = i == machine.shared ? machine.sharedPartitions : 1;
    narrow = narrow && fits(level.bytes / parts, level.ways);
  }
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
  int64_t ways = machine.levels[0].ways;
  if (machine.sharedPartitions > 1)
    return ways <= 8 ? choose(eight, std::true_type())
                     : choose(sixteen, std::true_type());
  return ways <= 8 ? choose(eight, std::false_type())
                   : choose(sixteen, std::false_type());
}

} // namespace swizzle::simulation
