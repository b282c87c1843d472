//===- Machine.h - A chip as the simulator sees it ------------ -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A `HardwareSpec` leaves numbers open; the simulator needs all of them. This
// resolves the one, completed, into the other, and keeps the list of what had
// to stand in, so that results can say so. What each constant of `fitted` means
// and where it has no effect is in Hardware/FittedConstants.def.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_SIMULATION_MACHINE_MACHINE_H
#define SWIZZLE_LIB_SIMULATION_MACHINE_MACHINE_H

#include "swizzle/Hardware/HardwareSpec.h"
#include "swizzle/Kernel/WorkgroupMemory.h"

#include <algorithm>

namespace swizzle::simulation {

/// One level of the caches; nothing is open.
struct MachineLevel {
  std::string name;
  /// Compute units that share one of its caches.
  int64_t unitsPerCache = 1;
  int64_t bytes = 0, ways = 16;
  int64_t sectorBytes =
      32;               ///< what a miss here asks of the next level, at least
  double bandwidth = 0; ///< bytes per second, all its caches together
};

/// Memory serves a block of some bytes faster as a whole than as many bytes
/// from all over. What others cost besides, as a share of the time of their
/// bytes.
struct DramScatter {
  int64_t blockBytes = 0;       ///< 0: no such thing is known
  double reads = 0, writes = 0; ///< of which the rest of the block is not used
  double loneWrites = 0;        ///< besides, if a store writes no two lines
  double isolatedReads = 0, isolatedWrites = 0; ///< besides, without neighbours
};

/// Everything that the simulator needs to know of a chip; nothing is open.
struct Machine {
  std::string name;
  int64_t numDies = 1, unitsPerDie = 1, waveSize = 32, dispatchChunk = 1;
  /// The compute unit that is the n-th to start on the die whose turn is t:
  /// unitInTurn[t * unitsPerDie + n].
  std::vector<uint32_t> unitInTurn;

  /// The grain of all caches: a line of the shared level, cut into at most 4
  /// sectors. A first-level cache with shorter lines is one with more sectors.
  int64_t lineBytes = 128, sectorBytes = 32;
  /// What compute units ask for at least.
  int64_t requestBytes = 32;

  /// From the compute units to memory. Those before `shared` are filled by
  /// reads alone; the shared one and those behind it write back.
  std::vector<MachineLevel> levels;
  size_t shared = 0;
  int64_t sharedPartitions = 1;
  /// The first level is next to each compute unit; it is the one that shares
  /// its storage with workgroup memory, if any does.
  bool hasUnitLevel = false;
  HitDefinition hitDefinition = HitDefinition::InFlightIsHit;

  int64_t workgroupMemory = 0, threads = 0, workgroups = 0, registers = 0;
  /// First-level cache and workgroup memory are one array of this many bytes;
  /// 0: they are two.
  int64_t unifiedBytes = 0;

  /// Rounds that a workgroup stays behind after a step all of whose lines came
  /// from memory; a part of them for a part of the lines.
  double missDelay = 0;
  /// The share of that for lines which a level behind the shared one had.
  double behindDelay = 0;
  /// Victims are drawn from this many least recently used ways.
  int64_t victimPool = 1;
  /// Independent reads that a workgroup issues back to back in a round.
  int64_t readsInFlight = 1;
  /// A workgroup starts up to this many rounds after its slot became free.
  int64_t startJitter = 0;
  /// Registers of a thread for ids, addresses and counters, besides its data.
  int64_t workingRegisters = 0;
  /// Part of a round that the youngest workgroup of a compute unit falls behind
  /// in each round where the unit's own work is all that bounds the kernel.
  double youngerWait = 0;
  bool alwaysFallBehind = false; ///< not only where its own work bounds a unit
  /// Workgroups that end together on a compute unit are followed by consecutive
  /// ones there, rather than by one for each unit in turn.
  bool followersTogether = true;
  /// Compute units whose reads of a line on its way to them are merged before
  /// the shared level, on average; 0: none.
  double unitsPerCluster = 0;
  /// Chance that a workgroup starts in the cluster of the one before, where
  /// starting workgroups is all that takes time.
  double sameCluster = 0;
  /// Reads that one look-up answers at most, merged ones included.
  int64_t readsPerLookup = 1;
  /// Clocks that a line is on its way to whoever reads it, which the shared
  /// level has, and which comes from memory; 0: nothing is known, it takes
  /// rounds.
  double lookupClocks = 0, memoryClocks = 0;
  /// How many times as long whoever waits for such a line in a busy chip waits;
  /// 0: latency limits nothing.
  double loadedLatency = 0;
  /// How long a wave is held up, besides, by reads of lines that are on their
  /// way from memory for others.
  double waitingClocks = 0;
  /// Stores that a wave issues one after the other are joined if they touch no
  /// more lines than this together; 0: never.
  int64_t joinedLines = 0;
  DramScatter scatter;
  /// Bytes that all compute units together take from the shared level in a
  /// second, and that cross between its partitions; 0: not known, they limit
  /// nothing.
  double deliveryRate = 0, fabricRate = 0;
  /// Compute units without a workgroup are seen to do nothing.
  bool seesIdleUnits = true;
  /// What happens in so much of a generation of workgroups overlaps, and not
  /// with what comes before and after; 0: nothing is known, all of a launch
  /// overlaps.
  double overlap = 0;
  /// What a miss of the shared level brings in from memory.
  int64_t fetchBytes = 0;

  double dramBandwidth = 0;
  double vectorFlops = 0, tensorFlops = 0, clockHz = 0;
  /// Instructions that all compute units issue in a second; 0: not known.
  double issueRate = 0;
  /// The same to charge a remap by, with a guess where it is not known.
  double remapIssueRate = 0;
  /// The share of a remap's instructions that the others of a kernel wait for.
  double remapIssue = 1;
  /// Clocks until the result of a scalar instruction can be used.
  double instructionClocks = 0;
  /// Passes that the banks of all workgroup memories make in a second; 0: not
  /// known, as are the banks.
  double bankPassRate = 0;
  MemoryBanks banks;
  /// Workgroups that one die starts in a second.
  double launchRate = 0;

  /// What stood in for unknown numbers, for people.
  std::vector<std::string> defaults;

  /// The cluster of the compute unit that has this turn. Units that have turns
  /// one after the other are of one.
  uint32_t clusterOfTurn(uint32_t turn) const {
    return static_cast<uint32_t>(turn / std::max(1.0, unitsPerCluster));
  }
  int64_t numUnits() const { return numDies * unitsPerDie; }
  int64_t numCaches(const MachineLevel &level) const {
    return numUnits() / level.unitsPerCache;
  }
};

/// Resolves `hardware`, completed where it is open.
Machine resolve(const HardwareSpec &hardware);

/// Workgroups of `model` that fit on one compute unit; 0 if not even one does,
/// with the reason in `*why` where that is given.
int64_t residentWorkgroups(const KernelModel &model, const Machine &machine,
                           std::string *why = nullptr);

} // namespace swizzle::simulation

#endif // SWIZZLE_LIB_SIMULATION_MACHINE_MACHINE_H
