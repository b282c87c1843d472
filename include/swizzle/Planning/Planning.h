//===- Planning.h - From a kernel's facts to a decision ---------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one way to an answer, for passes of any IR, the tuner and Python: what is
// known of a kernel goes in, a proved remap or the reason why there is none
// comes out. Nothing that an adviser says is believed before it is proved.
//
//   PlanningOptions options;
//   options.advisers = {askingOnce(makePlannerAgent())};
//   Decision decision = plan(facts, {mi300x, "option", ""}, options);
//   decision.reasonCode    "improved", "no-gain", "cross-workgroup-write", ...
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_PLANNING_PLANNING_H
#define SWIZZLE_PLANNING_PLANNING_H

#include "swizzle/Planning/Advice.h"
#include "swizzle/Planning/Decision.h"

namespace swizzle {

/// What to do when the advisers have nothing to offer or cannot be asked.
enum class OnFailure : uint8_t { Keep, Planner, Error };

/// How much is simulated to decide, and to predict.
enum class SimulationLevel : uint8_t {
  Off,  ///< nothing: no speed-up is claimed
  Fast, ///< samples, within a budget of work
  Full, ///< what is decided and told in full detail, whatever that costs
};

struct PlanningOptions {
  /// An explicit formula: nobody is asked, and it is applied if it is legal.
  std::optional<Formula> formula;
  /// As they were asked for, in messages: "planner", "database,openai".
  std::string agent = "planner";
  /// Asked in turn until one has an answer; a miss passes on to the next.
  std::vector<Adviser> advisers;
  /// Why the advisers cannot be asked; empty if they can.
  std::string problemCode, problem;
  Briefing briefing;
  bool strict = false; ///< an option that the IR contradicts is an error
  /// nullopt: `Fast` for what decides by simulation (planner, loop, a template
  /// whose parameters are open), nothing for a formula that somebody knows
  /// already (explicit, from the database).
  std::optional<SimulationLevel> simulate;
  /// Tell as closely what a kernel does that stays as it is. Compilers, which
  /// tell it to hardly anybody, do so only if `simulate` is set.
  bool figuresOfKept = true;
  /// For one kernel, at most: then the best so far is taken. 0: no limit, and
  /// the same input gives the same output.
  double maxSeconds = 0;
  OnFailure onFailure = OnFailure::Keep;
};

/// Finds an order for the kernel, proves it, and says what it does by
/// simulation; or says why the kernel stays as it is. With `carried`, the order
/// takes the place of that one, and must beat it.
Decision plan(const KernelFacts &facts, const TargetChip &chip,
              const PlanningOptions &options,
              const CarriedRemap *carried = nullptr);

/// What is decided before anybody is asked: why the kernel may not be remapped,
/// or why nobody can be asked about it. An empty `reasonCode`: it may, and they
/// can.
Decision decideWithoutAsking(const KernelFacts &facts, const TargetChip &chip,
                             const PlanningOptions &options);

/// Proves `formula` with `params`, whoever proposes it. Remapped with `code`
/// and `reason` if it is legal, else Failed with the refusal's. Without a
/// prediction.
Decision proveRemap(const KernelFacts &facts, const TargetChip &chip,
                    const Formula &formula, const ParamValues &params,
                    llvm::StringRef code, llvm::StringRef reason);

} // namespace swizzle

#endif // SWIZZLE_PLANNING_PLANNING_H
