//===- SearchSpaceTest.cpp - Tests of the orders that are searched --------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Planner/Orders/SearchSpace.h"
#include "../Simulation/Models.h"
#include "swizzle/Formula/Formula.h"
#include "swizzle/Formula/Proof/Proof.h"
#include "swizzle/Hardware/Database.h"
#include "swizzle/Planner/Planner.h"

#include "gtest/gtest.h"

using namespace swizzle;
using namespace swizzle::models;
using namespace swizzle::planner;

namespace {

/// Grids with primes, ones and pieces that do not divide, on some dies.
const std::pair<Grid, int64_t> kGrids[] = {
    {{5, 7, 1}, 1},  {{16, 16, 1}, 8}, {{8, 4, 3}, 1}, {{1, 13, 1}, 2},
    {{12, 1, 5}, 3}, {{33, 9, 2}, 4},  {{1, 1, 1}, 1}};

TEST(SearchSpace, BackwardsIsFromTheLastTileToTheFirst) {
  for (auto [grid, dies] : kGrids) {
    SCOPED_TRACE(testing::Message() << grid.x() << " x " << grid.y() << " x "
                                    << grid.z() << ", " << dies << " dies");
    SearchSpace space(grid, dies, true);
    Environment environment;
    environment.grid = grid;
    environment.hardware["num_xcds"] = dies;
    std::vector<planner::Order> orders = space.starts();
    for (const planner::Order &start : space.starts())
      for (const planner::Order &order : space.neighbours(start))
        orders.push_back(order);
    size_t step = std::max<size_t>(1, orders.size() / 60);
    for (size_t i = 0; i < orders.size(); i += step) {
      SCOPED_TRACE(orders[i].describe());
      planner::Order turned = SearchSpace::turned(orders[i]);
      EXPECT_EQ(turned.describe(), orders[i].describe() + "; backwards");
      EXPECT_NE(turned.shape(), orders[i].shape());
      auto count = grid.count();
      std::vector<uint32_t> there = space.tiles(orders[i], 0, count),
                            back = space.tiles(turned, 0, count), told(count);
      for (int64_t id = 0; id < count; ++id)
        EXPECT_EQ(back[id], count - 1 - there[id]);
      Formula formula = turned.toFormula(grid);
      llvm::cantFail(llvm::cantFail(BoundFormula::bind(formula, environment))
                         .evaluate(0, llvm::MutableArrayRef<uint32_t>(told)));
      EXPECT_EQ(told, back);
      EXPECT_TRUE(prove(formula, environment).legal());
      EXPECT_EQ(SearchSpace::turned(turned).describe(), orders[i].describe());
    }
  }
}

TEST(SearchSpace, NeighboursOfWhatGoesBackwardsDoSo) {
  SearchSpace space(Grid{16, 16, 1}, 1, true);
  planner::Order order{LoopNest::rowMajor()};
  for (const planner::Order &next :
       space.neighbours(SearchSpace::turned(order)))
    EXPECT_TRUE(next.backwards);
}

/// Workgroups of a row of the grid take longer and longer, as those of causal
/// attention do; all of a row share what they read.
KernelModel triangle() {
  KernelModel model = KernelModel::create({16, 48}, {256});
  model.name = "triangle";
  model.workgroupMemoryBytes = 160 << 10; // one a unit
  uint32_t in = addBuffer(model, "in", 48 * 16 * 65536, 4);
  Loop loop;
  loop.counter = model.addLoopCounter("k");
  loop.tripCounts = {x(1) + makeConstant(1)};
  for (int64_t at = 0; at < 65536; at += 4096)
    loop.body.push_back(
        {makeAccess(in, AccessKind::Read,
                    y(16 * 65536) + tx(16) + makeVariable(loop.counter, 65536) +
                        makeConstant(at),
                    16)});
  loop.body.push_back({Compute{2e4}});
  loop.body.push_back({Barrier()});
  model.body.push_back({loop});
  return model;
}

TEST(Planner, TheLongestWorkgroupsBegin) {
  llvm::Expected<Plan> found =
      plan(triangle(), llvm::cantFail(findChip("h200")));
  ASSERT_TRUE(bool(found));
  ASSERT_TRUE(found->formula) << found->reason;
  EXPECT_NE(found->description.find("backwards"), std::string::npos)
      << found->description;
  EXPECT_LT(found->before.busyUnits, 0.96);
  EXPECT_GT(found->after.busyUnits, found->before.busyUnits + 0.02);
}

} // namespace
