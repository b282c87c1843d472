//===- Prediction.h - What an order is predicted to do ----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The simulator and the planner, asked on behalf of the pass.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_TRANSFORMS_PREDICTION_H
#define SWIZZLE_LIB_TRANSFORMS_PREDICTION_H

#include "swizzle/Transforms/KernelPlan.h"

namespace swizzle {

/// What the planner says. `failed`: it could not do its work.
struct PlannedOrder {
  std::optional<Formula> formula;
  ParamValues params;
  std::string description, reasonCode, reason;
  ReuseTable reuse;
  std::optional<Prediction> prediction;
  bool failed = false;
};

/// Plans an order for `model`.
PlannedOrder askPlanner(const KernelModel &model, const HardwareSpec &hardware);

/// Simulates the order in which the kernel is and the one of `formula`, on the
/// model's grid. nullopt if nothing can be simulated.
std::optional<Prediction> predict(const Formula &formula,
                                  const Environment &environment,
                                  const KernelModel &model,
                                  const HardwareSpec &hardware,
                                  int64_t remapInstructions);

/// The legal combination of a template's parameters that is predicted to be
/// fastest; nullopt if nothing can be simulated or none is legal.
std::optional<ParamValues> searchParams(const Formula &formula,
                                        const Environment &environment,
                                        const KernelModel &model,
                                        const HardwareSpec &hardware);

/// Which grid axes share each buffer; empty for a model without accesses.
ReuseTable reuseOf(const KernelModel &model);

} // namespace swizzle

#endif // SWIZZLE_LIB_TRANSFORMS_PREDICTION_H
