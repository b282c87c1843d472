//===- PlannerTest.cpp - What the planner finds ---------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plans for kernels without names, judged by the traffic of the outcome against
// that of the order an expert would write, and by the reason where nothing is
// changed.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Planner/Planner.h"
#include "../Simulation/Models.h"
#include "swizzle/Formula/Nest.h"
#include "swizzle/Formula/Proof.h"
#include "swizzle/Hardware/Database.h"

#include "gtest/gtest.h"

using namespace swizzle;
using namespace swizzle::models;

namespace {

HardwareSpec chip(const char *name) { return llvm::cantFail(findChip(name)); }

/// Behind the L2s: what the last-level cache, or DRAM, is asked for.
double behindL2(const Metrics &metrics) {
  return metrics.llcBytes > 0 ? metrics.llcBytes
                              : metrics.dramReadBytes + metrics.dramWriteBytes;
}
double dram(const Metrics &metrics) {
  return metrics.dramReadBytes + metrics.dramWriteBytes;
}

Plan planFor(const KernelModel &model, const HardwareSpec &hardware) {
  EXPECT_EQ(verify(model), "");
  Plan result = llvm::cantFail(plan(model, hardware));
  if (!result.formula)
    return result;
  // What is proposed is legal on the grid, and on every grid if it is a nest.
  Environment environment;
  environment.grid = model.grid;
  environment.hardware = hardware.formulaConstants();
  Verdict verdict = prove(*result.formula, environment);
  EXPECT_TRUE(verdict.legal()) << result.formula->print();
  return result;
}

/// Full simulation of the plan's formula, or of the kernel as it is.
Metrics simulated(const KernelModel &model, const HardwareSpec &hardware,
                  const Plan &plan) {
  std::vector<uint32_t> order;
  if (plan.formula) {
    Environment environment;
    environment.grid = model.grid;
    environment.hardware = hardware.formulaConstants();
    order.resize(model.grid.count());
    llvm::cantFail(
        llvm::cantFail(BoundFormula::bind(*plan.formula, environment))
            .evaluate(0, llvm::MutableArrayRef<uint32_t>(order)));
  }
  return llvm::cantFail(simulate(model, hardware, order));
}

/// The order that `nest` gives.
Metrics simulated(const KernelModel &model, const HardwareSpec &hardware,
                  Deal deal, std::vector<NestLevel> levels, int64_t chunk = 1) {
  LoopNest nest;
  nest.deal = deal;
  nest.chunk = chunk;
  nest.levels = std::move(levels);
  EXPECT_EQ(nest.verify(), "");
  std::vector<uint32_t> order;
  for (int64_t i = 0; i < model.grid.count(); ++i)
    order.push_back(
        linearise(nest.evaluate(i, model.grid, hardware.numDies), model.grid));
  return llvm::cantFail(simulate(model, hardware, order));
}

Statement read(uint32_t buffer, AffineForm address, int64_t bytes) {
  return {makeAccess(buffer, AccessKind::Read, std::move(address), bytes)};
}
Statement write(uint32_t buffer, AffineForm address, int64_t bytes) {
  return {makeAccess(buffer, AccessKind::Write, std::move(address), bytes)};
}

TEST(PlannerTest, MatrixProductsAreWalkedInGroups) {
  for (const char *name : {"h200"}) {
    HardwareSpec hardware = chip(name);
    KernelModel model = gemmFp16(2048, 16384, 2048);
    Plan result = planFor(model, hardware);
    ASSERT_TRUE(result.formula) << name << ": " << result.reason;
    Metrics expert = simulated(
        model, hardware, hardware.numDies > 1 ? Deal::Contiguous : Deal::None,
        {{2, 1}, {1, 8}, {0, 1}, {1, 1}});
    EXPECT_LE(behindL2(simulated(model, hardware, result)),
              1.02 * behindL2(expert))
        << name << ": " << result.description;
  }
}

TEST(PlannerTest, HalosStayOnOneDie) {
  HardwareSpec hardware = chip("mi300x");
  KernelModel model = star2d(2048, 2048, 1, 32, 8);
  Plan result = planFor(model, hardware);
  ASSERT_TRUE(result.formula) << result.reason;
  Metrics expert =
      simulated(model, hardware, Deal::Contiguous, {{2, 1}, {1, 1}, {0, 1}});
  EXPECT_LE(behindL2(simulated(model, hardware, result)),
            1.02 * behindL2(expert))
      << result.description;
}

TEST(PlannerTest, VolumesAreWalkedInBands) {
  HardwareSpec hardware = chip("h200");
  KernelModel model = star3d(1024, 1024, 64, 4);
  Metrics before = llvm::cantFail(simulate(model, hardware, {}));
  Plan result = planFor(model, hardware);
  ASSERT_TRUE(result.formula) << result.reason;
  EXPECT_LE(dram(simulated(model, hardware, result)), 0.7 * dram(before))
      << result.description;
}

TEST(PlannerTest, HalfLinesOfATransposeMeetOnOneDie) {
  HardwareSpec hardware = chip("mi300x");
  KernelModel model = transposeTiled(2048, 16, 8);
  Plan result = planFor(model, hardware);
  ASSERT_TRUE(result.formula) << result.reason;
  Metrics before = llvm::cantFail(simulate(model, hardware, {}));
  EXPECT_LE(behindL2(simulated(model, hardware, result)),
            0.7 * behindL2(before))
      << result.description;
}

/// Rows split over workgroups (x: parts of a row, y: rows): each reads the
/// whole row, then writes its own part.
KernelModel splitRows(int64_t parts, int64_t rows, int64_t columns) {
  KernelModel model = KernelModel::create(Grid(parts, rows), Grid(256));
  uint32_t in = addBuffer(model, "in", rows * columns * 4, 4);
  uint32_t out = addBuffer(model, "out", rows * columns * 4, 4);
  VariableId i = model.addLoopCounter("i"), j = model.addLoopCounter("j");
  Loop whole{i, {makeConstant(columns / 1024)}, {}};
  whole.body = {read(in, y(columns * 4) + makeVariable(i, 4096) + tx(16), 16)};
  Loop own{j, {makeConstant(columns / parts / 1024)}, {}};
  AffineForm part =
      y(columns * 4) + x(columns / parts * 4) + makeVariable(j, 4096) + tx(16);
  own.body = {read(in, part, 16), write(out, part, 16)};
  model.body = {Statement{whole}, Statement{own}};
  return model;
}

TEST(PlannerTest, PartsOfARowStayOnOneDie) {
  HardwareSpec hardware = chip("mi300x");
  KernelModel model = splitRows(8, 1024, 32768);
  Plan result = planFor(model, hardware);
  ASSERT_TRUE(result.formula) << result.reason;
  Metrics expert =
      simulated(model, hardware, Deal::Contiguous, {{2, 1}, {1, 1}, {0, 1}});
  EXPECT_LE(behindL2(simulated(model, hardware, result)),
            1.02 * behindL2(expert))
      << result.description;
}

/// x: blocks of queries, y: query heads, of which `group` read one key head.
KernelModel groupedHeads(int64_t blocks, int64_t heads, int64_t group,
                         int64_t keyBytes) {
  KernelModel model = KernelModel::create(Grid(blocks, heads), Grid(256));
  uint32_t q = addBuffer(model, "a", heads * blocks * 16384, 2);
  uint32_t k = addBuffer(model, "b", heads / group * keyBytes, 2);
  VariableId head = model.addQuotient(y(), group);
  VariableId i = model.addLoopCounter("i");
  Loop loop{i, {makeConstant(keyBytes / 4096)}, {}};
  loop.body = {read(
      k, makeVariable(head, keyBytes) + makeVariable(i, 4096) + tx(16), 16)};
  model.body = {read(q, y(blocks * 16384) + x(16384) + tx(64), 64),
                Statement{loop}};
  return model;
}

TEST(PlannerTest, HeadsThatShareKeysStayOnOneDie) {
  HardwareSpec hardware = chip("mi300x");
  KernelModel model = groupedHeads(16, 64, 8, 1 << 20);
  Plan result = planFor(model, hardware);
  ASSERT_TRUE(result.formula) << result.reason;
  Metrics expert =
      simulated(model, hardware, Deal::Contiguous, {{2, 1}, {1, 1}, {0, 1}});
  EXPECT_LE(behindL2(simulated(model, hardware, result)),
            1.02 * behindL2(expert))
      << result.description;
}

TEST(PlannerTest, NothingIsProposedWithoutReuse) {
  for (const char *name : {"mi300x", "h200"}) {
    Plan result = planFor(elementwise(1 << 22, 5, 4, 1), chip(name));
    EXPECT_FALSE(result.formula);
    EXPECT_EQ(result.reasonCode, "no-reuse");
    EXPECT_TRUE(result.candidates.empty());
    EXPECT_GT(result.before.timeUs, 0);
  }
}

TEST(PlannerTest, ReasonsForLeavingAKernelAlone) {
  HardwareSpec hardware = chip("mi300x");
  KernelModel nothing = KernelModel::create(Grid(64), Grid(64));
  EXPECT_EQ(planFor(nothing, hardware).reasonCode, "nothing-modelled");
  EXPECT_EQ(planFor(gemmFp16(128, 128, 256), hardware).reasonCode,
            "single-workgroup");
  // Arithmetic only, beside a table that all read.
  KernelModel busy = KernelModel::create(Grid(4096), Grid(256));
  uint32_t table = addBuffer(busy, "table", 4096, 4);
  Compute compute;
  compute.flops = 1e6;
  busy.body = {read(table, tx(4), 4), Statement{compute}};
  Plan result = planFor(busy, hardware);
  EXPECT_EQ(result.reasonCode, "not-memory-bound");
  EXPECT_FALSE(result.reason.empty());
}

TEST(PlannerTest, AnyNumberOfDies) {
  for (int64_t dies : {3, 6, 7}) {
    HardwareSpec hardware = chip("mi300x");
    hardware.numDies = dies;
    hardware.unitsPerDie = 20 + dies;
    hardware.name = "unheard-of";
    KernelModel model = star2d(2048, 2048, 1, 32, 8);
    Plan result = planFor(model, hardware);
    ASSERT_TRUE(result.formula) << dies << " dies: " << result.reason;
    Metrics before = llvm::cantFail(simulate(model, hardware, {}));
    EXPECT_LT(behindL2(simulated(model, hardware, result)),
              0.8 * behindL2(before))
        << dies << " dies: " << result.description;
  }
}

TEST(PlannerTest, SameInputSamePlan) {
  HardwareSpec hardware = chip("mi300x");
  KernelModel model = star2d(2048, 2048, 1, 32, 8);
  Plan first = planFor(model, hardware), second = planFor(model, hardware);
  ASSERT_TRUE(first.formula && second.formula);
  EXPECT_EQ(first.formula->print(), second.formula->print());
  ASSERT_EQ(first.candidates.size(), second.candidates.size());
  for (size_t i = 0; i < first.candidates.size(); ++i) {
    EXPECT_EQ(first.candidates[i].formula, second.candidates[i].formula);
    EXPECT_EQ(first.candidates[i].metrics.timeUs,
              second.candidates[i].metrics.timeUs);
  }
}

TEST(PlannerTest, UnknownGridsGetNestsOnly) {
  HardwareSpec hardware = chip("mi300x");
  KernelModel model = star2d(2048, 2048, 1, 32, 8);
  model.gridKnown = {false, false, true};
  Plan result = planFor(model, hardware);
  ASSERT_TRUE(result.formula) << result.reason;
  for (const Candidate &candidate : result.candidates)
    EXPECT_EQ(candidate.formula.find("hilbert"), std::string::npos);
  EXPECT_EQ(result.description.find("curve"), std::string::npos);
}

} // namespace
