//===- Planner.h - Offline search for a workgroup order ---------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Searches loop nests over the grid, and curves, for the order that suits a
// chip: the reuse table says which orders can help, sampled simulation says
// which do, and leaving the kernel alone wins unless the predicted gain exceeds
// what the remap's own arithmetic costs by a margin. Same input, same output.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_PLANNER_PLANNER_H
#define SWIZZLE_PLANNER_PLANNER_H

#include "swizzle/Formula/Formula.h"
#include "swizzle/Kernel/Reuse.h"
#include "swizzle/Simulation/Simulator.h"

namespace swizzle {

struct PlannerOptions {
  /// Line accesses that the whole search may simulate; bounds the time without
  /// a clock, so that the same input gives the same plan on every machine.
  double accessBudget = 50e6;
  /// Relative gain in predicted time below which the kernel is left alone.
  double margin = 0.01;
  /// Simulate everything in full detail (for checking the sampled search).
  bool full = false;
};

/// One order that was simulated.
struct Candidate {
  std::string description; ///< of the nest or curve
  std::string formula;
  ParamValues params;
  int64_t cost = 0; ///< `estimateCost`
  Metrics metrics;
};

struct Plan {
  /// nullopt: leave the kernel alone, for `reasonCode`.
  std::optional<Formula> formula;
  ParamValues params;
  std::string description;
  /// "improved", "no-reuse", "not-memory-bound", "no-gain", "single-workgroup",
  /// "nothing-modelled", ...
  std::string reasonCode;
  std::string reason; ///< one sentence for people
  ReuseTable reuse;
  Metrics before, after;       ///< equal if the kernel is left alone
  SimulationOptions simulation; ///< how `before` and `after` were obtained
  std::vector<Candidate> candidates; ///< best first
};

/// Plans an order for `model` on `hardware`. If `model.gridKnown` is not all
/// true, only nests (legal for every extent) are proposed. Fails only if the
/// simulator does.
llvm::Expected<Plan> plan(const KernelModel &model, const HardwareSpec &hardware,
                          const PlannerOptions &options = {});

} // namespace swizzle

#endif // SWIZZLE_PLANNER_PLANNER_H
