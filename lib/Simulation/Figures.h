//===- Figures.h - From counts to figures of the launch --------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A run counts sectors of a sample of the lines, in a part of the launch, in a
// part of the steps. What the whole launch moves, how long that takes, and how
// far both can be trusted:
//
//   64 sectors counted, 1 line in 4, half of the launch   ->  512 sectors
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_SIMULATION_FIGURES_H
#define SWIZZLE_LIB_SIMULATION_FIGURES_H

#include "Machine/UnitWork.h"
#include "Run/BlockUse.h"
#include "Run/Depth.h"
#include "Run/Schedule.h"
#include "swizzle/Simulation/Simulator.h"

#include <cmath>

namespace swizzle::simulation {

/// What a run counted, with what was left out of its steps.
struct Counted {
  Counters counters;
  /// What they would be if other parts of the steps stood for those left out.
  std::vector<Counters> others;
  ScheduleOutcome outcome;
  Effort effort;
  int64_t slots = 1;                ///< for workgroups that run at a time
  llvm::ArrayRef<WaitPlace> places; ///< where they wait
  double mostWritten = HUGE_VAL;    ///< bytes, of the whole launch, each once
  UnitWork units;                   ///< of the whole launch, in any order
  LaunchSteps launch;               ///< likewise
  BlockUse blocks;                  ///< of memory
  Counters atEnd;        ///< the same without steps that were left out
  double stepsError = 0; ///< of DRAM bytes, for steps that were left out
  double countError = 0; ///< of the number of steps
  bool isWhole = true;   ///< no step was left out
};

/// Workgroups that a share of the launch has.
int64_t workgroupsOf(int64_t all, double prefix);

/// The figures of the launch, but for where they come from.
Metrics figuresOf(const KernelModel &model, const Machine &machine,
                  const SimulationOptions &options, const Counted &run);

} // namespace swizzle::simulation

#endif // SWIZZLE_LIB_SIMULATION_FIGURES_H
