//===- Simulate.cpp - The simulator as a profiler -------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is left out of a simulation depends on the kernel alone, never on the
// order, so that figures of one fidelity can be compared.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Tuning/Simulate.h"

#include "swizzle/Formula/Lowering/Lowering.h"
#include "swizzle/Planner/OrderSimulator.h"

using namespace llvm;

namespace swizzle {

/// Sampled simulations of two orders that differ by less count as the same. The
/// sample is the same for every order of a kernel, so that most of what it
/// leaves out is left out on both sides; the rest is taken to be this.
static constexpr double kSampledNoise = 0.005;

/// Scalar instructions of the variant's remap.
static Expected<double> costOfRemap(const Variant &variant,
                                    const AgentContext &context) {
  if (!variant.formula)
    return 0;
  Environment environment = context.environment;
  environment.params = variant.params;
  Expected<LoweredFormula> lowered = lower(*variant.formula, environment);
  if (!lowered)
    return createStringError("the cost of the remap cannot be told: " +
                             toString(lowered.takeError()));
  return double(estimateCost(*lowered));
}

MeasureFunction makeSimulator(const AgentContext &context,
                              const SimulatorEffort &effort,
                              SimulationOptions *used) {
  auto cheap = std::make_shared<OrderSimulator>(context.model, context.hardware,
                                                effort.search);
  auto careful = std::make_shared<OrderSimulator>(
      context.model, context.hardware, effort.decide);
  return [&context, cheap, careful,
          used](const MeasureRequest &request) -> Expected<Measurement> {
    const Variant &variant = request.variant;
    ArrayRef<uint32_t> permutation;
    if (variant.permutation)
      permutation = *variant.permutation;
    else if (variant.formula)
      return createStringError("the grid is too large to be simulated");
    OrderSimulator &simulator =
        request.fidelity == Fidelity::Search ? *cheap : *careful;
    Expected<double> cost = costOfRemap(variant, context);
    if (!cost)
      return cost.takeError();
    Expected<Metrics> metrics = simulator.simulate(permutation, *cost);
    if (!metrics)
      return metrics.takeError();
    if (used && request.fidelity == Fidelity::Decide)
      *used = simulator.options();
    Measurement measurement;
    measurement.noise = metrics->samplingError > 0 ? kSampledNoise : 0;
    measurement.metrics = std::move(*metrics);
    return measurement;
  };
}

} // namespace swizzle
