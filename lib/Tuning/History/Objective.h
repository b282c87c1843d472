//===- Objective.h - What counts as better ----------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The figure that shall improve, and when it has. Figures of different origin
// are never compared.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_TUNING_HISTORY_OBJECTIVE_H
#define SWIZZLE_LIB_TUNING_HISTORY_OBJECTIVE_H

#include "swizzle/Planner/Planner.h"
#include "swizzle/Tuning/Tuner.h"

namespace swizzle::tuning {

struct ObjectiveChoice {
  Objective objective = Objective::Time;
  std::string reason;             ///< of `auto`, one sentence
  std::optional<BailOut> bailOut; ///< of `auto`: no order can help
};

/// Resolves `wanted` by the baseline. Fails if the profiler cannot tell the
/// figure that was asked for.
llvm::Expected<ObjectiveChoice> chooseObjective(Objective wanted,
                                                const AgentContext &context,
                                                const Metrics &baseline,
                                                double margin);

/// Gain of `candidate` over `incumbent`: the ratio of their costs by the
/// objective, less one. Of times, that is the speed-up: 0.1 is 1.1 times as
/// fast. nullopt if the two cannot be compared.
std::optional<double> gainOf(const Metrics &candidate, const Metrics &incumbent,
                             Objective objective);

/// The relative gain that noise alone may feign between the two: `kSigmas`
/// times that of measured figures; the error of simulated ones.
double noiseBetween(const Metrics &a, const Metrics &b);

/// True if `candidate` takes longer than `baseline` by more than noise and
/// `margin`: no hit rate is worth that.
bool isSlower(const Metrics &candidate, const Metrics &baseline, double margin);

} // namespace swizzle::tuning

#endif // SWIZZLE_LIB_TUNING_HISTORY_OBJECTIVE_H
