//===- RetryTest.cpp - The one retry layer --------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What servers ask for, and the schedule where they ask for nothing.
//
//===----------------------------------------------------------------------===//

#include "Chat/Retry.h"
#include "Agent/Core/Helpers.h"

#include "gtest/gtest.h"

using namespace swizzle;
using namespace swizzle::agent;
using namespace llvm;

namespace {

std::optional<int64_t> asked(std::map<std::string, std::string> headers) {
  HttpReply reply;
  reply.headers = std::move(headers);
  FakeClock clock;
  clock.now = 0; // 1700000000: Tue, 14 Nov 2023 22:13:20 GMT
  return retryAfterMs(reply, clock);
}

TEST(RetryTest, WhatTheServerAsksFor) {
  EXPECT_EQ(asked({}), std::nullopt);
  EXPECT_EQ(asked({{"retry-after", "3"}}), 3000);
  EXPECT_EQ(asked({{"retry-after", "0.25"}}), 250);
  EXPECT_EQ(asked({{"retry-after-ms", "20"}, {"retry-after", "3"}}), 20);
  EXPECT_EQ(asked({{"retry-after-ms", "x"}, {"retry-after", "3"}}), 3000);
  EXPECT_EQ(asked({{"retry-after", "Tue, 14 Nov 2023 22:13:30 GMT"}}), 10000);
  EXPECT_EQ(asked({{"retry-after", "Tue, 14 Nov 2023 22:13:10 GMT"}}), 0);
  for (const char *nonsense : {"soon", "-1", "nan", "", "\xff"})
    EXPECT_EQ(asked({{"retry-after", nonsense}}), std::nullopt) << nonsense;
  EXPECT_EQ(asked({{"retry-after", "1e300"}}), 365LL * 24 * 3600 * 1000);
}

TEST(RetryTest, DoublesUpToEightSeconds) {
  for (uint64_t seed : {0, 1, 2, 3}) {
    RetryPolicy policy;
    policy.seed = seed;
    Backoff backoff(policy), again(policy);
    for (int64_t full : {500, 1000, 2000, 4000, 8000, 8000, 8000}) {
      int64_t wait = backoff.nextMs();
      EXPECT_LE(wait, full);
      EXPECT_GE(wait, full * 3 / 4 - 1);
      EXPECT_EQ(wait, again.nextMs()) << "the seed decides";
    }
    for (int i = 0; i < 100; ++i)
      EXPECT_LE(backoff.nextMs(), 8000);
  }
}

TEST(RetryTest, SeedsDiffer) {
  RetryPolicy one, two;
  two.seed = 1;
  EXPECT_NE(Backoff(one).nextMs(), Backoff(two).nextMs());
}

} // namespace
