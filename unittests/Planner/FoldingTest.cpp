//===- FoldingTest.cpp - Rows that kernels cut themselves -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The oracle is the row itself: a folded workgroup touches what the one of the
// row does that it stands for, and an unfolded order moves it to where the
// folded one says.
//
//===----------------------------------------------------------------------===//

#include "../../lib/Planner/Orders/Folding.h"
#include "../../lib/Planner/Orders/SearchSpace.h"
#include "swizzle/Formula/Proof/Proof.h"
#include "swizzle/Hardware/Database.h"
#include "swizzle/Planner/Planner.h"
#include "swizzle/Simulation/Simulator.h"

#include "gtest/gtest.h"

using namespace swizzle;
using namespace swizzle::planner;

namespace {

/// One row of workgroups, of which each reads row pid / columns of `a` and
/// column pid % columns of `b`, 16 KiB of each. With `layers`, every so many
/// rows begin a new pair.
KernelModel cutRow(int64_t length, int64_t columns, int64_t layers = 0) {
  KernelModel model = KernelModel::create(Grid(length), Grid(256));
  AffineForm x = makeVariable(kWorkgroupIdX), t = makeVariable(kThreadIdX);
  AffineForm row = makeVariable(model.addQuotient(x, columns));
  AffineForm column = x - row * columns;
  if (layers)
    row = row + makeVariable(model.addQuotient(x, columns * layers)) * 1024;
  for (AffineForm at : {row, column}) {
    Buffer buffer;
    buffer.name = model.buffers.empty() ? "a" : "b";
    model.buffers.push_back(buffer);
    VariableId step = model.addLoopCounter("k");
    Access read;
    read.buffer = static_cast<uint32_t>(model.buffers.size() - 1);
    read.address = at * (1 << 16) + makeVariable(step) * 1024 + t * 4;
    Loop loop;
    loop.counter = step;
    loop.tripCounts = {makeConstant(16)};
    loop.body.push_back({read});
    model.body.push_back({std::move(loop)});
  }
  EXPECT_EQ(verify(model), "");
  return model;
}

/// The addresses that workgroup `id` starts from.
std::vector<int64_t> startsOf(const KernelModel &model, WorkgroupId id) {
  std::vector<int64_t> values(model.variables.size(), 0), starts;
  values[0] = id.x, values[1] = id.y, values[2] = id.z;
  evaluateDerived(model, values);
  for (const Statement &statement : model.body)
    starts.push_back(evaluate(
        std::get<Access>(std::get<Loop>(statement.node).body[0].node).address,
        values));
  return starts;
}

struct Case {
  int64_t length, columns, layers;
  Grid folded;
};
const Case kCases[] = {{35, 5, 0, {5, 7, 1}},      {64, 8, 0, {8, 8, 1}},
                       {127, 18, 0, {18, 7, 1}},   {60, 4, 3, {4, 3, 5}},
                       {1001, 13, 7, {13, 7, 11}}, {6, 3, 0, {3, 2, 1}}};

TEST(Folding, FoldedWorkgroupsTouchWhatTheirsInTheRowDo) {
  for (const Case &one : kCases) {
    SCOPED_TRACE(one.length);
    KernelModel model = cutRow(one.length, one.columns, one.layers);
    std::optional<Folding> folding = findFolding(model);
    ASSERT_TRUE(folding);
    EXPECT_EQ(folding->grid, one.folded);
    KernelModel folded = folding->fold(model);
    EXPECT_EQ(verify(folded), "");
    for (int64_t id = 0; id < folding->grid.count(); ++id)
      EXPECT_EQ(startsOf(folded, delinearise(id, folding->grid)),
                startsOf(model, {id, 0, 0}));
  }
}

TEST(Folding, UnfoldedOrdersMoveWhatTheFoldedOnesDo) {
  for (const Case &one : kCases)
    for (int64_t dies : {1, 3}) {
      SCOPED_TRACE(testing::Message() << one.length << ", " << dies << " dies");
      Folding folding =
          *findFolding(cutRow(one.length, one.columns, one.layers));
      SearchSpace space(folding.grid, dies, true);
      std::vector<planner::Order> orders = space.starts();
      for (const planner::Order &start : space.starts())
        orders.push_back(SearchSpace::turned(start));
      Environment environment;
      environment.grid = Grid(one.length);
      environment.hardware["num_xcds"] = dies;
      for (const planner::Order &order : orders) {
        SCOPED_TRACE(order.describe());
        Formula formula = folding.unfold(order.toFormula(folding.grid));
        EXPECT_TRUE(prove(formula, environment).legal()) << formula.print();
        std::vector<uint32_t> there =
                                  space.tiles(order, 0, folding.grid.count()),
                              moved(one.length);
        llvm::cantFail(
            llvm::cantFail(BoundFormula::bind(formula, environment))
                .evaluate(0, llvm::MutableArrayRef<uint32_t>(moved)));
        for (int64_t id = 0; id < one.length; ++id)
          EXPECT_EQ(moved[id], id < folding.grid.count() ? there[id] : id);
      }
    }
}

TEST(Folding, RowsThatAreNotCutStay) {
  EXPECT_FALSE(findFolding(KernelModel::create(Grid(64), Grid(64))));
  EXPECT_FALSE(findFolding(cutRow(100, 64))) << "a third would be left out";
  KernelModel open = cutRow(64, 8);
  open.gridKnown[0] = false;
  EXPECT_FALSE(findFolding(open));
  KernelModel rows = cutRow(64, 8);
  rows.grid = Grid(64, 2);
  EXPECT_FALSE(findFolding(rows));
}

TEST(Folding, SharedRowsAreFound) {
  HardwareSpec chip = llvm::cantFail(findChip("h200"));
  // A row reads all of `b`, 67 MB, before the next one does.
  KernelModel model = cutRow(4096 * 6, 4096);
  Plan found = llvm::cantFail(plan(model, chip));
  ASSERT_TRUE(found.formula) << found.reason;
  EXPECT_LT(found.after.dramReadBytes, 0.3 * found.before.dramReadBytes);
  Environment environment;
  environment.grid = model.grid;
  EXPECT_TRUE(prove(*found.formula, environment).legal());
}

TEST(Folding, WhatIsToldIsOfTheWholeRow) {
  HardwareSpec chip = llvm::cantFail(findChip("h200"));
  // The last 600 workgroups are no full row.
  KernelModel model = cutRow(4096 * 3 + 600, 4096);
  Plan found = llvm::cantFail(plan(model, chip));
  ASSERT_TRUE(found.formula) << found.reason;
  Metrics before = llvm::cantFail(simulate(model, chip, {}));
  EXPECT_DOUBLE_EQ(found.before.lineAccesses, before.lineAccesses);
  EXPECT_NEAR(found.before.dramReadBytes / before.dramReadBytes, 1, 0.01);

  // The formula itself, simulated, does what is told of it.
  Environment environment;
  environment.grid = model.grid;
  std::vector<uint32_t> tiles;
  ASSERT_TRUE(prove(*found.formula, environment, {}, tiles).legal());
  Metrics after = llvm::cantFail(simulate(model, chip, tiles));
  EXPECT_DOUBLE_EQ(found.after.lineAccesses, after.lineAccesses);
  EXPECT_NEAR(found.after.dramReadBytes / after.dramReadBytes, 1, 0.02);
}

} // namespace
