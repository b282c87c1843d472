//===- ReuseTest.cpp - What an L2 of two halves keeps ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel `reuse` of benchmarks/probes/pace.cu: every SM of an H200 reads a
// slice again and again, alone or together with another one. What ncu counted
// of it is in benchmarks/measured/h200/reuse.json.
//
//===----------------------------------------------------------------------===//

#include "Models.h"
#include "swizzle/Hardware/Database.h"
#include "swizzle/Metrics/Metrics.h"
#include "swizzle/Simulation/Simulator.h"

#include <gtest/gtest.h>

using namespace swizzle;
using namespace swizzle::models;

namespace {

constexpr int64_t kUnits = 132, kPasses = 10;

/// Bytes that memory reads where `sharing` SMs each read a slice of `mebibytes`
/// in all.
double bytesRead(int64_t mebibytes, int64_t sharing, unsigned sampleShift) {
  int64_t slices = kUnits / sharing;
  int64_t lines = (mebibytes << 20) / 128 / slices;
  int64_t steps = lines * 32 / 1024;
  KernelModel model = KernelModel::create({slices, sharing}, {1024});
  model.name = "reuse";
  uint32_t in = addBuffer(model, "in", int64_t(1) << 27, 4);
  VariableId pass = model.addLoopCounter("pass");
  VariableId step = model.addLoopCounter("step");
  AffineForm at = x(lines * 128) + tx(4) + makeVariable(step, 4096);
  model.body = {{Loop{pass,
                      {makeConstant(kPasses)},
                      {{Loop{step,
                             {makeConstant(steps)},
                             {{makeAccess(in, AccessKind::Read, at, 4)}}}}}}}};
  EXPECT_EQ(verify(model), "");
  SimulationOptions options;
  options.sampleShift = sampleShift;
  HardwareSpec hardware = llvm::cantFail(findChip("h200"));
  // The kernel reads past the first level.
  CacheLevel &first = *hardware.find("l1");
  first.bytes = first.effectiveBytes = 4096;
  Simulator simulator(model, hardware);
  llvm::Expected<Metrics> metrics =
      simulator.run(rowMajor(model.grid), options);
  if (!metrics) {
    ADD_FAILURE() << llvm::toString(metrics.takeError());
    return 0;
  }
  return metrics->dramReadBytes;
}

struct Counted {
  int64_t mebibytes, sharing;
  double megabytes; ///< that memory read
};

/// What fits is read once, in full detail as in a sample.
TEST(Reuse, IsFoundWhereItFits) {
  for (const Counted &row :
       {Counted{20, 1, 21.0}, {24, 1, 25.2}, {16, 2, 16.8}, {20, 2, 21.0}})
    for (unsigned shift : {0, 3})
      EXPECT_NEAR(bytesRead(row.mebibytes, row.sharing, shift) / 1e6,
                  row.megabytes, 0.1 * row.megabytes)
          << row.mebibytes << " MiB, read by " << row.sharing << " each";
}

/// Counted were 38 MB of 36 MiB, 78 of 44, 235 of 48 and 586 of 56; and 443 and
/// 582 of 44 and 56 MiB that two SMs share. More is found by simulation of what
/// is too large, because those that find it get ahead: 168 and 318 MB of 48 and
/// 56 MiB in full detail, 102 and 401 of a line in eight.
TEST(Reuse, EndsWhereItDoesNotFit) {
  for (unsigned shift : {0, 3}) {
    EXPECT_LT(bytesRead(36, 1, shift), 40e6);
    EXPECT_LT(bytesRead(44, 1, shift), 150e6);
    EXPECT_GT(bytesRead(48, 1, shift), shift ? 90e6 : 120e6);
    EXPECT_GT(bytesRead(56, 1, shift), 250e6);
    EXPECT_GT(bytesRead(56, 2, shift), 250e6);
  }
}

} // namespace
