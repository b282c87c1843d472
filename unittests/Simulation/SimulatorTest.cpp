//===- SimulatorTest.cpp - Counts and refusals of the simulator -----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.TXT for license information. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What must hold whatever the constants are: compulsory traffic, conservation,
// determinism, and refusals that say what is wrong.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Simulation/Simulator.h"
#include "Models.h"
#include "swizzle/Hardware/Database.h"

#include <gtest/gtest.h>

using namespace swizzle;
using namespace swizzle::models;

namespace {

Metrics run(const KernelModel &model, const HardwareSpec &hardware,
            llvm::ArrayRef<uint32_t> order = {},
            const SimulationOptions &options = {}) {
  llvm::Expected<Metrics> metrics = simulate(model, hardware, order, options);
  if (!metrics) {
    ADD_FAILURE() << llvm::toString(metrics.takeError());
    return {};
  }
  return *metrics;
}

HardwareSpec chip(const char *name) { return llvm::cantFail(findChip(name)); }

TEST(Simulator, StreamingMovesEachByteOnce) {
  // 2 inputs and 1 output of 4 MiB.
  KernelModel model = elementwise(1 << 20, 2, 4, 1);
  for (const char *name : {"h200", "mi300x", "mi250x", "rx7900xtx"}) {
    Metrics metrics = run(model, chip(name));
    EXPECT_EQ(metrics.dramReadBytes, 2.0 * (4 << 20)) << name;
    EXPECT_EQ(metrics.dramWriteBytes, 1.0 * (4 << 20)) << name;
    EXPECT_EQ(metrics.l2Bytes, 3.0 * (4 << 20)) << name;
    EXPECT_EQ(metrics.l1HitRate, 0.0) << name;
    EXPECT_DOUBLE_EQ(metrics.lineAccesses, 3.0 * (4 << 20) / 128) << name;
  }
}

TEST(Simulator, IsDeterministic) {
  KernelModel model = gemmFp16(1024, 1024, 512);
  Metrics a = run(model, chip("mi300x")), b = run(model, chip("mi300x"));
  EXPECT_EQ(a.dramReadBytes, b.dramReadBytes);
  EXPECT_EQ(a.l2HitRate, b.l2HitRate);
  EXPECT_EQ(a.timeUs, b.timeUs);
}

TEST(Simulator, RefusesWhatItCannotSimulate) {
  KernelModel model = elementwise(1 << 16, 1, 4, 1);
  auto message = [&](const KernelModel &m, llvm::ArrayRef<uint32_t> order,
                     const SimulationOptions &options) {
    return llvm::toString(
        simulate(m, chip("h200"), order, options).takeError());
  };
  uint32_t few[] = {0, 1};
  EXPECT_EQ(message(model, few, {}),
            "the order has 2 workgroups, the grid of elementwise has 256");
  KernelModel empty = KernelModel::create({4}, {32});
  empty.name = "empty";
  EXPECT_EQ(message(empty, {}, {}),
            "no access of empty to global memory is modelled");
  KernelModel large = model;
  large.workgroupMemoryBytes = 1 << 20;
  EXPECT_EQ(message(large, {}, {}),
            "a workgroup of elementwise needs 1048576 bytes of workgroup "
            "memory, a compute unit has 233472 (h200)");
  SimulationOptions options;
  options.prefix = 0;
  EXPECT_NE(message(model, {}, options).find("above 0"), std::string::npos);
}

} // namespace
