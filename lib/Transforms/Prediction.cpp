//===- Prediction.cpp - What an order is predicted to do ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An explicit formula is applied whether it wins or not; its prediction is for
// the report. A template's numbers are chosen by sampled simulation, with ties
// going to the combination that comes first.
//
//===----------------------------------------------------------------------===//

#include "Prediction.h"

#include "swizzle/Planner/Planner.h"

namespace swizzle {

/// Combinations of a template that are simulated at most.
static constexpr uint64_t kMaxSearched = 64;
/// Grids from here on are simulated by a sample of the addresses.
static constexpr int64_t kSampledGrid = 1024;

static SimulationOptions optionsFor(const KernelModel &model) {
  SimulationOptions options;
  if (model.grid.count() >= kSampledGrid)
    options.sampleShift = 4;
  return options;
}

/// The new linear ids on the model's grid; empty if the formula is not a
/// permutation there.
static std::vector<uint32_t> permutationOn(const KernelModel &model,
                                           const Formula &formula,
                                           Environment environment) {
  environment.grid = model.grid;
  std::vector<uint32_t> permutation;
  if (!prove(formula, environment, {}, permutation).legal())
    permutation.clear();
  return permutation;
}

Proposal askPlanner(const KernelModel &model, const HardwareSpec &hardware) {
  Proposal proposal;
  llvm::Expected<Plan> plan = swizzle::plan(model, hardware);
  if (!plan) {
    proposal.failed = true;
    proposal.reasonCode = "agent-failed";
    proposal.reason =
        "the planner cannot plan: " + llvm::toString(plan.takeError());
    return proposal;
  }
  proposal.formula = std::move(plan->formula);
  proposal.params = std::move(plan->params);
  proposal.description = std::move(plan->description);
  proposal.reasonCode = std::move(plan->reasonCode);
  proposal.reason = std::move(plan->reason);
  proposal.reuse = std::move(plan->reuse);
  if (plan->before.lineAccesses > 0)
    proposal.prediction = Prediction{plan->simulation, std::move(plan->before),
                                     std::move(plan->after)};
  return proposal;
}

std::optional<Prediction> predict(const Formula &formula,
                                  const Environment &environment,
                                  const KernelModel &model,
                                  const HardwareSpec &hardware,
                                  int64_t remapInstructions) {
  std::vector<uint32_t> permutation =
      permutationOn(model, formula, environment);
  if (permutation.empty())
    return std::nullopt;
  Prediction prediction;
  prediction.options = optionsFor(model);
  llvm::Expected<Metrics> before =
      simulate(model, hardware, {}, prediction.options);
  if (!before) {
    llvm::consumeError(before.takeError());
    return std::nullopt;
  }
  prediction.before = std::move(*before);
  prediction.options.remapInstructions = remapInstructions;
  llvm::Expected<Metrics> after =
      simulate(model, hardware, permutation, prediction.options);
  if (!after) {
    llvm::consumeError(after.takeError());
    return std::nullopt;
  }
  prediction.after = std::move(*after);
  return prediction;
}

std::optional<ParamValues> searchParams(const Formula &formula,
                                        const Environment &environment,
                                        const KernelModel &model,
                                        const HardwareSpec &hardware) {
  SimulationOptions options = optionsFor(model);
  uint64_t combinations = formula.numCombinations();
  uint64_t step = (combinations + kMaxSearched - 1) / kMaxSearched;
  std::optional<ParamValues> best;
  double bestTime = 0;
  for (uint64_t i = 0; i < combinations; i += step) {
    Environment trial = environment;
    trial.params = formula.combination(i);
    if (!prove(formula, trial).legal())
      continue;
    std::vector<uint32_t> permutation = permutationOn(model, formula, trial);
    if (permutation.empty())
      continue;
    llvm::Expected<Metrics> metrics =
        simulate(model, hardware, permutation, options);
    if (!metrics) {
      llvm::consumeError(metrics.takeError());
      return std::nullopt;
    }
    if (!best || metrics->timeUs < bestTime) {
      best = trial.params;
      bestTime = metrics->timeUs;
    }
  }
  return best;
}

ReuseTable reuseOf(const KernelModel &model) {
  if (model.body.empty())
    return {};
  return analyseReuse(model);
}

} // namespace swizzle
