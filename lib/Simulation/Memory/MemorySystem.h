//===- MemorySystem.h - Caches and memory of a chip ----------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A chain of levels and what moves between them: any number that are filled by
// reads and written through, one that writes back and that all compute units of
// a die (or of the chip) share, in one or two partitions, and any number behind
// it that write back too. What is counted is counted in sectors; the caller
// scales. A read of a line on a chip with three levels:
//
//   l1 of the unit --missing sectors--> l2 of the die --missing--> llc --> DRAM
//
// A write goes to the l2 at once; it leaves a level when its line is thrown
// out.
//
// Two partitions: each line has its home in one of them. A compute unit asks
// its own; if the line is homed in the other one and no copy is there, the
// request crosses to the home, and the answer leaves a copy behind. Writes go
// to the home and drop the copies.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_SIMULATION_MEMORY_MEMORYSYSTEM_H
#define SWIZZLE_LIB_SIMULATION_MEMORY_MEMORYSYSTEM_H

#include "Machine/Cache.h"
#include "Machine/Machine.h"
#include "Program/Program.h"
#include "swizzle/Hardware/Schema.h"

#include "llvm/ADT/ArrayRef.h"

#include <array>

namespace swizzle::simulation {

/// Groups of lines over which DRAM traffic is counted apart, to estimate from
/// their spread how far a sample can be trusted.
inline constexpr unsigned kSampleGroups = 16;

/// What the words of the memory system have room for.
inline constexpr int64_t kMostUnits = int64_t(1) << 16;
inline constexpr int64_t kMostResident = (int64_t(1) << 24) - 1;

/// What the sets of all caches may take, in bytes: a hundred times as much as
/// those of any chip of today.
inline constexpr double kMostSetBytes = double(int64_t(2) << 30);

/// At most so many bytes do the sets of `level` take in all its caches, if it
/// is simulated whole and with `scale` times its size. A number beyond all
/// memory is no overflow.
double setBytes(const MachineLevel &level, const Machine &machine,
                double scale);

/// Look-ups in all caches of one level.
struct LevelCount {
  uint64_t lookups = 0, hits = 0;
};

/// Sums over a run, in sectors unless named otherwise.
struct Counters {
  uint64_t lineAccesses = 0; ///< of waves, sampled or not
  uint64_t sampledLines = 0; ///< those that were simulated
  uint64_t steps = 0;        ///< accesses of whole workgroups
  /// By level; of the shared one, what compute units ask.
  std::array<LevelCount, kMaxLevels> level{};
  uint64_t fabricLookups = 0, fabricHits = 0; ///< asked by the other half
  uint64_t forwardedWrites = 0; ///< of the fabric look-ups, all of them hits
  /// Reads that compute units asked of the shared level, hits all of them:
  /// those that were merged on the way, and early ones that waited for memory
  /// there.
  uint64_t mergedReads = 0, waitingReads = 0;
  uint64_t dramReads = 0, dramWrites = 0;
  /// DRAM traffic by hash of the line; in a sample only.
  std::array<uint64_t, kSampleGroups> dramGroup{};
  std::vector<uint64_t> cacheLookups; ///< of the shared level, by cache
};

/// What the accesses of a workgroup in one round met.
struct StepOutcome {
  uint32_t lines = 0;      ///< simulated
  uint32_t fromDram = 0;   ///< of those, the ones that went to memory
  uint32_t fromBehind = 0; ///< and those that a level behind the shared one had
};

/// One access of the workgroup in slot `slot`, on compute unit `unit`
/// (die-major).
struct EnteredAccess {
  const Pattern *pattern = nullptr;
  uint32_t baseLine = 0;
  uint32_t slot = 0;
  uint32_t unit = 0;
  AccessKind kind = AccessKind::Read;
};

/// The parts of a round, 0 to 1, in which lines are on their way to whoever
/// reads them: those that the shared level has, and those that come from memory
/// (1: as many rounds as the workgroup stays behind).
struct OnTheWay {
  float fromCache = 1, fromMemory = 1;
};

class MemorySystem {
public:
  virtual ~MemorySystem() = default;

  /// Enters accesses. They are carried out in this order, but not at once;
  /// their patterns are not needed after this call.
  virtual void access(llvm::ArrayRef<EnteredAccess> accesses) = 0;

  /// Ends a round: carries out what was entered. `outcomes` is then complete.
  virtual void endRound() = 0;

  /// By slot: what its accesses met; whoever reads one sets it to nothing.
  std::vector<StepOutcome> outcomes;

  /// By slot: its workgroup is in its first accesses, which count as waiting.
  std::vector<uint8_t> isEarly;

  OnTheWay onTheWay;

  /// Sectors that a later write-back would bring to memory.
  virtual uint64_t dirtySectors() = 0;

  /// Ends a launch that another one follows; counters begin anew. What all
  /// compute units share stays as it is; levels before that forget everything,
  /// as does the shared one where there are several of it, after it wrote back.
  /// Returns how many sectors are dirty, which were written before.
  virtual uint64_t endLaunch() = 0;

  /// Writes back what is dirty.
  virtual void finish() = 0;

  Counters counters;

  /// One line in 2^sampleShift is simulated; capacities shrink alike. Line
  /// numbers have `lineBits` bits.
  static std::unique_ptr<MemorySystem> create(const Machine &machine,
                                              unsigned lineBits,
                                              unsigned sampleShift,
                                              uint32_t seed);
};

} // namespace swizzle::simulation

#endif // SWIZZLE_LIB_SIMULATION_MEMORY_MEMORYSYSTEM_H
