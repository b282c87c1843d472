//===- Runs.h - Simulations that tests make ---------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One simulation whose failure fails the test, and small chips to run it on.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_UNITTESTS_SIMULATION_RUNS_H
#define SWIZZLE_UNITTESTS_SIMULATION_RUNS_H

#include "swizzle/Hardware/Database.h"
#include "swizzle/Simulation/Simulator.h"

#include <gtest/gtest.h>

namespace swizzle::models {

inline Metrics run(const KernelModel &model, const HardwareSpec &hardware,
                   llvm::ArrayRef<uint32_t> order = {},
                   const SimulationOptions &options = {}) {
  llvm::Expected<Metrics> metrics = simulate(model, hardware, order, options);
  if (!metrics) {
    ADD_FAILURE() << llvm::toString(metrics.takeError());
    return {};
  }
  return *metrics;
}

inline HardwareSpec chip(const char *name) {
  return llvm::cantFail(findChip(name));
}

/// A chip with `dies` dies of `units` compute units and an L2 of `l2Bytes`
/// each.
inline HardwareSpec manyDies(int64_t dies, int64_t units, int64_t l2Bytes) {
  HardwareSpec hardware = chip("mi300x");
  hardware.name = "dies" + std::to_string(dies);
  hardware.numDies = dies;
  hardware.unitsPerDie = units;
  hardware.find("l2")->bytes = l2Bytes;
  hardware.levels.resize(2);
  return hardware;
}
} // namespace swizzle::models

#endif // SWIZZLE_UNITTESTS_SIMULATION_RUNS_H
