//===- RaceTest.cpp - Which orders may still win --------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Planner/Trials/Race.h"

#include <gtest/gtest.h>

using namespace swizzle::planner;

namespace {

constexpr double kMargin = 0.01;

TEST(Race, DropsWhatIsSlowerByMoreThanTheFirstLookIsOff) {
  Race race(kMargin);
  race.note(0.90, 0.90); // not off: 0.5 % is allowed for all the same
  // As good as the best, by the margin: 0.909, and 0.5 % of it.
  EXPECT_TRUE(race.mayWin(0.913));
  EXPECT_FALSE(race.mayWin(0.914));
}

TEST(Race, AllowsForWhatTheFirstLookWasOffByAtMost) {
  Race slower(kMargin), faster(kMargin);
  slower.note(0.80, 0.88); // 10 % slower than it was seen
  slower.note(0.90, 0.90);
  EXPECT_TRUE(slower.mayWin(0.98));
  EXPECT_FALSE(slower.mayWin(0.99));
  faster.note(0.95, 0.855); // 10 % faster
  EXPECT_TRUE(faster.mayWin(0.95));
  EXPECT_FALSE(faster.mayWin(0.97));
}

TEST(Race, WhatIsNoFasterThanTheKernelNeverWins) {
  Race race(kMargin);
  race.note(1.02, 1.02);
  EXPECT_TRUE(race.mayWin(1.005)); // 0.5 % less is the kernel's time
  EXPECT_FALSE(race.mayWin(1.006));
}

TEST(Race, WhatWouldWinIsNeverDropped) {
  // Whatever the first look says, as long as it is no more off than for others.
  for (double off : {0.0, 0.01, 0.1, 0.3})
    for (double best : {0.3, 0.7, 0.97}) {
      Race race(kMargin);
      race.note(best, best * (1 - off));
      for (double time = 0.1; time < best * (1 - off); time += 0.01)
        EXPECT_TRUE(race.mayWin(time / (1 - off))) << off << " " << best;
    }
}

} // namespace
