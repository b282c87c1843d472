//===- Predict.cpp - What an order is predicted to do ---------------------===//
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

using namespace llvm;

namespace swizzle::planning {

Expected<Prediction> predict(const Formula &formula,
                             const Environment &environment,
                             const KernelModel &model,
                             const HardwareSpec &hardware,
                             int64_t remapInstructions) {
  // The grid of the launch may be open; the model's is what it stands for.
  Environment concrete = environment;
  concrete.grid = model.grid;
  std::vector<uint32_t> permutation;
  Verdict verdict = prove(formula, concrete, {}, permutation);
  if (!verdict.legal())
    return createStringError("on the grid " + toString(model.grid) + ", " +
                             verdict.refusal->message);
  OrderSimulator simulator(model, hardware, SimulatorEffort().decide);
  Expected<Metrics> before = simulator.simulate({});
  if (!before)
    return before.takeError();
  Expected<Metrics> after =
      simulator.simulate(permutation, double(remapInstructions));
  if (!after)
    return after.takeError();
  return Prediction{describeDetail(simulator.options()), std::move(*before),
                    std::move(*after)};
}

Expected<std::optional<ParamValues>>
searchParams(const Formula &formula, const Environment &environment,
             const KernelModel &model, const HardwareSpec &hardware) {
  Expected<std::vector<Candidate>> candidates =
      searchTemplate(formula, environment, model, hardware);
  if (!candidates)
    return candidates.takeError();
  if (candidates->empty())
    return std::nullopt;
  return candidates->front().params;
}

} // namespace swizzle::planning
