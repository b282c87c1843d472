//===- Prediction.cpp - What an order is predicted to do ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An explicit formula is applied whether it wins or not; its prediction is for
// the report. A template's numbers are chosen by the planner's search.
//
//===----------------------------------------------------------------------===//

#include "Prediction.h"

#include "swizzle/Planner/OrderSimulator.h"
#include "swizzle/Planner/Planner.h"
#include "swizzle/Tuning/Simulate.h"

namespace swizzle {

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

PlannedOrder askPlanner(const KernelModel &model,
                        const HardwareSpec &hardware) {
  PlannedOrder proposal;
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
  // As careful as the tuner decides.
  OrderSimulator simulator(model, hardware, SimulatorEffort().decide);
  llvm::Expected<Metrics> before = simulator.simulate({});
  if (!before) {
    llvm::consumeError(before.takeError());
    return std::nullopt;
  }
  llvm::Expected<Metrics> after =
      simulator.simulate(permutation, double(remapInstructions));
  if (!after) {
    llvm::consumeError(after.takeError());
    return std::nullopt;
  }
  Prediction prediction{simulator.options(), std::move(*before),
                        std::move(*after)};
  prediction.options.remapInstructions = remapInstructions;
  return prediction;
}

std::optional<ParamValues> searchParams(const Formula &formula,
                                        const Environment &environment,
                                        const KernelModel &model,
                                        const HardwareSpec &hardware) {
  llvm::Expected<std::vector<Candidate>> candidates =
      searchTemplate(formula, environment, model, hardware);
  if (!candidates) {
    llvm::consumeError(candidates.takeError());
    return std::nullopt;
  }
  if (candidates->empty())
    return std::nullopt;
  return candidates->front().params;
}

ReuseTable reuseOf(const KernelModel &model) {
  if (model.body.empty())
    return {};
  return analyseReuse(model);
}

} // namespace swizzle
