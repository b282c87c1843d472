//===- Scripted.h - A loop whose world is made up ---------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Agents that answer from a list and profilers that answer from a function, so
// that each rule of the loop can be tested by itself.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_UNITTESTS_TUNING_SCRIPTED_H
#define SWIZZLE_UNITTESTS_TUNING_SCRIPTED_H

#include "swizzle/Records/Journal.h"
#include "swizzle/Tuning/Tuner.h"

#include "gtest/gtest.h"

namespace swizzle {

/// Answers from a list, one a turn; has finished when the list ends.
class ScriptedAgent : public Agent {
public:
  using Step = std::function<llvm::Expected<Answer>(const AgentContext &)>;

  explicit ScriptedAgent(std::string label, std::vector<Step> steps)
      : label(std::move(label)), steps(std::move(steps)) {}

  std::string name() const override { return label; }
  llvm::Expected<Answer> propose(const AgentContext &context) override {
    contexts.push_back(context);
    if (asked == steps.size()) {
      Answer answer;
      answer.finished = true;
      answer.reason = "the script ends";
      return answer;
    }
    return steps[asked++](context);
  }

  std::string label;
  std::vector<Step> steps;
  size_t asked = 0;
  std::vector<AgentContext> contexts; ///< as it saw them
};

/// An answer with these formulas.
inline ScriptedAgent::Step say(std::vector<std::string> formulas,
                               Usage usage = {}) {
  return [=](const AgentContext &) -> llvm::Expected<Answer> {
    Answer answer;
    answer.usage = usage;
    for (const std::string &formula : formulas) {
      Proposal proposal;
      proposal.formula = formula;
      answer.proposals.push_back(proposal);
    }
    return answer;
  };
}

inline ScriptedAgent::Step fail(AgentErrorKind kind, Usage usage = {}) {
  return [=](const AgentContext &) -> llvm::Expected<Answer> {
    return llvm::make_error<AgentError>(kind, "scripted failure", usage);
  };
}

/// Counts what is built and measured; time is `cost` of the formula's text and
/// parameters, 100 for the kernel as it is.
struct World {
  std::function<double(const Variant &)> cost = [](const Variant &) {
    return 90.0;
  };
  /// What the time is made of, longest first; nothing: not told.
  std::function<Bound(const Variant &)> bound;
  std::function<BuildResult(const Variant &)> building;
  double noise = 0;
  unsigned builds = 0, searched = 0, decided = 0;
  std::vector<std::string> evaluated; ///< keys, with fidelity
  double now = 0, secondsPerEvaluation = 0;

  BuildFunction build() {
    return [this](const Variant &variant) {
      ++builds;
      return building && variant.formula ? building(variant) : BuildResult();
    };
  }
  /// Called with each request, where it is set.
  std::function<void(const MeasureRequest &)> measuring;

  MeasureFunction measure() {
    return [this](const MeasureRequest &request) -> llvm::Expected<Metrics> {
      const Variant &variant = request.variant;
      Fidelity fidelity = request.fidelity;
      if (measuring)
        measuring(request);
      ++(fidelity == Fidelity::Search ? searched : decided);
      evaluated.push_back(variant.key + " " + toString(fidelity));
      now += secondsPerEvaluation;
      double time = variant.formula ? cost(variant) : 100;
      if (time < 0)
        return llvm::createStringError("scripted failure to run");
      Metrics measurement;
      measurement.noise = noise;
      measurement.timeUs = time;
      if (bound)
        measurement.roofline = {{bound(variant), time}};
      return measurement;
    };
  }
  TuningHooks hooks() {
    TuningHooks hooks;
    hooks.clock = [this] { return now; };
    return hooks;
  }
};

/// An 8x6 grid and nothing known about the kernel.
inline AgentContext makeContext(Grid grid = Grid(8, 6)) {
  AgentContext context;
  context.model = KernelModel::create(grid, Grid(64));
  context.environment.grid = grid;
  return context;
}

inline TuningOptions makeOptions(unsigned rounds = 4) {
  TuningOptions options;
  options.objective = Objective::Time;
  options.rounds = rounds;
  options.patience = 0;
  return options;
}

inline TuningResult runLoop(World &world, std::vector<Agent *> agents,
                            TuningOptions options = makeOptions(),
                            AgentContext context = makeContext()) {
  llvm::Expected<TuningResult> result =
      tune(std::move(context), agents, world.build(), world.measure(), options,
           world.hooks());
  if (!result) {
    ADD_FAILURE() << llvm::toString(result.takeError());
    return {};
  }
  return std::move(*result);
}

// Orders of the 8x6 grid.
inline constexpr const char *kFlipX = "return gx - 1 - x, y";
inline constexpr const char *kFlipXAgain = "k = x + 1\nreturn gx - k, y";
inline constexpr const char *kFlipY = "return x, gy - 1 - y";
inline constexpr const char *kFlipBoth = "return gx - 1 - x, gy - 1 - y";

} // namespace swizzle

#endif // SWIZZLE_UNITTESTS_TUNING_SCRIPTED_H
