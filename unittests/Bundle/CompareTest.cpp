//===- CompareTest.cpp - Which measured time is less ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rule by which measured times decide, on rows that were made up.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Bundle/Compare.h"

#include "gtest/gtest.h"

using namespace swizzle;

namespace {

JobResult rowOf(double us, double noise, double besideUs) {
  JobResult row{"v", "", {}};
  row.metrics.from = {Origin::Measured, "device 0"};
  row.metrics.timeUs = us;
  row.metrics.noise = noise;
  row.measurement.emplace().originalUs = besideUs;
  return row;
}

TEST(CompareTest, AGainIsMoreThanMarginAndNoise) {
  EXPECT_TRUE(isFaster({0.9, 0.001}, 0.01));
  EXPECT_FALSE(isFaster({1.1, 0.001}, 0.01));
  EXPECT_FALSE(isFaster({0.995, 0}, 0.01)) << "within the margin";
  EXPECT_FALSE(isFaster({0.9, 0.06}, 0.01)) << "within two standard errors";
  EXPECT_TRUE(isFaster({0.9, 0.05}, 0.01));
  EXPECT_FALSE(isFaster({1, 0}, 0)) << "the same is no gain";
  EXPECT_FALSE(isFaster({0.5, 1}, 0)) << "what nobody knows the noise of";
}

TEST(CompareTest, RatiosAreToTheOriginalInTheSameTurns) {
  JobResult original = rowOf(100, 0.003, 100);
  TimeRatio same = compareWithOriginal(original, rowOf(90, 0.004, 100));
  EXPECT_DOUBLE_EQ(same.ratio, 0.9);
  EXPECT_DOUBLE_EQ(same.noise, 0.005);
  // Faster clocks: 90 us beside an original of 80 us is a loss.
  TimeRatio other = compareWithOriginal(original, rowOf(90, 0, 80));
  EXPECT_DOUBLE_EQ(other.ratio, 1.125);
  EXPECT_FALSE(isFaster(other, 0.01));
  // A gain there counts only if it is more than what the originals differ by.
  TimeRatio gain = compareWithOriginal(original, rowOf(60, 0, 80));
  EXPECT_NEAR(gain.noise, 0.2, 1e-3);
  EXPECT_FALSE(isFaster(gain, 0.01));
  EXPECT_TRUE(isFaster(compareWithOriginal(original, rowOf(60, 0, 99)), 0.01));
}

} // namespace
