//===- SamplingTest.cpp - One sampling for all ----------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The planner and the tuner sample alike: one kernel, chip, order and effort,
// one set of figures.
//
//===----------------------------------------------------------------------===//

#include "../Planner/Kernels.h"
#include "swizzle/Hardware/Database.h"
#include "swizzle/Planner/Planner.h"
#include "swizzle/Profiling/SimulatorProfiler.h"
#include "gtest/gtest.h"

using namespace swizzle;
using namespace llvm;

namespace {

void expectSame(const Metrics &one, const Metrics &other, StringRef what) {
  EXPECT_EQ(one.timeUs, other.timeUs) << what.str();
  EXPECT_EQ(one.bytes("l2"), other.bytes("l2")) << what.str();
  EXPECT_EQ(one.dramReadBytes, other.dramReadBytes) << what.str();
  EXPECT_EQ(one.dramWriteBytes, other.dramWriteBytes) << what.str();
  EXPECT_EQ(one.lineAccesses, other.lineAccesses) << what.str();
  EXPECT_EQ(one.samplingError, other.samplingError) << what.str();
}

/// The plan for `model` and the tuner's figures of the same order.
Plan compare(const KernelModel &model, const HardwareSpec &chip,
             double accesses) {
  PlannerOptions options;
  options.figureAccesses = accesses;
  Plan plan = cantFail(swizzle::plan(model, chip, options));

  Environment environment;
  environment.grid = model.grid;
  environment.hardware = chip.formulaConstants();
  environment.chip = chip.name;
  SimulatorEffort effort;
  effort.decide = accesses;
  MeasureFunction profiler =
      makeSimulatorProfiler({model, chip, environment}, effort);
  LaunchDescription launch;
  auto artifact = []() -> std::shared_ptr<const Artifact> { return nullptr; };
  auto measure = [&](const Variant &variant) {
    return cantFail(profiler({variant, artifact, launch, Fidelity::Decide}));
  };
  Variant variant;
  expectSame(plan.before, measure(variant), "the kernel as it is");
  if (!plan.formula)
    return plan;
  std::vector<uint32_t> permutation;
  EXPECT_TRUE(prove(*plan.formula, environment, {}, permutation).legal());
  variant.formula = plan.formula;
  variant.permutation =
      std::make_shared<const std::vector<uint32_t>>(std::move(permutation));
  expectSame(plan.after, measure(variant), plan.description);
  return plan;
}

TEST(Sampling, PlannerAndTunerTellTheSame) {
  KernelModel model = models::splitRows(16, 512, 4096);
  model.gridKnown = {true, true, true};
  HardwareSpec chip = cantFail(findChip("mi300x"));
  unsigned remapped = 0, sampled = 0;
  for (double accesses : {SimulatorEffort().decide, 4e5, 1e5}) {
    Plan plan = compare(model, chip, accesses);
    remapped += plan.formula.has_value();
    sampled += plan.simulation.sampleShift > 0 || plan.simulation.prefix < 1;
  }
  EXPECT_GE(remapped, 1u);
  EXPECT_GE(sampled, 1u);
}

TEST(Sampling, AnEffortIsTheSameForAKernelThatIsKept) {
  KernelModel model = models::batchedGemm(512, 4);
  model.gridKnown = {true, true, true};
  for (const char *chip : {"mi300x", "h100"})
    for (double accesses : {SimulatorEffort().decide, SimulatorEffort().search})
      compare(model, cantFail(findChip(chip)), accesses);
}

} // namespace
