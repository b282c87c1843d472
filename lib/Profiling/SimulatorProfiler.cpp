//===- SimulatorProfiler.cpp - The simulator as a profiler ----------------===//
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

#include "swizzle/Profiling/SimulatorProfiler.h"

#include "swizzle/Formula/Lowering/Lowering.h"

using namespace llvm;

namespace swizzle {

/// Sampled simulations of two orders that differ by less count as the same. The
/// sample is the same for every order of a kernel, so that most of what it
/// leaves out is left out on both sides; the rest is taken to be this.
static constexpr double kSampledNoise = 0.005;

/// Scalar instructions of the variant's remap.
static Expected<double> costOfRemap(const Variant &variant,
                                    Environment environment) {
  if (!variant.formula)
    return 0;
  environment.params = variant.params;
  Expected<LoweredFormula> lowered = lower(*variant.formula, environment);
  if (!lowered)
    return createStringError("the cost of the remap cannot be told: " +
                             toString(lowered.takeError()));
  return double(estimateCost(*lowered));
}

MeasureFunction makeSimulatorProfiler(const SimulatedKernel &kernel,
                                      const SimulatorEffort &effort,
                                      SimulationOptions *used) {
  auto cheap = std::make_shared<OrderSimulator>(kernel.model, kernel.hardware,
                                                effort.search);
  auto careful = std::make_shared<OrderSimulator>(kernel.model, kernel.hardware,
                                                  effort.decide);
  return [&environment = kernel.environment, cheap, careful,
          used](const MeasureRequest &request) -> Expected<Metrics> {
    const Variant &variant = request.variant;
    ArrayRef<uint32_t> permutation;
    if (variant.permutation)
      permutation = *variant.permutation;
    else if (variant.formula)
      return createStringError("the grid is too large to be simulated");
    OrderSimulator &simulator =
        request.fidelity == Fidelity::Search ? *cheap : *careful;
    Expected<double> cost = costOfRemap(variant, environment);
    if (!cost)
      return cost.takeError();
    simulator.setDeadline(request.deadline);
    Expected<Metrics> metrics = simulator.simulate(permutation, *cost);
    if (!metrics)
      return metrics.takeError();
    if (used && request.fidelity == Fidelity::Decide)
      *used = simulator.options();
    // Of steps that were left out, the simulator tells it.
    metrics->noise = std::max(metrics->noise.value_or(0),
                              metrics->samplingError > 0 ? kSampledNoise : 0);
    return metrics;
  };
}

} // namespace swizzle
