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
#include "Kernels.h"
#include "swizzle/Formula/Orders/Nest.h"
#include "swizzle/Formula/Proof/Proof.h"
#include "swizzle/Hardware/Database.h"
#include "swizzle/Kernel/Reuse.h"
#include "swizzle/Metrics/Metrics.h"

#include "gtest/gtest.h"

#include <cmath>
#include <numeric>

using namespace swizzle;
using namespace swizzle::models;

namespace {

HardwareSpec chip(const char *name) { return llvm::cantFail(findChip(name)); }

/// Behind the L2s: what the last-level cache, or DRAM, is asked for.
double behindL2(const Metrics &metrics) {
  return metrics.bytes("llc") > 0
             ? double(metrics.bytes("llc"))
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

/// The tile of each workgroup by `formula`.
std::vector<uint32_t> orderOf(const Formula &formula, const KernelModel &model,
                              const HardwareSpec &hardware) {
  Environment environment;
  environment.grid = model.grid;
  environment.hardware = hardware.formulaConstants();
  std::vector<uint32_t> order(model.grid.count());
  llvm::cantFail(llvm::cantFail(BoundFormula::bind(formula, environment))
                     .evaluate(0, llvm::MutableArrayRef<uint32_t>(order)));
  return order;
}

/// Simulation of the plan's formula, or of the kernel as it is: in full detail,
/// unless told otherwise.
Metrics simulated(const KernelModel &model, const HardwareSpec &hardware,
                  const Plan &plan, const SimulationOptions &options = {}) {
  std::vector<uint32_t> order;
  if (plan.formula)
    order = orderOf(*plan.formula, model, hardware);
  return llvm::cantFail(simulate(model, hardware, order, options));
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

/// A chip that nobody has seen, like `name` but with this many dies.
HardwareSpec withDies(const char *name, int64_t dies) {
  HardwareSpec hardware = chip(name);
  hardware.numDies = dies;
  hardware.unitsPerDie = 20 + dies;
  hardware.name = "unheard-of";
  return hardware;
}

/// Chips on which orders are looked for, known and not.
std::vector<HardwareSpec> severalChips() {
  return {chip("mi300x"), withDies("mi300x", 3), withDies("mi300x", 7)};
}

TEST(PlannerTest, MatrixProductsAreWalkedInGroups) {
  // Wide, so that rows of tiles are longer than what runs at a time; 61 columns
  // of tiles, so that no number of dies divides them.
  KernelModel model = gemmFp16(2048, 61 * 128, 1024);
  for (HardwareSpec hardware :
       {shrink(chip("h200"), 4), shrink(chip("mi300x"), 4),
        shrink(withDies("mi300x", 7), 4)}) {
    Plan result = planFor(model, hardware);
    ASSERT_TRUE(result.formula)
        << hardware.name << " " << hardware.numDies << ": " << result.reason;
    Metrics expert = simulated(
        model, hardware, hardware.numDies > 1 ? Deal::Contiguous : Deal::None,
        {{2, 1}, {1, 8}, {0, 1}, {1, 1}});
    // Among orders alike in time it takes one with less DRAM traffic.
    Metrics found = simulated(model, hardware, result);
    double tied = found.dramBytes() < 0.98 * expert.dramBytes() ? 1.005 : 1.001;
    EXPECT_LE(found.timeUs, tied * expert.timeUs)
        << hardware.name << " " << hardware.numDies << ": "
        << result.description;
  }
}

/// What an expert would write where neighbours share: each die gets a
/// contiguous piece of the grid.
static void expectNoWorseThanChunks(const KernelModel &model,
                                    const HardwareSpec &hardware,
                                    const Plan &plan) {
  Metrics expert =
      simulated(model, hardware, Deal::Contiguous, {{2, 1}, {1, 1}, {0, 1}});
  Metrics found = simulated(model, hardware, plan);
  EXPECT_LE(found.timeUs, 1.001 * expert.timeUs)
      << hardware.numDies << " dies: " << plan.description;
  EXPECT_LE(behindL2(found), 1.001 * behindL2(expert))
      << hardware.numDies << " dies: " << plan.description;
}

TEST(PlannerTest, HalosStayOnOneDie) {
  for (const HardwareSpec &hardware : severalChips()) {
    KernelModel model = star2d(1024, 2048, 1, 32, 8);
    Plan result = planFor(model, hardware);
    ASSERT_TRUE(result.formula) << result.reason;
    expectNoWorseThanChunks(model, hardware, result);
  }
}

TEST(PlannerTest, VolumesAreWalkedInBands) {
  // Planes that do not fit the caches, bands of them that do.
  KernelModel model = star3d(256, 256, 32, 4);
  for (const HardwareSpec &hardware :
       {shrink(chip("h200"), 128), shrink(chip("mi300x"), 128),
        shrink(withDies("mi300x", 3), 128)}) {
    Metrics before = llvm::cantFail(simulate(model, hardware, {}));
    Plan result = planFor(model, hardware);
    ASSERT_TRUE(result.formula) << hardware.name << ": " << result.reason;
    Metrics after = simulated(model, hardware, result);
    EXPECT_LE(dram(after), 0.6 * dram(before))
        << hardware.name << ": " << result.description;
    EXPECT_LT(after.timeUs, 0.8 * before.timeUs)
        << hardware.name << ": " << result.description;
  }
}

TEST(PlannerTest, HalfLinesOfATransposeMeetOnOneDie) {
  for (const HardwareSpec &hardware : severalChips()) {
    KernelModel model = transposeTiled(2048, 16, 8);
    Plan result = planFor(model, hardware);
    ASSERT_TRUE(result.formula) << result.reason;
    Metrics before = llvm::cantFail(simulate(model, hardware, {}));
    EXPECT_LE(behindL2(simulated(model, hardware, result)),
              0.7 * behindL2(before))
        << result.description;
  }
}

TEST(PlannerTest, PartsOfARowStayOnOneDie) {
  for (const HardwareSpec &hardware : severalChips()) {
    KernelModel model = splitRows(8, 1024, 32768);
    Plan result = planFor(model, hardware);
    ASSERT_TRUE(result.formula) << result.reason;
    expectNoWorseThanChunks(model, hardware, result);
  }
}

TEST(PlannerTest, HeadsThatShareKeysStayOnOneDie) {
  for (const HardwareSpec &hardware : severalChips()) {
    KernelModel model = groupedHeads(16, 64, 8, 1 << 20);
    Plan result = planFor(model, hardware);
    ASSERT_TRUE(result.formula) << result.reason;
    expectNoWorseThanChunks(model, hardware, result);
  }
}

/// Who shares a row is not found among so many; a slice of columns fits.
TEST(PlannerTest, PlainOrdersAreTriedWhereNumbersLeadAnywhere) {
  HardwareSpec hardware = chip("mi300x");
  KernelModel model = sparseProduct(16384, 4096);
  SimulationOptions sampled;
  sampled.sampleShift = 5;
  Plan columns;
  columns.formula =
      llvm::cantFail(Formula::parse("i = y * gx + x\nreturn i // gy, i % gy"));
  EXPECT_LE(
      behindL2(simulated(model, hardware, planFor(model, hardware), sampled)),
      1.02 * behindL2(simulated(model, hardware, columns, sampled)));
}

/// Edges that are sorted by where they lead share sums as they are launched.
TEST(PlannerTest, NumbersFromMemoryMayBeSorted) {
  Plan result = planFor(edgeSums(32768, 4096), chip("mi300x"));
  EXPECT_FALSE(result.formula);
  EXPECT_NE(result.reason.find("where they are sorted"), std::string::npos)
      << result.reason;
}

TEST(PlannerTest, WhatFiguresLeaveOutIsNamed) {
  KernelModel model = groupedHeads(16, 64, 8, 1 << 20);
  NotModelled unseen;
  unseen.what = "llvm.load of arg9";
  unseen.reason = "index is loaded from memory";
  model.notModelled = {unseen, unseen, unseen};
  Plan result = planFor(model, chip("mi300x"));
  ASSERT_TRUE(result.formula) << result.reason;
  EXPECT_NE(
      result.reason.find("(simulated, without llvm.load of arg9 and 2 more)"),
      std::string::npos)
      << result.reason;
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

/// Nobody shares a line of a transpose, but its writes may lie together.
TEST(PlannerTest, TransposesWriteWhatLiesTogether) {
  KernelModel model = transposeTiled(8192, 32, 8);
  Plan result = planFor(model, chip("h200"));
  ASSERT_TRUE(result.formula) << result.reason;
  EXPECT_GT(result.before.timeUs, 1.04 * result.after.timeUs);
  EXPECT_EQ(result.before.dramBytes(), result.after.dramBytes());
  // On an H100 it is less than is asked for where that is all there is to gain.
  Plan kept = planFor(model, chip("h100"));
  EXPECT_EQ(kept.reasonCode, "no-gain");
  EXPECT_NE(kept.reason.find("less than 5.0%"), std::string::npos)
      << kept.reason;
  // Of other chips nothing of the kind is known.
  EXPECT_EQ(planFor(model, chip("mi300x")).reasonCode, "no-reuse");
}

/// What an order costs does not depend on how long the axes are, but on what
/// divides them.
TEST(PlannerTest, PiecesThatDivideAreTaken) {
  Plan result = planFor(star3d(4096, 4096, 64, 1), chip("h200"));
  ASSERT_TRUE(result.formula) << result.reason;
  for (const Candidate &one : result.candidates)
    if (one.description.find('/') != std::string::npos)
      EXPECT_GT(one.cost, 0) << one.description;
}

/// The search sees few lines of few workgroups: pieces of a batched product
/// looked 8 % faster to it than columns, and were 1.5 times as slow on an H100.
TEST(PlannerTest, APlainerOrderIsNoFasterAtACloserLook) {
  for (int64_t registers : {40, 64, 128}) {
    KernelModel model = batchedVectors(14336, 11008, 32);
    model.registersPerThread = registers;
    Plan result = planFor(model, chip("h100"));
    ASSERT_TRUE(result.formula) << result.reason;
    const Candidate *taken = nullptr, *plain = nullptr;
    for (const Candidate &one : result.candidates)
      if (one.description == result.description)
        taken = &one;
    ASSERT_TRUE(taken);
    for (const Candidate &one : result.candidates)
      if (one.metrics.timeUs < 1.1 * taken->metrics.timeUs &&
          one.cost < (plain ? plain : taken)->cost)
        plain = &one;
    if (!plain)
      continue; // nothing is plainer
    Plan other = result;
    other.formula = llvm::cantFail(Formula::parse(plain->formula));
    SimulationOptions options = result.simulation;
    options.remapInstructions = double(plain->cost);
    EXPECT_GT(simulated(model, chip("h100"), other, options).timeUs,
              result.after.timeUs)
        << plain->description << " and " << result.description;
  }
}

// What nobody reads is not simulated; what is decided does not change by it.
TEST(PlannerTest, FiguresOfKeptKernelsAreLeftOut) {
  HardwareSpec hardware = chip("mi300x");
  PlannerOptions options;
  options.figuresOfKept = false;
  KernelModel alone = elementwise(1 << 22, 5, 4, 1);
  Plan closely = planFor(alone, hardware);
  Plan quickly = llvm::cantFail(plan(alone, hardware, options));
  EXPECT_EQ(quickly.reasonCode, closely.reasonCode);
  EXPECT_LT(quickly.work, 0.7 * closely.work);
  EXPECT_NEAR(quickly.before.timeUs, closely.before.timeUs,
              0.1 * closely.before.timeUs);
  KernelModel shared = star2d(2048, 2048, 1, 32, 8);
  closely = planFor(shared, hardware);
  quickly = llvm::cantFail(plan(shared, hardware, options));
  ASSERT_TRUE(closely.formula && quickly.formula);
  EXPECT_EQ(quickly.formula->print(), closely.formula->print());
  EXPECT_EQ(quickly.before.timeUs, closely.before.timeUs);
  EXPECT_EQ(quickly.after.timeUs, closely.after.timeUs);
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
  for (int64_t dies : {6}) {
    HardwareSpec hardware = withDies("mi300x", dies);
    KernelModel model = star2d(2048, 2048, 1, 32, 8);
    Plan result = planFor(model, hardware);
    ASSERT_TRUE(result.formula) << dies << " dies: " << result.reason;
    Metrics before = llvm::cantFail(simulate(model, hardware, {}));
    EXPECT_LT(behindL2(simulated(model, hardware, result)),
              0.8 * behindL2(before))
        << dies << " dies: " << result.description;
  }
}

// A launch of which the search sees a window is told of as a whole, by figures
// that anybody gets who simulates it so.
TEST(PlannerTest, WhatIsToldWasSeenOnTheWholeLaunch) {
  KernelModel model = gemmFp16(8192, 8192, 8192);
  Plan result = planFor(model, chip("h200"));
  ASSERT_TRUE(result.formula) << result.reason;
  EXPECT_EQ(result.simulation.prefix, 1.0);
  SimulationOptions options = result.simulation;
  Metrics before = llvm::cantFail(simulate(model, chip("h200"), {}, options));
  EXPECT_EQ(result.before.timeUs, before.timeUs);
  EXPECT_EQ(dram(result.before), dram(before));
  for (const Candidate &candidate : result.candidates)
    if (candidate.description == result.description)
      options.remapInstructions = double(candidate.cost);
  Metrics after = simulated(model, chip("h200"), result, options);
  EXPECT_EQ(result.after.timeUs, after.timeUs);
  EXPECT_EQ(dram(result.after), dram(after));
  EXPECT_LT(result.after.timeUs, before.timeUs);
}

TEST(PlannerTest, SampledSearchFindsWhatFullSearchFinds) {
  for (const NamedModel &kernel : smallKernels()) {
    if (kernel.model.grid.count() > 1024)
      continue; // for the benchmark: they take minutes in full detail
    PlannerOptions sampled;
    sampled.accessBudget = kernel.smallBudget;
    PlannerOptions full = sampled;
    full.full = true;
    for (const char *name : {"mi300x", "h200"}) {
      HardwareSpec hardware = shrink(chip(name), kernel.shrink);
      Plan coarse = llvm::cantFail(plan(kernel.model, hardware, sampled));
      Plan fine = llvm::cantFail(plan(kernel.model, hardware, full));
      ASSERT_EQ(coarse.formula.has_value(), fine.formula.has_value())
          << kernel.name << " on " << name;
      if (!coarse.formula)
        continue;
      // Others may be as good.
      double found = simulated(kernel.model, hardware, coarse).timeUs,
             best = simulated(kernel.model, hardware, fine).timeUs;
      EXPECT_LE(found, 1.01 * best)
          << kernel.name << " on " << name << ": " << coarse.description << ", "
          << fine.description;
    }
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

// Whoever asks for several orders gets no other words for the one he has.
TEST(PlannerTest, TheKernelsOwnOrderIsNoCandidate) {
  HardwareSpec hardware = chip("h200");
  size_t candidates = 0;
  for (const NamedModel &kernel : smallKernels()) {
    std::vector<uint32_t> unchanged(kernel.model.grid.count());
    std::iota(unchanged.begin(), unchanged.end(), 0u);
    for (const Candidate &candidate :
         planFor(kernel.model, hardware).candidates) {
      Formula formula = llvm::cantFail(Formula::parse(candidate.formula));
      EXPECT_NE(orderOf(formula, kernel.model, hardware), unchanged)
          << kernel.name << ": " << candidate.description;
      ++candidates;
    }
  }
  EXPECT_GT(candidates, 100u);
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

/// What is proposed for all grids is proved for all of them.
TEST(PlannerTest, UnknownGridsGetWhatIsProved) {
  HardwareSpec hardware = chip("mi300x");
  for (int64_t radius : {1, 4}) {
    KernelModel model = star3d(1024, 1024, 64, radius);
    model.gridKnown = {false, false, false};
    Plan result = planFor(model, hardware);
    ASSERT_TRUE(result.formula) << result.reason;
    Environment environment;
    environment.grid = Grid(kUnknownExtent, kUnknownExtent, kUnknownExtent);
    environment.hardware = hardware.formulaConstants();
    EXPECT_TRUE(prove(*result.formula, environment).legal())
        << result.description;
  }
}

Metrics boundBy(double launchUs, double rateUs) {
  Metrics metrics;
  metrics.roofline = {{readBound("launch"), launchUs, 1e6 * rateUs, 1e12},
                      {readBound("dram"), 30}};
  metrics.timeUs = std::hypot(launchUs, 30);
  return metrics;
}

/// Of starting workgroups, the rate stays; what they wait for meanwhile may
/// not.
TEST(PlannerTest, WaitsAreNotThereForever) {
  KernelModel model = gemmFp16(1024, 1024, 512);
  ReuseTable reuse = analyseReuse(model, 128);
  std::optional<BailOut> why =
      whyNoOrderHelps(model, reuse, boundBy(400, 400), 0.01);
  ASSERT_TRUE(why);
  EXPECT_EQ(why->code, "not-memory-bound");
  EXPECT_FALSE(whyNoOrderHelps(model, reuse, boundBy(400, 350), 0.01));
}

/// Where nothing is shared, whole blocks of memory may be what is to gain.
TEST(PlannerTest, ScatteredMemoryIsSomethingToGain) {
  KernelModel model = elementwise(1 << 20, 2, 4, 1);
  ReuseTable reuse = analyseReuse(model, 128);
  Metrics metrics = boundBy(0, 0);
  for (double scatterUs : {0.2, 1.2}) {
    metrics.scatterUs = scatterUs;
    metrics.timeUs = 30 + scatterUs;
    std::optional<BailOut> why = whyNoOrderHelps(model, reuse, metrics, 0.01);
    ASSERT_TRUE(why);
    EXPECT_EQ(why->code, "no-reuse");
  }
  metrics.scatterUs = 2;
  metrics.timeUs = 32;
  EXPECT_FALSE(whyNoOrderHelps(model, reuse, metrics, 0.01));
}

} // namespace
