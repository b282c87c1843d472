//===- AgentPlan.h - What agents say about one kernel --------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The agents' half of planning: a record of the tuning database as it stands,
// or the loop of swizzle/Tuning with the simulator as its profiler. Plain data
// in and out; nothing that comes from here is believed before it is proved.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TRANSFORMS_AGENTPLAN_H
#define SWIZZLE_TRANSFORMS_AGENTPLAN_H

#include "swizzle/Agent/Core/Options.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace swizzle {

/// Counts before and after, by simulation.
struct Prediction {
  SimulationOptions options;
  Metrics before, after;
};

/// Who is asked, and how; the same for all kernels of a module.
struct AgentSettings {
  bool plannerOnly = true;
  bool usesDatabase = false; ///< looked up before anybody is asked
  std::string database;
  std::vector<std::shared_ptr<Agent>> agents; ///< who take turns in the loop
  /// Why the agents could not be set up; empty if they could.
  std::string problemCode, problem;

  unsigned iterations = 4, proposals = 3;
  Objective objective = Objective::Auto;
  std::string hint;
  ContextMode mode = ContextMode::Filtered;
  std::string manual;
};

struct AgentOutcome {
  enum Kind : uint8_t { Found, Keep, Failed };
  Kind kind = Failed;
  std::optional<Formula> formula; ///< not yet proved
  ParamValues params;
  std::string code, reason, counterexample;
  std::string source; ///< whose the formula is, for messages
  std::optional<Prediction> prediction;
  std::vector<std::string> notes;
};

/// The record of `context`'s kernel in the database at `path`.
AgentOutcome lookUp(const std::string &path, const AgentContext &context);

/// Runs the loop: what is proposed is simulated, within a fixed effort.
AgentOutcome runLoop(const AgentContext &context,
                     const AgentSettings &settings);

} // namespace swizzle

#endif // SWIZZLE_TRANSFORMS_AGENTPLAN_H
