//===- JudgeTest.cpp - Random kernels judged and run ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first seeds of what `JudgeFuzz` runs by the hundred thousand: nothing
// that is accepted races, models are what happens, remapped kernels do the
// same. The mix is asserted too: a generator that writes no races proves
// nothing.
//
//===----------------------------------------------------------------------===//

#include "kernels/Judge.h"

#include <gtest/gtest.h>

using namespace swizzle;
using namespace swizzle::fuzz;

namespace {

constexpr uint64_t kSeeds = 150;

std::string print(const Statistics &statistics) {
  std::string text;
  llvm::raw_string_ostream os(text);
  statistics.print(os);
  return text;
}

TEST(Judge, AgreesWithWhatKernelsDo) {
  Statistics statistics;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE("JudgeFuzz --print=" + std::to_string(seed));
    FuzzKernel kernel = writeKernel(Choices(seed));
    Verdict verdict = judgeAgainstOracle(kernel);
    statistics.add(kernel, verdict);
    EXPECT_EQ(verdict.invalid, "");
    EXPECT_EQ(verdict.falseAccept, "");
    EXPECT_EQ(verdict.wrongModel, "");
    EXPECT_EQ(verdict.wrongRemap, "");
  }
  std::string all = print(statistics);
  EXPECT_GE(statistics.racing * 10, statistics.kernels * 3) << all;
  EXPECT_GE(statistics.raceFree * 10, statistics.kernels * 4) << all;
  EXPECT_LE(statistics.unchecked * 20, statistics.kernels) << all;
  // Kernels race by a mistake, or because a launch passes a buffer twice.
  EXPECT_LE(statistics.unplanned * 50, statistics.kernels) << all;
  EXPECT_GE(statistics.accepted * 100, statistics.raceFree * 25) << all;
  EXPECT_LE(statistics.refusedRaceFree * 10, statistics.raceFree) << all;
}

} // namespace
