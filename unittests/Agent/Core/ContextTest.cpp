//===- ContextTest.cpp - Tests of objectives ------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A smaller cost is better for every objective, and what was not told is no
// figure.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Agent/Core/Context.h"
#include "gtest/gtest.h"

using namespace swizzle;

TEST(CostOf, SmallerIsBetter) {
  Metrics slow, fast;
  slow.timeUs = 10;
  fast.timeUs = 5;
  slow.level("l2").hitRate = 0.25;
  fast.level("l2").hitRate = 0.75;
  slow.dramReadBytes = 96;
  slow.dramWriteBytes = 32;
  fast.dramReadBytes = 96;
  fast.dramWriteBytes = 0;
  slow.energyJoules = 3;
  fast.energyJoules = 2;
  for (Objective objective : {Objective::Time, Objective::L2HitRate,
                              Objective::DramBytes, Objective::Energy})
    EXPECT_LT(*costOf(fast, objective), *costOf(slow, objective))
        << toString(objective).str();
}

TEST(CostOf, WhatWasNotToldIsNoFigure) {
  Metrics nothing;
  for (Objective objective : {Objective::Time, Objective::L2HitRate,
                              Objective::DramBytes, Objective::Energy})
    EXPECT_FALSE(costOf(nothing, objective)) << toString(objective).str();
}
