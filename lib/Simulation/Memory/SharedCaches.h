//===- SharedCaches.h - What compute units share ----------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The level that compute units share (an L2 for each die, in one or two
// partitions), the levels behind it and memory. Everything is inline: a line
// access passes through here in a few nanoseconds. All chips of today have at
// most one level behind the shared one, so this one is on the fast path; any
// further ones are a call away.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_SIMULATION_MEMORY_SHAREDCACHES_H
#define SWIZZLE_LIB_SIMULATION_MEMORY_SHAREDCACHES_H

#include "LineEntry.h"
#include "MemorySystem.h"
#include "ReadsInFlight.h"
#include "Sectors.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Compiler.h"

#include <algorithm>

namespace swizzle::simulation {

/// Lines that go through the levels together.
inline constexpr size_t kBlock = 96;

/// Bits of the hash: upper ones choose sets; these are independent of them.
inline constexpr unsigned kHomeBit = 0;
inline constexpr unsigned kGroupBit = 4;

template <typename L2Tag, bool TwoPartitions> class SharedCaches {
  using L2 = CacheShape<16, L2Tag>;
  using Set = typename L2::Set;

public:
  /// Lines have hashes of `bits` bits. What happens is counted in `counters`.
  SharedCaches(const Machine &machine, unsigned bits, unsigned sampleShift,
               uint32_t seed, Counters &counters)
      : counters(counters), own(counters.level[machine.shared]),
        behind(&own + 1), sampled(sampleShift > 0),
        random(seed * 2654435761u + 1) {
    auto shapeOf = [&](const MachineLevel &level, int64_t parts) {
      int64_t lines = level.bytes / parts / machine.lineBytes >> sampleShift;
      return L2(lines, level.ways, bits);
    };
    const MachineLevel &shared = machine.levels[machine.shared];
    int64_t parts = machine.sharedPartitions,
            caches = machine.numCaches(shared);
    l2.resize(caches * parts, shapeOf(shared, parts));
    for (size_t i = machine.shared + 1; i < machine.levels.size(); ++i) {
      bool first = i == machine.shared + 1;
      (first ? llc : further.emplace_back())
          .resize(1, shapeOf(machine.levels[i], 1));
    }
    inFlight.reserve(caches);
    while (int64_t(inFlight.size()) < caches)
      inFlight.emplace_back(machine, sampleShift);
    counters.cacheLookups.assign(caches, 0);
    fetchMask = widenMasks(machine.fetchBytes / machine.sectorBytes);
    countWriteMisses = machine.hitDefinition == HitDefinition::InFlightIsHit;
    pool = static_cast<uint32_t>(std::max<int64_t>(1, machine.victimPool));
  }

  /// The partition that a line of `die` belongs to.
  static uint32_t home(uint32_t die, uint32_t hash) {
    return !TwoPartitions ? die : die * 2 + (hash >> kHomeBit & 1);
  }
  /// The partition that a cluster of compute units of `die` is next to.
  static uint32_t near(uint32_t cluster, uint32_t die) {
    return TwoPartitions ? die * 2 + (cluster & 1) : die;
  }

  /// Asks the host for the sets where these lines may be, of the L2s of `die`
  /// and of the last level, be it asked or not.
  void prefetch(uint32_t die, llvm::ArrayRef<LineEntry> entries) {
    const L2 shape = l2.shape, last = llc.shape;
    const Set *first = l2[TwoPartitions ? die * 2 : die];
    const Set *behind = llc.empty() ? nullptr : llc[0];
    for (LineEntry entry : entries) {
      uint32_t hash = entry.hash(), index = shape.index(hash);
      inFlight[die].prefetch(hash);
      simulation::prefetch(first[index]);
      if (TwoPartitions)
        simulation::prefetch(first[shape.numSets() + index]);
      if (behind)
        simulation::prefetch(behind[last.index(hash)]);
    }
  }

  /// Who asks: next to partition `local`, of `die`, in a cluster.
  struct Asker {
    uint32_t local, die, cluster;
  };

  /// Reads sectors of lines; they are counted as looked up already. `outcomes`
  /// and `isEarly` by slot.
  void read(Asker by, llvm::ArrayRef<LineEntry> entries, StepOutcome *outcomes,
            const uint8_t *isEarly) {
    uint64_t missed = 0;
    ReadsInFlight &reads = inFlight[by.die];
    if (!reads) {
      for (LineEntry entry : entries) {
        StepOutcome &outcome = outcomes[entry.slot()];
        Looked looked = look(by, entry, outcome);
        missed += looked.missed;
        outcome.asked += entry.waiting();
        outcome.late += looked.fromDram ? entry.waiting() : 0;
      }
      own.hits -= missed;
      return;
    }
    for (LineEntry entry : entries) {
      uint32_t hash = entry.hash();
      uint8_t wanted = entry.touched();
      ReadsInFlight::Found found =
          reads.find(hash, wanted, by.cluster, entry.slot());
      uint64_t sectors = kPopulation[wanted];
      StepOutcome &outcome = outcomes[entry.slot()];
      outcome.asked += entry.waiting();
      if (found.waiting) {
        outcome.late += entry.waiting();
        outcome.fromDram += entry.isHot() ? 0 : entry.waves() - 1;
      }
      if (found.waiting && !entry.isHot() && isEarly[entry.slot()])
        counters.waitingReads += sectors;
      if (found.merged) {
        counters.mergedReads += sectors;
        continue;
      }
      Looked looked = look(by, entry, outcome);
      missed += looked.missed;
      bool isFirst = looked.fromDram && !found.waiting;
      outcome.late += isFirst ? entry.waiting() : 0;
      if (!found.known || isFirst)
        reads.begin(hash, wanted, by.cluster, entry.slot(), looked.fromDram);
    }
    own.hits -= missed;
  }

  /// In the next one, lines of the cache and of memory are on their way for
  /// these parts of it.
  void endRound(float fromCache, float fromMemory) {
    for (ReadsInFlight &reads : inFlight)
      reads.nextRound(fromCache, fromMemory);
  }

  /// Makes sure that an atomic finds its sectors at the line's home.
  void fetch(uint32_t die, uint32_t hash, uint8_t mask, StepOutcome &outcome) {
    Set &set = l2[home(die, hash)][l2.shape.index(hash)];
    int way = l2.shape.find(set, hash);
    uint8_t missing = mask;
    if (way >= 0) {
      l2.shape.touch(set, way);
      missing &= ~set.state[way];
    }
    if (!missing)
      return;
    uint8_t wide = fetchMask[missing];
    enter(set, way, hash, wide);
    bool fromDram = readLastLevel(hash, wide);
    outcome.fromDram += fromDram;
    outcome.fromBehind += !fromDram;
  }

  /// Writes sectors of a line, `full` of them whole.
  void write(uint32_t local, uint32_t die, uint32_t hash, uint8_t mask,
             uint8_t full) {
    uint32_t at = home(die, hash), index = l2.shape.index(hash);
    uint64_t sectors = kPopulation[mask];
    own.lookups += sectors;
    own.hits += sectors;
    countGroup(&GroupCount::shared, hash, sectors);
    if (TwoPartitions) {
      if (at != local) {
        counters.fabricLookups += sectors;
        counters.fabricHits += sectors;
        counters.forwardedWrites += sectors;
        countGroup(&GroupCount::crossing, hash, sectors);
      }
      // The copy in the half that is not the line's home is out of date.
      Set &other = l2[at ^ 1][index];
      if (int way = l2.shape.find(other, hash); way >= 0)
        other.state[way] &= ~mask;
    }
    Set &set = l2[at][index];
    int way = l2.shape.find(set, hash);
    if (countWriteMisses)
      own.hits -= way < 0
                      ? sectors
                      : kPopulation[mask & ~(set.state[way] |
                                             set.state[way] >> kMaxSectors)];
    uint8_t state = full | mask << kMaxSectors;
    if (way < 0)
      return replace(set, hash, state);
    l2.shape.touch(set, way);
    set.state[way] |= state;
  }

  /// Carries out the write-backs of a block, whose sets were asked for.
  void writeBackAll() {
    const L2 shape = llc.shape;
    Set *sets = llc[0];
    for (const DirtyLine &line : llvm::ArrayRef(evicted.data(), numEvicted))
      enterLastLevel(shape, sets, line.hash, line.dirty, line.dirty);
    numEvicted = 0;
  }

  /// Sectors that `finish` would bring to memory: each once where a level
  /// behind gathers what several caches have written, as atomics of several
  /// dies do.
  uint64_t dirtySectors() {
    uint64_t sum = 0;
    llvm::DenseMap<uint64_t, uint8_t> known;
    const bool gathers = !llc.empty() && inFlight.size() > 1;
    l2.forEachDirty(
        [&](uint32_t hash, uint8_t dirty) {
          dirty &= ~dirtyBehind(hash, 0);
          if (gathers) {
            uint8_t &before = known[hash];
            dirty &= ~before;
            before |= dirty;
          }
          sum += kPopulation[dirty];
        },
        /*clean=*/false);
    for (size_t level = 0; level < numBehind(); ++level)
      levelBehind(level).forEachDirty(
          [&](uint32_t hash, uint8_t dirty) {
            sum += kPopulation[dirty & ~dirtyBehind(hash, level + 1)];
          },
          /*clean=*/false);
    return sum;
  }

  /// Leaves what the next launch finds: caches that several dies have each are
  /// written back and empty then, because they do not see each other's writes.
  void endLaunch() {
    if (inFlight.size() > 1) {
      l2.forEachDirty(
          [&](uint32_t hash, uint8_t dirty) { writeBack(hash, dirty); });
      l2.clear();
    }
    for (ReadsInFlight &reads : inFlight)
      reads.forget();
  }

  /// Writes back everything.
  void finish() {
    l2.forEachDirty(
        [&](uint32_t hash, uint8_t dirty) { writeBack(hash, dirty); });
    llc.forEachDirty([&](uint32_t hash, uint8_t dirty) { leave(hash, dirty); });
    for (size_t i = 0; i < further.size(); ++i)
      further[i].forEachDirty([&](uint32_t hash, uint8_t dirty) {
        writeFurther(i + 1, hash, dirty);
      });
  }

private:
  size_t numBehind() const { return llc.empty() ? 0 : 1 + further.size(); }
  Caches<16, L2Tag> &levelBehind(size_t level) {
    return level ? further[level - 1] : llc;
  }

  /// Sectors of a line that are dirty in a level behind, from `level` on.
  uint8_t dirtyBehind(uint32_t hash, size_t level) {
    uint8_t dirty = 0;
    for (; level < numBehind(); ++level) {
      Caches<16, L2Tag> &caches = levelBehind(level);
      Set &set = caches[0][caches.shape.index(hash)];
      if (int way = caches.shape.find(set, hash); way >= 0)
        dirty |= set.state[way] >> kMaxSectors;
    }
    return dirty;
  }

  struct DirtyLine {
    uint32_t hash;
    uint8_t dirty;
  };

  /// How many sectors a partition did not have.
  struct Looked {
    uint8_t missed = 0;
    bool fromDram = false;
    bool fromBehind =
        false; ///< any was in a level behind, none came from memory
  };
  LLVM_ATTRIBUTE_ALWAYS_INLINE Looked look(Asker by, LineEntry entry,
                                           StepOutcome &outcome) {
    const L2 shape = l2.shape;
    uint32_t hash = entry.hash();
    Set &set = l2[by.local][shape.index(hash)];
    int way = shape.find(set, hash);
    uint8_t missing = entry.touched();
    countGroup(&GroupCount::shared, hash, kPopulation[missing]);
    if (way >= 0) {
      shape.touch(set, way);
      missing &= ~set.state[way];
      if (!missing)
        return {};
    }
    Looked looked = readMissing(set, by.local, by.die, way, hash, missing);
    uint32_t waves = entry.isHot() ? 0 : entry.waves();
    outcome.fromDram += looked.fromDram ? waves : 0;
    outcome.fromBehind += looked.fromBehind ? waves : 0;
    return looked;
  }

  /// Goes on with a read whose partition `local` lacks sectors; `way`: where
  /// the line is in `set` there, or -1.
  Looked readMissing(Set &set, uint32_t local, uint32_t die, int way,
                     uint32_t hash, uint8_t missing) {
    uint32_t at = home(die, hash);
    uint8_t wide = fetchMask[missing];
    if (!TwoPartitions) {
      enter(set, way, hash, wide);
      bool fromDram = readLastLevel(hash, wide);
      return {kPopulation[missing], fromDram, !fromDram};
    }
    // What another half fetched is found, whether this or that is its home.
    Set &other = l2[local ^ 1][l2.shape.index(hash)];
    int there = l2.shape.find(other, hash);
    uint8_t had = 0;
    if (there >= 0) {
      l2.shape.touch(other, there);
      had = other.state[there];
    }
    uint8_t absent = missing & ~had;
    if (at != local) {
      counters.fabricLookups += kPopulation[missing];
      counters.fabricHits += kPopulation[missing & ~absent];
      countGroup(&GroupCount::crossing, hash, kPopulation[missing]);
    }
    // What is there crosses as a whole; what comes from memory stays here
    // alone.
    uint8_t fetched = fetchMask[absent];
    enter(set, way, hash, missing | (wide & had) | fetched);
    bool fromDram = absent && readLastLevel(hash, fetched);
    return {kPopulation[at == local ? absent : missing], fromDram};
  }

  /// Adds to the state of a line in a set of an L2: in `way`, or, if that is
  /// -1, in the place of another line.
  void enter(Set &set, int way, uint32_t hash, uint8_t state) {
    if (way >= 0)
      set.state[way] |= state;
    else
      replace(set, hash, state);
  }

  /// Throws a line out of a set of an L2 for the one with this hash.
  void replace(Set &set, uint32_t hash, uint8_t state) {
    auto old = l2.shape.replace(set, hash, state, nextRank());
    uint8_t dirty = old.state >> kMaxSectors;
    if (llc.empty())
      return toDram(old.tag, dirty);
    // Whether it is dirty would be mispredicted: one path serves both cases.
    uint32_t oldHash = L2::hashOf(old.tag, hash);
    evicted[numEvicted] = {oldHash, dirty};
    numEvicted += dirty != 0;
    simulation::prefetch(llc[0][llc.shape.index(dirty ? oldHash : hash)]);
  }

  bool readLastLevel(uint32_t hash, uint8_t mask) {
    countGroup(&GroupCount::behind, hash, kPopulation[mask]);
    if (!llc.empty())
      mask = enterLastLevel(llc.shape, llc[0], hash, mask, 0);
    if (LLVM_UNLIKELY(!further.empty()))
      for (size_t i = 0; i < further.size() && mask; ++i)
        mask = enterFurther(i, hash, mask, 0);
    uint64_t absent = kPopulation[mask];
    counters.dramReads += absent;
    countGroup(&GroupCount::dram, hash, absent);
    return absent != 0;
  }

  void writeBack(uint32_t hash, uint8_t dirty) {
    if (llc.empty())
      toDram(hash, dirty);
    else
      enterLastLevel(llc.shape, llc[0], hash, dirty, dirty);
  }

  /// Looks for sectors of a line in the cache behind, `sets`, which has them
  /// afterwards, these of them dirty. Returns those that it lacked.
  LLVM_ATTRIBUTE_ALWAYS_INLINE uint8_t enterLastLevel(const L2 shape, Set *sets,
                                                      uint32_t hash,
                                                      uint8_t mask,
                                                      uint8_t dirty) {
    Set &set = sets[shape.index(hash)];
    uint8_t state = mask | dirty << kMaxSectors;
    uint64_t sectors = kPopulation[mask];
    behind[0].lookups += sectors;
    int way = shape.find(set, hash);
    if (way < 0) {
      auto old = shape.replace(set, hash, state, nextRank());
      leave(L2::hashOf(old.tag, hash), old.state >> kMaxSectors);
      return mask;
    }
    shape.touch(set, way);
    uint8_t absent = mask & ~set.state[way];
    set.state[way] |= state;
    behind[0].hits += sectors - kPopulation[absent];
    return absent;
  }

  /// Dirty sectors of a line that the first level behind threw out.
  void leave(uint32_t hash, uint8_t dirty) {
    if (LLVM_UNLIKELY(!further.empty()))
      return writeFurther(0, hash, dirty);
    toDram(hash, dirty);
  }
  void writeFurther(size_t at, uint32_t hash, uint8_t dirty) {
    if (at == further.size())
      return toDram(hash, dirty);
    if (dirty)
      enterFurther(at, hash, dirty, dirty);
  }

  /// `enterLastLevel` for the levels behind that one.
  LLVM_ATTRIBUTE_NOINLINE uint8_t enterFurther(size_t at, uint32_t hash,
                                               uint8_t mask, uint8_t dirty) {
    const L2 shape = further[at].shape;
    Set &set = further[at][0][shape.index(hash)];
    uint8_t state = mask | dirty << kMaxSectors;
    LevelCount &count = behind[at + 1];
    count.lookups += kPopulation[mask];
    int way = shape.find(set, hash);
    if (way < 0) {
      auto old = shape.replace(set, hash, state, nextRank());
      writeFurther(at + 1, L2::hashOf(old.tag, hash), old.state >> kMaxSectors);
      return mask;
    }
    shape.touch(set, way);
    uint8_t absent = mask & ~set.state[way];
    set.state[way] |= state;
    count.hits += kPopulation[mask & ~absent];
    return absent;
  }

  /// Sectors of a line, of which any bits of the hash but the upper are known.
  void toDram(uint32_t hash, uint8_t dirty) {
    counters.dramWrites += kPopulation[dirty];
    countGroup(&GroupCount::dram, hash, kPopulation[dirty]);
  }
  void countGroup(uint64_t GroupCount::*count, uint32_t hash,
                  uint64_t sectors) {
    if (sampled)
      counters.groups[hash >> kGroupBit & (kSampleGroups - 1)].*count +=
          sectors;
  }

  /// Which of the oldest makes room; 0: the very oldest.
  uint32_t nextRank() {
    random = random * 1664525u + 1013904223u;
    return static_cast<uint32_t>((uint64_t(random) * pool) >> 32);
  }

  Counters &counters;
  LevelCount &own, *behind; ///< of the shared level, of those behind
  const bool sampled;
  uint32_t random;
  uint32_t pool = 1;
  bool countWriteMisses = false;
  SectorMasks fetchMask{};
  Caches<16, L2Tag> l2;  ///< by die, then partition
  Caches<16, L2Tag> llc; ///< the first level behind; empty if there is none
  std::vector<Caches<16, L2Tag>> further; ///< those behind that one
  std::vector<ReadsInFlight> inFlight;    ///< by die
  /// On their way to the last level. An access throws out two lines at most,
  /// of the partitions of its die.
  std::array<DirtyLine, 2 * kBlock + 1> evicted;
  size_t numEvicted = 0;
};

} // namespace swizzle::simulation

#endif // SWIZZLE_LIB_SIMULATION_MEMORY_SHAREDCACHES_H
