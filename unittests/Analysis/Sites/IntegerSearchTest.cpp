//===- IntegerSearchTest.cpp - Integer points against all points ----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random systems in small boxes, where all points can be tried, and one that is
// too hard for the budget.
//
//===----------------------------------------------------------------------===//

#include "Sites/IntegerSearch.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

#include <random>

using namespace swizzle::analysis;

namespace {

using Twins = std::vector<std::pair<unsigned, unsigned>>;

int64_t valueOf(const Row &row, const std::vector<int64_t> &point) {
  int64_t sum = row.back();
  for (size_t i = 0; i < point.size(); ++i)
    sum += row[i] * point[i];
  return sum;
}

bool holds(const LinearSystem &system, const std::vector<int64_t> &point) {
  return llvm::all_of(system.equalities,
                      [&](const Row &row) { return !valueOf(row, point); }) &&
         llvm::all_of(system.inequalities,
                      [&](const Row &row) { return valueOf(row, point) >= 0; });
}

/// Unknown `index` lies in [0, most].
void boundUnknown(LinearSystem &system, unsigned index, int64_t most) {
  Row row(system.unknowns + 1, 0);
  row[index] = 1;
  system.bound(std::move(row), most);
}

constexpr unsigned kUnknowns = 4;
constexpr int64_t kMost = 4;

/// Tries all points with unknowns from `index` on in [0, kMost].
bool anyHolds(const LinearSystem &system, std::vector<int64_t> &point,
              unsigned index = 0) {
  if (index == kUnknowns)
    return holds(system, point);
  for (point[index] = 0; point[index] <= kMost; ++point[index])
    if (anyHolds(system, point, index + 1))
      return true;
  return false;
}

TEST(IntegerSearch, AgreesWithAllPoints) {
  int found = 0, none = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    std::mt19937 random(seed);
    auto pick = [&](int64_t low, int64_t high) {
      return std::uniform_int_distribution<int64_t>(low, high)(random);
    };
    LinearSystem system;
    system.unknowns = kUnknowns;
    for (unsigned i = 0; i < kUnknowns; ++i)
      boundUnknown(system, i, kMost);
    auto draw = [&] {
      Row row;
      for (unsigned i = 0; i <= kUnknowns; ++i)
        row.push_back(pick(0, 2) ? pick(-6, 6) : 0);
      return row;
    };
    for (int64_t i = pick(0, 2); i > 0; --i)
      system.equalities.push_back(draw());
    for (int64_t i = pick(0, 3); i > 0; --i)
      system.inequalities.push_back(draw());
    Twins twins;
    if (pick(0, 1))
      twins = {{0, 2}, {1, 3}};
    std::vector<int64_t> all(kUnknowns), point;
    WorkBudget budget{1'000'000};
    Answer answer = findInteger(system, twins, budget, point);
    if (anyHolds(system, all)) {
      ++found;
      ASSERT_EQ(answer, Answer::Yes) << "seed " << seed;
      EXPECT_TRUE(holds(system, point)) << "seed " << seed;
    } else {
      ++none;
      ASSERT_EQ(answer, Answer::No) << "seed " << seed;
    }
  }
  EXPECT_GT(found, 300);
  EXPECT_GT(none, 300);
}

/// 12 x + 12 y + ... = odd multiples that no integers reach, in a large box:
/// the equality is hidden in two inequalities, so that no common factor tells.
LinearSystem makeHard() {
  LinearSystem system;
  system.unknowns = 12;
  Row sum(13, 0);
  for (unsigned i = 0; i < 12; ++i) {
    boundUnknown(system, i, int64_t(1) << 20);
    sum[i] = 65536 + 2 * (i * 7919 % 257);
  }
  sum.back() = -(int64_t(1) << 33) - 1;
  system.bound(std::move(sum), 0);
  return system;
}

TEST(IntegerSearch, GivesUpWithinItsBudget) {
  for (uint64_t work : {0, 1, 1000, 50'000}) {
    std::vector<int64_t> point;
    WorkBudget budget{work};
    LinearSystem hard = makeHard();
    // The halves of the equality, so that dividing by 2 does not decide.
    hard.inequalities[hard.inequalities.size() - 1].back() += 1;
    hard.inequalities[hard.inequalities.size() - 2].back() += 1;
    Answer answer = findInteger(hard, {}, budget, point);
    if (answer == Answer::Unknown)
      EXPECT_EQ(budget.left, 0u);
    EXPECT_LE(budget.left, work);
    if (work <= 1000)
      EXPECT_EQ(answer, Answer::Unknown);
  }
}

TEST(IntegerSearch, TooLargeNumbersAreUnknown) {
  LinearSystem system;
  system.unknowns = 2;
  system.equalities.push_back({INT64_MAX, INT64_MAX, 1});
  std::vector<int64_t> point;
  WorkBudget budget{1'000'000};
  EXPECT_EQ(findInteger(system, {{0, 1}}, budget, point), Answer::Unknown);
}

} // namespace
