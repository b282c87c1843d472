//===- IntervalTest.cpp - Against all values ------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each rule against every pair of values in small intervals of either sign.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Support/Interval.h"

#include "gtest/gtest.h"
#include <functional>

using namespace swizzle;

TEST(Interval, OnesReachTheValue) {
  EXPECT_EQ(onesUpTo(-1), 0);
  EXPECT_EQ(onesUpTo(0), 0);
  EXPECT_EQ(onesUpTo(1), 1);
  EXPECT_EQ(onesUpTo(4), 7);
  EXPECT_EQ(onesUpTo(7), 7);
  EXPECT_EQ(onesUpTo(INT64_MAX), INT64_MAX);
}

TEST(Interval, HoldsWhatArithmeticYields) {
  for (int64_t low = -3; low <= 2; ++low)
    for (int64_t high = low; high <= 3; ++high) {
      WideInterval a{low, high}, b{-2, 5};
      WideInterval sum = a + b, difference = a - b, product = a * b;
      __int128 least = INT64_MAX, most = INT64_MIN;
      for (int64_t x = low; x <= high; ++x)
        for (int64_t y = -2; y <= 5; ++y) {
          EXPECT_TRUE(sum.low <= x + y && x + y <= sum.high);
          EXPECT_TRUE(difference.low <= x - y && x - y <= difference.high);
          least = std::min<__int128>(least, x * y);
          most = std::max<__int128>(most, x * y);
        }
      EXPECT_TRUE(product.low == least && product.high == most);
    }
  WideInterval large{INT64_MIN, INT64_MAX};
  EXPECT_TRUE(large.fits());
  EXPECT_FALSE((large + WideInterval{0, 1}).fits());
  EXPECT_FALSE((large * large).fits());
}

using Rule = Interval (*)(Interval, Interval);
using Operation = std::function<int64_t(int64_t, int64_t)>;

static void expectHolds(Rule rule, const Operation &operation, bool isExact) {
  for (int64_t a = -6; a <= 6; ++a)
    for (int64_t b = a; b <= 6; ++b)
      for (int64_t c = -6; c <= 6; ++c)
        for (int64_t d = c; d <= 6; ++d) {
          Interval range = rule({a, b}, {c, d});
          Interval found{INT64_MAX, INT64_MIN};
          for (int64_t x = a; x <= b; ++x)
            for (int64_t y = c; y <= d; ++y)
              found = hull(found, {operation(x, y), operation(x, y)});
          EXPECT_LE(range.low, found.low) << a << b << c << d;
          EXPECT_GE(range.high, found.high) << a << b << c << d;
          if (isExact) {
            EXPECT_EQ(range.low, found.low);
            EXPECT_EQ(range.high, found.high);
          }
        }
}

TEST(Interval, RulesHoldAllValues) {
  auto min = [](int64_t x, int64_t y) { return std::min(x, y); };
  auto max = [](int64_t x, int64_t y) { return std::max(x, y); };
  expectHolds(rangeOfMin, min, /*isExact=*/true);
  expectHolds(rangeOfMax, max, /*isExact=*/true);
  expectHolds(rangeOfAnd, std::bit_and<>(), /*isExact=*/false);
  expectHolds(rangeOfOr, std::bit_or<>(), /*isExact=*/false);
  expectHolds(rangeOfXor, std::bit_xor<>(), /*isExact=*/false);
}

TEST(Interval, RulesOfShiftsAreExact) {
  for (int64_t a = -9; a <= 9; ++a)
    for (int64_t b = a; b <= 9; ++b)
      for (int64_t by = 0; by <= 4; ++by) {
        Interval right = rangeOfShr({a, b}, {1, 1 + by});
        EXPECT_EQ(right.low, std::min(a >> 1, a >> (1 + by)));
        EXPECT_EQ(right.high, std::max(b >> 1, b >> (1 + by)));
        WideInterval left = rangeOfShl({a, b}, {1, 1 + by});
        EXPECT_TRUE(left.low == std::min(a * 2, a * (2 << by)));
        EXPECT_TRUE(left.high == std::max(b * 2, b * (2 << by)));
      }
  EXPECT_EQ(rangeOfOr({4, 5}, {2, 3}).low, 4);
  EXPECT_EQ(rangeOfOr({4, 5}, {2, 3}).high, 7);
  EXPECT_EQ(rangeOfAnd({-8, 7}, {0, 3}).high, 3);
}
