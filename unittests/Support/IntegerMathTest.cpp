//===- IntegerMathTest.cpp - Against wider arithmetic ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "swizzle/Support/IntegerMath.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace swizzle;

TEST(IntegerMath, DivisionRoundsDown) {
  for (int64_t a = -40; a <= 40; ++a)
    for (int64_t b = -12; b <= 12; ++b) {
      if (b == 0)
        continue;
      int64_t expected = int64_t(std::floor(double(a) / double(b)));
      EXPECT_EQ(floorDiv(a, b), expected) << a << " // " << b;
      EXPECT_EQ(floorMod(a, b), a - b * expected) << a << " % " << b;
      EXPECT_EQ(floorDiv(int32_t(a), int32_t(b)), expected);
    }
  EXPECT_EQ(floorMod(INT64_MIN, int64_t(-1)), 0);
  EXPECT_EQ(floorDiv(INT64_MIN, int64_t(2)), INT64_MIN / 2);
}

TEST(IntegerMath, MultipliersAreThoseThatAreExact) {
  // All that have at most 8 bits, each against all dividends.
  for (uint64_t divisor = 2; divisor < 40; ++divisor)
    for (uint64_t most : {divisor, uint64_t(60), uint64_t(255)})
      for (unsigned shift = 1; shift < 16; ++shift) {
        uint64_t multiplier = ((uint64_t(1) << shift) + divisor - 1) / divisor;
        bool exact = true;
        for (uint64_t n = 0; n <= most; ++n)
          exact &= (n * multiplier) >> shift == n / divisor;
        std::optional<uint64_t> found = multiplierFor(divisor, most, shift);
        if (found) {
          EXPECT_EQ(*found, multiplier);
          EXPECT_TRUE(exact) << divisor << " up to " << most << " by " << shift;
        } else if (most % divisor == divisor - 1) {
          // The bound is tight where the last quotient ends.
          EXPECT_FALSE(exact)
              << divisor << " up to " << most << " by " << shift;
        }
      }
  EXPECT_EQ(multiplierFor(3, 7, 5), 11u);
}

template <typename T> static void checkReciprocals(std::mt19937_64 &random) {
  T most = std::numeric_limits<T>::max();
  for (unsigned round = 0; round < 20000; ++round) {
    T divisor = T(random() >> (random() % (sizeof(T) * 8 - 2))) & most;
    divisor = std::max<T>(divisor, 2);
    Reciprocal<T> by(divisor);
    T quotient = T(random() & most) / divisor;
    for (T n : {T(0), most, T(random() & most), T(quotient * divisor),
                T(quotient ? quotient * divisor - 1 : 0)})
      ASSERT_EQ(T(by.divide(n)), n / divisor) << n << " / " << divisor;
  }
}

TEST(IntegerMath, ReciprocalsDivide) {
  std::mt19937_64 random(7);
  checkReciprocals<int32_t>(random);
  checkReciprocals<int64_t>(random);
}
