//===- Predict.h - What an order does by simulation -------------*- C++ -*-===//
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

#ifndef SWIZZLE_LIB_PLANNING_PREDICT_H
#define SWIZZLE_LIB_PLANNING_PREDICT_H

#include "swizzle/Formula/Formula.h"
#include "swizzle/Hardware/HardwareSpec.h"
#include "swizzle/Kernel/KernelModel.h"
#include "swizzle/Records/Answer.h"
#include "swizzle/Support/Deadline.h"

namespace swizzle::planning {

/// How long and how carefully to simulate.
struct PredictOptions {
  bool full = false; ///< all of the launch in full detail
  Deadline deadline; ///< fails with `Interrupted` after that
};

/// A kernel on a chip.
struct PredictedKernel {
  const KernelModel &model;
  const HardwareSpec &hardware;
};

/// Simulates the order in which the kernel is and the one of `formula`, on the
/// model's grid, as carefully as the tuner decides. Fails if the formula is no
/// permutation there, or if the simulator fails.
llvm::Expected<Prediction> predict(const Formula &formula,
                                   const Environment &environment,
                                   const PredictedKernel &kernel,
                                   int64_t remapInstructions,
                                   const PredictOptions &options);

/// The legal combination of a template's parameters that is fastest by
/// simulation; nullopt if none is legal. Fails if the simulator does.
llvm::Expected<std::optional<ParamValues>>
searchParams(const Formula &formula, const Environment &environment,
             const PredictedKernel &kernel, const PredictOptions &options);

} // namespace swizzle::planning

#endif // SWIZZLE_LIB_PLANNING_PREDICT_H
