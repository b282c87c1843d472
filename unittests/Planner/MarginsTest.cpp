//===- MarginsTest.cpp - What a gain must be more than --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A gain must be twice its standard error, which is told by leaving out groups
// of sampled lines: what both orders share of that is no error of the gain.
//
//===----------------------------------------------------------------------===//

#include "../../lib/Planner/Trials/Evaluation.h"

#include "gtest/gtest.h"
#include <cmath>

using namespace swizzle;
using namespace swizzle::planner;

namespace {

Metrics timeOf(double time, std::vector<double> withoutGroups = {}) {
  Metrics metrics;
  metrics.timeUs = time;
  metrics.lineAccesses = 1;
  metrics.timesWithoutGroups = std::move(withoutGroups);
  return metrics;
}

constexpr double margin = 0.01;

/// One line in 64.
SimulationOptions sampled() {
  SimulationOptions detail;
  detail.sampleShift = 6;
  return detail;
}

TEST(Margins, NothingIsAddedWhereGroupsAgree) {
  Metrics before = timeOf(110, {100, 110, 120, 110});
  Metrics after = timeOf(100, {100 / 1.1, 100, 120 / 1.1, 100});
  EXPECT_NEAR(leastGain(margin, sampled(), before, after), margin, 1e-9);
}

TEST(Margins, TwiceTheErrorOfWhatGroupsTell) {
  // Gains of 1.0, 1.1, 1.2 and 1.1: each group stands for a quarter of what was
  // seen, so the jackknife has 3/4 of the sum of the squares, 0.02; of that, a
  // 64th was seen.
  Metrics before = timeOf(110, {100, 110, 120, 110});
  Metrics after = timeOf(100, {100, 100, 100, 100});
  EXPECT_NEAR(leastGain(margin, sampled(), before, after),
              2 * std::sqrt(0.015 * 63 / 64), 1e-9);
  // All lines are no sample.
  EXPECT_EQ(leastGain(margin, {}, before, after), margin);
}

TEST(Margins, WithoutGroupsThereIsTheMargin) {
  EXPECT_EQ(leastGain(margin, sampled(), timeOf(110), timeOf(100)), margin);
  EXPECT_EQ(leastGain(margin, sampled(), timeOf(110, {1, 2}), timeOf(100)),
            margin);
}

TEST(Margins, AWindowAsksForMore) {
  SimulationOptions window;
  window.prefix = 0.5;
  EXPECT_GT(leastGain(margin, window, timeOf(110), timeOf(100)), 2 * margin);
}

TEST(Margins, WhatIsTooLittleSaysWhyMoreIsAsked) {
  Metrics before = timeOf(110, {100, 110, 120, 110});
  Metrics after = timeOf(100, {100, 100, 100, 100});
  EXPECT_EQ(tooLittle(0.1, margin, sampled(), before, after),
            "10.0%, less than 24.3%, which few lines of a sample may feign");
  EXPECT_EQ(tooLittle(0.004, margin, {}, before, after),
            "0.4%, less than 1.0%");
  SimulationOptions window;
  window.prefix = 0.5;
  EXPECT_EQ(tooLittle(0.04, margin, window, before, after),
            "4.0%, less than 5.0%, which a part of the launch may feign");
  // All of the gain is memory that is less scattered.
  before.scatterUs = 10;
  EXPECT_EQ(
      tooLittle(0.04, margin, {}, before, after),
      "4.0%, less than 5.0%, which is asked for where memory that is less "
      "scattered is all that there is to gain");
  // Steps that were left out.
  before.scatterUs = 0;
  after.noise = 0.02;
  EXPECT_EQ(tooLittle(0.02, margin, {}, before, after),
            "2.0%, less than 3.0%, which leaving out steps may feign");
}

} // namespace
