//===- NestTest.cpp - Loop nests are permutations and write themselves ----===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random nests on awkward grids: each is a permutation, and the formula that it
// writes computes the same.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Formula/Orders/Nest.h"
#include "swizzle/Formula/Syntax/Catalogue.h"

#include "llvm/Support/Compiler.h"
#include "gtest/gtest.h"

#include <random>
#include <set>

using namespace swizzle;

namespace {

const Grid awkwardGrids[] = {
    Grid(1),       Grid(7),       Grid(97),      Grid(1, 13),   Grid(5, 1, 3),
    Grid(13, 17),  Grid(64, 8),   Grid(2, 31),   Grid(31, 2),   Grid(1, 1, 11),
    Grid(3, 5, 7), Grid(6, 4, 9), Grid(4, 4, 4), Grid(1, 9, 5), Grid(8, 3, 1)};
const int64_t dieCounts[] = {1, 3, 4, 6, 7, 8};

LoopNest randomNest(std::mt19937 &random) {
  auto pick = [&](int64_t n) { return int64_t(random() % n); };
  LoopNest nest;
  nest.deal = Deal(pick(3));
  nest.chunk = pick(2) ? 1 + pick(9) : int64_t(1) << pick(5);
  std::vector<NestLevel> chains[3];
  for (unsigned axis = 0; axis < 3; ++axis) {
    chains[axis] = {{axis, 1, false}};
    int64_t tile = 1;
    for (int64_t splits = pick(3); splits > 0; --splits) {
      tile *= 2 + pick(4);
      chains[axis].insert(chains[axis].begin(), {axis, tile, false});
    }
  }
  size_t at[3] = {0, 0, 0};
  while (true) {
    std::vector<unsigned> open;
    for (unsigned axis = 0; axis < 3; ++axis)
      if (at[axis] < chains[axis].size())
        open.push_back(axis);
    if (open.empty())
      break;
    unsigned axis = open[pick(open.size())];
    NestLevel level = chains[axis][at[axis]++];
    level.serpentine = level.tile == 1 && !nest.levels.empty() && pick(3) == 0;
    nest.levels.push_back(level);
  }
  return nest;
}

void expectSame(const LoopNest &nest, const Grid &grid, int64_t dies,
                unsigned rank) {
  Formula formula = nest.toFormula(rank);
  Environment environment;
  environment.grid = grid;
  environment.hardware["num_xcds"] = dies;
  llvm::Expected<BoundFormula> bound = BoundFormula::bind(formula, environment);
  ASSERT_TRUE(bool(bound)) << llvm::toString(bound.takeError());
  std::vector<uint32_t> all = nest.permutation(grid, dies, 0, grid.count());
  int64_t first = grid.count() / 2;
  std::vector<uint32_t> some = nest.permutation(grid, dies, first, 3);
  ASSERT_EQ(int64_t(all.size()), grid.count());
  ASSERT_TRUE(std::equal(some.begin(), some.end(), all.begin() + first));
  std::set<int64_t> reached;
  for (int64_t id = 0; id < grid.count(); ++id) {
    WorkgroupId expected = nest.evaluate(id, grid, dies);
    reached.insert(linearise(expected, grid));
    ASSERT_EQ(linearise(expected, grid), all[id]) << nest.describe();
    llvm::Expected<WorkgroupId> actual = bound->evaluate(delinearise(id, grid));
    ASSERT_TRUE(bool(actual)) << llvm::toString(actual.takeError()) << "\n"
                              << nest.describe() << "\n"
                              << formula.print();
    ASSERT_TRUE(*actual == expected)
        << nest.describe() << " on " << toString(grid) << ", " << dies
        << " dies, id " << id << "\n"
        << formula.print();
  }
  EXPECT_EQ(int64_t(reached.size()), grid.count()) << nest.describe();
}

TEST(NestTest, RandomNestsArePermutationsAndEqualTheirFormula) {
  std::mt19937 random(1);
  for (int round = 0; round < (LLVM_ADDRESS_SANITIZER_BUILD ? 80 : 400);
       ++round) {
    LoopNest nest = randomNest(random);
    ASSERT_EQ(nest.verify(), "");
    for (const Grid &grid : awkwardGrids)
      for (unsigned rank = rankOf(grid); rank <= 3; ++rank)
        expectSame(nest, grid, dieCounts[(round + rank) % 6], rank);
    if (HasFatalFailure())
      return;
  }
}

TEST(NestTest, RowMajorIsTheIdentity) {
  for (const Grid &grid : awkwardGrids)
    for (int64_t id = 0; id < grid.count(); ++id)
      EXPECT_EQ(linearise(LoopNest::rowMajor().evaluate(id, grid, 8), grid),
                id);
  EXPECT_EQ(LoopNest::rowMajor().toFormula(2).print(), "return x, y\n");
}

TEST(NestTest, SuperGroupReadsAsAPersonWouldWriteIt) {
  LoopNest nest;
  nest.levels = {{2, 1, false}, {1, 8, false}, {0, 1, false}, {1, 1, false}};
  EXPECT_EQ(nest.describe(), "y/8, x, y");
  EXPECT_EQ(nest.explain(), "in groups of 8 rows, column by column");
  EXPECT_EQ(nest.toFormula(2).print(), "yb = y // 8\n"
                                       "yh = min(8, gy - yb * 8)\n"
                                       "i = y % 8 * gx + x\n"
                                       "return i // yh, yb * 8 + i % yh\n");
  nest.deal = Deal::Contiguous;
  EXPECT_EQ(nest.describe(), "deal contiguous; y/8, x, y");
  EXPECT_EQ(nest.explain(), "in groups of 8 rows, column by column; each die a "
                            "share in one piece");
  std::string text = nest.toFormula(2).print();
  EXPECT_NE(text.find("num_xcds"), std::string::npos);
  EXPECT_LT(text.size(), 300u) << text;
}

TEST(NestTest, WithoutADealNoHardwareIsNamed) {
  std::mt19937 random(2);
  for (int round = 0; round < 50; ++round) {
    LoopNest nest = randomNest(random);
    nest.deal = Deal::None;
    EXPECT_TRUE(nest.toFormula(3).hardwareNames().empty());
  }
}

TEST(NestTest, MalformedNestsSayWhy) {
  LoopNest nest;
  nest.levels = {{1, 1, false}, {0, 1, false}};
  EXPECT_EQ(nest.verify(), "axis z does not end in a loop of tile 1");
  nest.levels = {{2, 1, false},
                 {1, 6, false},
                 {1, 4, false},
                 {1, 1, false},
                 {0, 1, false}};
  EXPECT_NE(nest.verify().find("dividing the one before"), std::string::npos);
  nest.levels = {{2, 1, true}, {1, 1, false}, {0, 1, false}};
  EXPECT_NE(nest.verify().find("no loop around it"), std::string::npos);
  nest.levels = {{2, 1, false}, {1, 4, true}, {1, 1, false}, {0, 1, false}};
  EXPECT_NE(nest.verify().find("other than 1"), std::string::npos);
  nest = LoopNest::rowMajor();
  nest.deal = Deal::Chunked;
  nest.chunk = 0;
  EXPECT_NE(nest.verify().find("at least 1"), std::string::npos);
}

} // namespace
