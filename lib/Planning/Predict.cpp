//===- Predict.cpp - What an order does by simulation ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The simulator and the planner's search of templates, asked for one formula.
//
//===----------------------------------------------------------------------===//

#include "Predict.h"

#include "swizzle/Formula/Proof/Proof.h"
#include "swizzle/Planner/OrderSimulator.h"
#include "swizzle/Planner/Planner.h"

#include <cmath>

using namespace llvm;

namespace swizzle::planning {

Expected<Prediction> predict(const Formula &formula,
                             const Environment &environment,
                             const PredictedKernel &kernel,
                             int64_t remapInstructions,
                             const PredictOptions &options) {
  const KernelModel &model = kernel.model;
  // The grid of the launch may be open; the model's is what it stands for.
  Environment concrete = environment;
  concrete.grid = model.grid;
  Verdict verdict = prove(formula, concrete);
  if (!verdict.legal())
    return createStringError(
        "on the grid " + toString(model.grid) +
        (environment.grid.isStatic()
             ? ""
             : ", which stands for " + toString(environment.grid)) +
        ", " + verdict.refusal->message);
  Expected<BoundFormula> order = BoundFormula::bind(formula, concrete);
  if (!order)
    return order.takeError();
  OrderSimulator simulator(model, kernel.hardware,
                           options.full ? HUGE_VAL : SimulatorEffort().decide);
  simulator.setDeadline(options.deadline);
  Expected<Metrics> before = simulator.simulate({});
  if (!before)
    return before.takeError();
  Expected<Metrics> after =
      simulator.simulate(*order, double(remapInstructions));
  if (!after)
    return after.takeError();
  return Prediction{describeDetail(simulator.options()), std::move(*before),
                    std::move(*after)};
}

Expected<std::optional<ParamValues>>
searchParams(const Formula &formula, const Environment &environment,
             const PredictedKernel &kernel, const PredictOptions &options) {
  PlannerOptions planner;
  planner.full = options.full;
  planner.deadline = options.deadline;
  Expected<std::vector<Candidate>> candidates = searchTemplate(
      formula, environment, kernel.model, kernel.hardware, planner);
  if (!candidates)
    return candidates.takeError();
  if (candidates->empty())
    return std::nullopt;
  return candidates->front().params;
}

} // namespace swizzle::planning
