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
// which do, and leaving the kernel alone wins unless the simulated gain exceeds
// what the remap's own arithmetic costs by a margin. Same input, same output.
//
//   Expected<Plan> found = plan(model, mi300x);
//   found->formula       "... return k // h, g * 8 + k % h", or nullopt
//   found->reasonCode    "improved", "no-gain", "no-reuse", ...
//   found->before        simulated metrics of the kernel as it is
//   found->after         the same under the formula
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_PLANNER_PLANNER_H
#define SWIZZLE_PLANNER_PLANNER_H

#include "swizzle/Formula/Formula.h"
#include "swizzle/Kernel/Reuse.h"
#include "swizzle/Planner/OrderSimulator.h"
#include "swizzle/Simulation/Simulator.h"

namespace swizzle {

struct PlannerOptions {
  /// What a whole search may cost, about, in line accesses of full detail; a
  /// few simulations are made whatever they cost. Bounds the time without a
  /// clock, so that the same input gives the same plan on every machine.
  double accessBudget = 150e6;
  /// What each figure that is told may cost, likewise: the effort at which the
  /// tuner decides, so that both tell the same of one order.
  double figureAccesses = SimulatorEffort().decide;
  /// Look as closely at a kernel that stays as it is, where the search has
  /// figures of it already. Decides nothing.
  bool figuresOfKept = true;
  /// Relative gain in simulated time below which the kernel is left alone.
  double margin = 0.01;
  /// Decide in full detail between all orders that the search over samples went
  /// through, whatever that costs (for checking what samples decide).
  bool full = false;
  /// Ends the search with the best order so far.
  Deadline deadline;
  /// `analyseReuse` of the kernel, by any line, where that is known already.
  const ReuseTable *reuse = nullptr;
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
  /// "nothing-modelled", "interrupted" (the deadline passed before an order was
  /// found), ...
  std::string reasonCode;
  std::string reason; ///< one sentence for people
  ReuseTable reuse;
  Metrics before, after;        ///< equal if the kernel is left alone
  SimulationOptions simulation; ///< how `before` and `after` were obtained
  double work = 0;              ///< units (WorkUnits.h) that the search took
  /// Best first, as the search saw them: in no more detail than `before` and
  /// `after`. Those of the last round come first, in more detail than others.
  /// The kernel's own order is not among them.
  std::vector<Candidate> candidates;
};

/// Plans an order for `model` on `hardware`. If `model.gridKnown` is not all
/// true, only nests (legal for every extent) are proposed. Fails only if the
/// simulator does.
llvm::Expected<Plan> plan(const KernelModel &model,
                          const HardwareSpec &hardware,
                          const PlannerOptions &options = {});

/// A bail-out reason: why there is nothing to plan.
struct BailOut {
  std::string code;   ///< as `Plan::reasonCode`
  std::string reason; ///< one sentence
};

/// Why no order of `model` can gain as much as `margin`: it has one workgroup,
/// neither data that is shared nor such that is scattered, or too little
/// traffic. nullopt: one may. `metrics` are of the kernel as it is; without a
/// roofline only the model is looked at.
std::optional<BailOut> whyNoOrderHelps(const KernelModel &model,
                                       const ReuseTable &reuse,
                                       const Metrics &metrics, double margin);

/// Searches the parameters of a template, or judges a formula without any:
/// every legal combination, each different order of the model's grid once, best
/// first. Combinations are simulated cheaply at first, the survivors again and
/// more finely; all within `options.accessBudget`. What was dropped earlier
/// follows in the order in which it was dropped, with the metrics of that
/// round. Of a template with very many combinations an evenly spread part is
/// looked at. An empty list: no combination is legal. Fails only if the
/// simulator does.
///
/// `environment.grid` may have open extents; legality is then judged for it as
/// well as for the model's grid.
llvm::Expected<std::vector<Candidate>>
searchTemplate(const Formula &formula, const Environment &environment,
               const KernelModel &model, const HardwareSpec &hardware,
               const PlannerOptions &options = {});

} // namespace swizzle

#endif // SWIZZLE_PLANNER_PLANNER_H
