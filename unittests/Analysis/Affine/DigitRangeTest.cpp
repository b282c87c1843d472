//===- DigitRangeTest.cpp - Digits that are put together again ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The range that a domain tells of sums of digits, against the numbers: all of
// them lie in it, and where each digit stands for itself, at its ends.
//
//===----------------------------------------------------------------------===//
#include "Affine/Scalars.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <random>

using namespace swizzle;
using namespace swizzle::analysis;

namespace {

/// The digits of n = 256 * workgroup + thread in some bases, from the lowest
/// on; the last one is what is left.
struct Digits {
  Digits(int64_t workgroups, const std::vector<int64_t> &bases)
      : model(KernelModel::create(Grid(workgroups), Grid(256))), domain(model),
        scalars(domain) {
    CasesRef number = scalars.leaf(makeVariable(kWorkgroupIdX) * 256 +
                                   makeVariable(kThreadIdX));
    for (int64_t base : bases) {
      CasesRef by = scalars.constant(base);
      all.push_back(scalars.floorRemainder(number, by));
      number = scalars.floorDivide(number, by);
    }
    all.push_back(number);
  }

  /// The least and the greatest value of `form`.
  Interval valuesOf(const AffineForm &form) const {
    Interval seen{INT64_MAX, INT64_MIN};
    std::vector<int64_t> values(model.variables.size(), 0);
    for (int64_t n = 0; n < model.grid.count() * 256; ++n) {
      values[kWorkgroupIdX] = n / 256;
      values[kThreadIdX] = n % 256;
      evaluateDerived(model, values);
      int64_t value = evaluate(form, values);
      seen.low = std::min(seen.low, value);
      seen.high = std::max(seen.high, value);
    }
    return seen;
  }

  KernelModel model;
  Domain domain;
  Scalars scalars;
  std::vector<CasesRef> all;
};

TEST(DigitRange, HoldsAllValues) {
  std::mt19937 random(11);
  unsigned exact = 0;
  for (unsigned trial = 0; trial < 600; ++trial) {
    // Of so many numbers, all digits come with all others.
    bool isWhole = trial % 2;
    int64_t product = 1;
    std::vector<int64_t> bases(1 + random() % (isWhole ? 2 : 3));
    for (int64_t &base : bases)
      product *= base = 2 + random() % 9;
    Digits digits(isWhole ? product : 1 + random() % 12, bases);
    Scalars &scalars = digits.scalars;
    CasesRef sum = scalars.constant(int64_t(random() % 20) - 10);
    for (const CasesRef &digit : digits.all)
      sum = scalars.add(sum, scalars.scale(digit, int64_t(random() % 41) - 20));
    ASSERT_TRUE(sum && sum->isLeaf());
    Interval told = scalars.range(sum), seen = digits.valuesOf(sum->form);
    EXPECT_LE(told.low, seen.low) << trial;
    EXPECT_GE(told.high, seen.high) << trial;
    exact += isWhole && told.low == seen.low && told.high == seen.high;
  }
  // Of 300. Where a base divides 256, quotients are of the thread alone, and may
  // hide what a digit is of.
  EXPECT_GE(exact, 299u);
}

/// Four axes of 20, 36, 42 and 24, in another order: as many numbers.
TEST(DigitRange, APermutationOfAxesHasAsManyNumbers) {
  Digits digits(2835, {20, 36, 42});
  Scalars &scalars = digits.scalars;
  const int64_t strides[] = {864 * 42, 1008, 1, 42};
  CasesRef sum = scalars.constant(0);
  for (size_t i = 0; i < 4; ++i)
    sum = scalars.add(sum, scalars.scale(digits.all[i], strides[i]));
  ASSERT_TRUE(sum && sum->isLeaf());
  Interval range = scalars.range(sum);
  EXPECT_EQ(range.low, 0);
  EXPECT_EQ(range.high, 24 * 42 * 36 * 20 - 1);
}

/// x ^ m for a mask of one bit, times a number.
TEST(DigitRange, ATurnedBitIsNotBelowZero) {
  for (int64_t bit : {1, 2, 8})
    for (int64_t times : {1, 3, 256}) {
      Digits digits(2048, {});
      Scalars &scalars = digits.scalars;
      CasesRef turned = scalars.scale(
          scalars.bitXor(scalars.leaf(makeVariable(kWorkgroupIdX)),
                         scalars.constant(bit)),
          times);
      ASSERT_TRUE(turned && turned->isLeaf());
      Interval range = scalars.range(turned);
      EXPECT_EQ(range.low, 0) << bit;
      EXPECT_EQ(range.high, 2047 * times) << bit;
    }
}

} // namespace
