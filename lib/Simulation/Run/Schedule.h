//===- Schedule.h - Who runs where, and in which order -------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Deals workgroups to dies and compute units as the hardware does, and steps
// all resident ones in turn.
//
// Time goes in rounds: in each, every resident workgroup that is not waiting
// carries out its next access. One whose access went to memory stays behind a
// little, so that workgroups that share data fall into step by themselves: the
// first to touch it waits, those behind find it in the cache and catch up.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_SIMULATION_RUN_SCHEDULE_H
#define SWIZZLE_LIB_SIMULATION_RUN_SCHEDULE_H

#include "Memory/MemorySystem.h"
#include "Pace.h"
#include "swizzle/Support/Deadline.h"
#include "llvm/ADT/ArrayRef.h"

#include <cmath>

namespace swizzle::simulation {

struct ScheduleOptions {
  int64_t workgroups = 0; ///< how many are run, from the first dispatched on
  int64_t resident = 1;   ///< on one compute unit
  uint32_t skew = 0;
  Pace pace;
  /// One line in 2^sampleShift is simulated.
  unsigned sampleShift = 0;
  /// Line accesses after which counting begins, and half-way from there.
  uint64_t countFrom = 0, half = UINT64_MAX;
  /// Steps of all workgroups after which counters are noted, ascending.
  std::vector<uint64_t> marks;
  /// Workgroups that a phase starts: at their ends counters are noted; 0:
  /// never.
  double phase = 0;
  /// Work units after which the run is cut short.
  double mostWork = HUGE_VAL;
  const Deadline *deadline = nullptr;
};

/// Counters when counting began, and half-way through what is counted.
struct ScheduleOutcome {
  Counters atStart, atHalf;
  /// At the marks; what is dirty at a mark counts as written.
  std::vector<Counters> atMarks;
  /// At the ends of phases, of the first ones where there are many.
  std::vector<Counters> atPhases;
  /// At two times on the way to `mostWork`, likewise; and if it was reached.
  std::vector<Counters> onTheWay;
  bool cutShort = false;
  uint64_t rounds = 0;
  /// Compute units that have a workgroup, summed over rounds.
  double busyUnits = 0;
  std::vector<double> stepsOfDies; ///< of workgroups that ended
  uint64_t steps = 0;              ///< of all workgroups that ended,
  uint32_t mostSteps = 0;          ///< and of the longest
  bool interrupted = false;        ///< the deadline passed
};

/// What was done costs this many work units, without patterns.
double workOf(const Counters &counters, double sectorsOfLine);

/// Runs the launch. `permutation` as for `simulate`.
ScheduleOutcome runSchedule(Program &program, const Machine &machine,
                            llvm::ArrayRef<uint32_t> permutation,
                            const ScheduleOptions &options,
                            MemorySystem &memory);

} // namespace swizzle::simulation

#endif // SWIZZLE_LIB_SIMULATION_RUN_SCHEDULE_H
