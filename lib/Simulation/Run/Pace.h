//===- Pace.h - Whether younger workgroups fall behind ----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compute unit serves its oldest waves first. Where its own work bounds the
// kernel, the younger workgroups on it wait, a little longer in each round, and
// after some generations those of one unit are spread over the length of a
// life:
//
//   start   oldest 0    second 0       together
//   later   oldest 0    second 1/2     what both read is fetched twice
//
// Where memory bounds it, whoever is older waits for memory as well, and nobody
// falls behind. Which of both is the case is seen while the launch runs.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_SIMULATION_RUN_PACE_H
#define SWIZZLE_LIB_SIMULATION_RUN_PACE_H

#include "Machine/UnitWork.h"
#include "Memory/MemorySystem.h"

namespace swizzle::simulation {

/// Of one launch on one machine.
class Pace {
public:
  /// No one falls behind.
  Pace() = default;
  /// `units`: the work of the whole launch, which makes `steps` steps; of its
  /// lines, one in 2^sampleShift is simulated.
  Pace(const Machine &machine, const UnitWork &units, double steps,
       unsigned sampleShift);

  explicit operator bool() const { return machine; }

  /// Rounds that the youngest workgroup of a unit falls behind in a round, if
  /// the launch goes on as `counters` say that it began.
  float waitOfYoungest(const Counters &counters) const;

  /// The parts of a round in which lines are on their way, if the launch goes
  /// on as it did in its first `rounds`, with so many operations of matrix
  /// units.
  OnTheWay onTheWay(const Counters &counters, uint64_t rounds,
                    double tensorFlops) const;

  /// The chance that a workgroup starts in the cluster of compute units of the
  /// one before, if the launch goes on as it did.
  double sameCluster(const Counters &counters, double tensorFlops) const;

private:
  /// Seconds that the units' own work and memory took so far.
  double unitTime(const Counters &counters) const;
  double memoryTime(const Counters &counters) const;

  const Machine *machine = nullptr;
  double youngerWait = 0;
  double unitSeconds = 0; ///< per step, without the nearest caches
  double scale = 1;       ///< of sectors to bytes
};

} // namespace swizzle::simulation

#endif // SWIZZLE_LIB_SIMULATION_RUN_PACE_H
