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

#include "llvm/ADT/STLExtras.h"

#include <array>
#include <cmath>

using namespace llvm;

namespace swizzle {

/// Sampled simulations of two orders that differ by less count as the same. The
/// sample is the same for every order of a kernel, so that most of what it
/// leaves out is left out on both sides; the rest is taken to be this: the
/// error of the ratio of two times, over some 30 orders of each of the
/// benchmark's kernels.
static constexpr double kSampledNoise = 0.005;
/// The same where only a part of the workgroups is simulated: another part of
/// the problem under each order.
static constexpr double kWindowNoise = 0.04;

/// The relative error that is stated for figures made in this way. Of steps
/// that were left out, the simulator tells it.
static double noiseOf(const Metrics &metrics,
                      const SimulationOptions &options) {
  double sampled = metrics.samplingError > 0 ? kSampledNoise : 0;
  return std::hypot(std::max(metrics.noise.value_or(0), sampled),
                    options.prefix < 1 ? kWindowNoise : 0);
}

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

/// `variant` in its order, which is known as a list for small grids alone.
static Expected<Metrics> simulateVariant(OrderSimulator &simulator,
                                         const Variant &variant,
                                         const SimulatedKernel &kernel,
                                         double cost) {
  if (variant.permutation)
    return simulator.simulate(*variant.permutation, cost);
  if (!variant.formula)
    return simulator.simulate({});
  Environment environment = kernel.environment;
  environment.grid = kernel.model.grid;
  environment.params = variant.params;
  Expected<BoundFormula> order =
      BoundFormula::bind(*variant.formula, std::move(environment));
  if (!order)
    return order.takeError();
  return simulator.simulate(*order, cost);
}

MeasureFunction makeSimulatorProfiler(const SimulatedKernel &kernel,
                                      const SimulatorEffort &effort,
                                      SimulationOptions *used) {
  // By fidelity.
  std::array<std::shared_ptr<OrderSimulator>, 3> simulators;
  const std::array efforts = {effort.search, effort.decide, effort.confirm};
  for (auto [simulator, accesses] : zip_equal(simulators, efforts))
    simulator = std::make_shared<OrderSimulator>(kernel.model, kernel.hardware,
                                                 accesses);
  return [kernel, simulators,
          used](const MeasureRequest &request) -> Expected<Metrics> {
    const Variant &variant = request.variant;
    OrderSimulator &simulator = *simulators[size_t(request.fidelity)];
    Expected<double> cost = costOfRemap(variant, kernel.environment);
    if (!cost)
      return cost.takeError();
    simulator.setDeadline(request.deadline);
    Expected<Metrics> metrics =
        simulateVariant(simulator, variant, kernel, *cost);
    if (!metrics)
      return metrics.takeError();
    if (used && request.fidelity != Fidelity::Search)
      *used = simulator.options();
    metrics->noise = noiseOf(*metrics, simulator.options());
    return metrics;
  };
}

} // namespace swizzle
