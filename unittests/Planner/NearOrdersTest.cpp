//===- NearOrdersTest.cpp - What to try next, given times -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Texts that are new and legal, and a search that reaches the best of a
// landscape that the simulator knows nothing of.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Planner/NearOrders.h"

#include "Kernels.h"
#include "swizzle/Formula/Orders/Nest.h"
#include "swizzle/Formula/Proof/Proof.h"
#include "swizzle/Hardware/Database.h"
#include "llvm/Support/Compiler.h"
#include "gtest/gtest.h"

#include <cmath>
#include <set>

using namespace swizzle;
using namespace swizzle::models;

namespace {

class NearOrdersTest : public testing::Test {
protected:
  NearOrdersTest() {
    environment.grid = model.grid;
    environment.hardware = hardware.formulaConstants();
  }

  std::vector<NearOrder> propose(size_t count) const {
    return proposeNearOrders({model, hardware, environment, 100, tried}, count);
  }

  bool isLegal(const NearOrder &order) const {
    std::vector<uint32_t> permutation;
    return prove(llvm::cantFail(Formula::parse(order.formula)), environment, {},
                 permutation)
        .legal();
  }

  HardwareSpec hardware = llvm::cantFail(findChip("h200"));
  KernelModel model = gemmFp16(4096, 4096, 512);
  Environment environment;
  std::vector<TriedOrder> tried;
};

TEST_F(NearOrdersTest, WithoutTimesShapesComeFirst) {
  std::vector<NearOrder> orders = propose(8);
  ASSERT_EQ(orders.size(), 8u);
  std::set<std::string> texts;
  for (const NearOrder &order : orders) {
    EXPECT_TRUE(isLegal(order)) << order.formula;
    EXPECT_TRUE(texts.insert(order.formula).second) << order.formula;
  }
  std::vector<NearOrder> again = propose(8);
  for (size_t i = 0; i < orders.size(); ++i)
    EXPECT_EQ(orders[i].formula, again[i].formula);
}

TEST_F(NearOrdersTest, NothingIsProposedTwice) {
  std::set<std::string> texts;
  for (int round = 0; round < 4; ++round)
    for (const NearOrder &order : propose(16)) {
      EXPECT_TRUE(texts.insert(order.formula).second) << order.formula;
      // Every other one could not be timed.
      tried.push_back({order.formula, {}, {}});
      if (texts.size() % 2)
        tried.back().timeUs = 100 + double(texts.size());
    }
  EXPECT_GT(texts.size(), 48u);
}

#if !LLVM_ADDRESS_SANITIZER_BUILD // five rounds take half a minute
/// Fastest where 24 rows are walked together, column by column.
double timeOf(const LoopNest &nest) {
  double time = 100;
  if (nest.levels.size() == 4 && nest.levels[1].axis == 1 &&
      nest.levels[1].tile > 1 && nest.levels[2].axis == 0)
    time = 80 + 5 * std::abs(std::log2(double(nest.levels[1].tile) / 24));
  for (const NestLevel &level : nest.levels)
    time += level.serpentine ? 1 : 0;
  return time;
}

TEST_F(NearOrdersTest, RoundsReachTheBestOfALandscape) {
  double best = 100;
  for (int round = 0; round < 5; ++round)
    for (const NearOrder &order : propose(16)) {
      Formula formula = llvm::cantFail(Formula::parse(order.formula));
      std::optional<LoopNest> nest = recogniseNest(formula, environment);
      double time = nest ? timeOf(*nest) : 100;
      best = std::min(best, time);
      tried.push_back({order.formula, {}, time});
    }
  EXPECT_EQ(best, 80);
}
#endif

/// Axes and directions of the loops, without the sizes of tiles.
std::string loopsOf(const LoopNest &nest) {
  std::string loops(1, char('0' + int(nest.deal)));
  for (const NestLevel &level : nest.levels)
    loops += std::string(1, "xyz"[level.axis]) + (level.tile > 1 ? "/" : "") +
             (level.serpentine ? "<" : "");
  return loops;
}

/// What goes down columns is fastest, bands of columns that go along rows are a
/// little slower: other such bands are tried all the same.
TEST_F(NearOrdersTest, TheFastestOfAnotherWalkIsGoneOnWith) {
  auto textOf = [&](std::vector<NestLevel> levels) {
    LoopNest nest;
    nest.levels = std::move(levels);
    nest.levels.insert(nest.levels.begin(), NestLevel{2, 1, false});
    return nest.toFormula(2).print();
  };
  auto at = [](unsigned axis, int64_t tile, bool serpentine = false) {
    return NestLevel{axis, tile, serpentine};
  };
  double time = 80;
  for (int64_t tile : {1, 2, 4})
    for (bool back : {false, true}) {
      std::vector<NestLevel> levels{at(0, 1), at(1, 1, back)};
      if (tile > 1)
        levels.insert(levels.begin(), at(1, 8 * tile));
      tried.push_back({textOf(levels), {}, time++});
    }
  std::string text = textOf({at(0, 4), at(1, 1), at(0, 1)});
  tried.push_back({text, {}, time});
  std::optional<LoopNest> seed =
      recogniseNest(llvm::cantFail(Formula::parse(text)), environment);
  ASSERT_TRUE(seed);
  unsigned count = 0;
  for (const NearOrder &order : propose(16)) {
    std::optional<LoopNest> nest = recogniseNest(
        llvm::cantFail(Formula::parse(order.formula)), environment);
    count += nest && loopsOf(*nest) == loopsOf(*seed);
  }
  EXPECT_GE(count, 1u);
}

TEST_F(NearOrdersTest, OneWorkgroupHasNoOrders) {
  model.grid = Grid{1, 1, 1};
  environment.grid = model.grid;
  EXPECT_TRUE(propose(8).empty());
}

} // namespace
