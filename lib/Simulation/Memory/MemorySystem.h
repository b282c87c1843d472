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

#include "Counters.h"
#include "LineEntry.h"
#include "Machine/Cache.h"
#include "Machine/Machine.h"
#include "Program/Program.h"

#include "llvm/ADT/ArrayRef.h"

namespace swizzle::simulation {

/// What the words of the memory system have room for.
inline constexpr int64_t kMostUnits = int64_t(1) << 16;
inline constexpr int64_t kMostResident = (int64_t(1) << kSlotBits) - 1;

/// What the sets of all caches may take, in bytes: a hundred times as much as
/// those of any chip of today.
inline constexpr double kMostSetBytes = double(int64_t(2) << 30);

/// At most so many bytes do the sets of `level` take in all its caches, if it
/// is simulated whole and with `scale` times its size. A number beyond all
/// memory is no overflow.
double setBytes(const MachineLevel &level, const Machine &machine,
                double scale);

/// What the accesses of a workgroup in one round met.
struct StepOutcome {
  uint32_t lines = 0; ///< simulated, that are not hot
  /// Of those, the ones that went to memory, and those that a level behind the
  /// shared one had, once for each wave that reads one; where another had asked
  /// memory for it, once less.
  uint32_t fromDram = 0, fromBehind = 0;
  uint32_t asked = 0, late = 0; ///< see `WaitCount`
};

/// One access of the workgroup in slot `slot`, on compute unit `unit`
/// (die-major).
struct EnteredAccess {
  const Pattern *pattern = nullptr;
  uint32_t baseLine = 0;
  uint32_t slot = 0;
  uint32_t unit = 0;
  AccessKind kind = AccessKind::Read;
  WaveCode waves = 0; ///< that wait for each of its lines
  bool isHot = false; ///< what it meets does not decide when a slot goes on
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
