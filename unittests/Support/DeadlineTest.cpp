//===- DeadlineTest.cpp - Ends by time and by a flag ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "swizzle/Support/Deadline.h"

#include "gtest/gtest.h"
#include <cmath>

using namespace swizzle;

namespace {

TEST(Deadline, NeverPassesUnlessSomebodySaysWhen) {
  Deadline never;
  EXPECT_FALSE(bool(never));
  EXPECT_FALSE(never.passed());
  EXPECT_TRUE(std::isinf(never.secondsLeft()));
  EXPECT_FALSE(bool(never.orOnce(nullptr)));
}

TEST(Deadline, PassesAtItsTime) {
  EXPECT_TRUE(Deadline::after(0).passed());
  EXPECT_EQ(Deadline::after(-1).secondsLeft(), 0);
  Deadline later = Deadline::after(1000);
  EXPECT_FALSE(later.passed());
  EXPECT_GT(later.secondsLeft(), 900);
  EXPECT_FALSE(later.isCancelled());
}

TEST(Deadline, PassesAsSoonAsTheFlagIsSet) {
  std::atomic<bool> flag{false};
  for (Deadline deadline :
       {Deadline().orOnce(&flag), Deadline::after(1000).orOnce(&flag),
        earlier(Deadline().orOnce(&flag), Deadline()),
        earlier(Deadline::after(1000), Deadline().orOnce(&flag))}) {
    flag = false;
    EXPECT_TRUE(bool(deadline));
    EXPECT_FALSE(deadline.passed());
    flag = true;
    EXPECT_TRUE(deadline.passed());
    EXPECT_TRUE(deadline.isCancelled());
    EXPECT_EQ(deadline.secondsLeft(), 0);
  }
}

TEST(Deadline, TheEarlierOfTwoHasBothReasons) {
  std::atomic<bool> flag{false};
  Deadline both =
      earlier(Deadline::after(1000).orOnce(&flag), Deadline::after(0));
  EXPECT_TRUE(both.passed());
  EXPECT_FALSE(both.isCancelled());
}

} // namespace
