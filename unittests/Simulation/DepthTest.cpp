//===- DepthTest.cpp - A part of the steps against all of them ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Full detail is the oracle: what is extrapolated from a part of the steps has
// to lie within its stated error of that, on kernels small enough to run whole.
// Budgets are held in work units, so these tests do not depend on a machine.
//
//===----------------------------------------------------------------------===//

#include "Models.h"
#include "swizzle/Hardware/Database.h"
#include "swizzle/Simulation/Simulator.h"
#include "swizzle/Simulation/WorkUnits.h"

#include "llvm/Support/Compiler.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <numeric>

using namespace swizzle;
using namespace swizzle::models;

namespace {

struct Deep {
  const char *name;
  KernelModel model;
};

Statement loop(VariableId counter, int64_t trips, std::vector<Statement> body) {
  return {Loop{counter, {makeConstant(trips)}, std::move(body)}};
}

/// Each workgroup of `count` reads rows of its own and one that all share, in
/// `outer` times `inner` iterations, and writes once.
KernelModel sharedRows(int64_t count, int64_t outer, int64_t inner) {
  KernelModel model = KernelModel::create({count, 1, 1}, {64, 1, 1});
  model.name = "shared_rows";
  VariableId i = model.addLoopCounter("i"), j = model.addLoopCounter("j");
  uint32_t own = addBuffer(model, "own", count * outer * inner * 256, 4);
  uint32_t all = addBuffer(model, "all", outer * inner * 256, 4);
  uint32_t out = addBuffer(model, "out", count * 256, 4);
  AffineForm at = makeVariable(i, inner * 256) + makeVariable(j, 256) + tx(4);
  AffineForm mine = at + x(outer * inner * 256);
  model.body.push_back(
      loop(i, outer,
           {loop(j, inner,
                 {{makeAccess(own, AccessKind::Read, mine, 4)},
                  {makeAccess(all, AccessKind::Read, at, 4)}})}));
  model.body.push_back({makeAccess(out, AccessKind::Write, x(256) + tx(4), 4)});
  return model;
}

/// The same rows are read again and again.
KernelModel rereadRows(int64_t count, int64_t times, int64_t rows) {
  KernelModel model = KernelModel::create({count, 1, 1}, {64, 1, 1});
  model.name = "reread_rows";
  VariableId i = model.addLoopCounter("i"), j = model.addLoopCounter("j");
  uint32_t own = addBuffer(model, "own", count * rows * 256, 4);
  AffineForm at = x(rows * 256) + makeVariable(j, 256) + tx(4);
  model.body.push_back(loop(
      i, times, {loop(j, rows, {{makeAccess(own, AccessKind::Read, at, 4)}})}));
  return model;
}

/// Two loops, one after the other: the second writes what the first read.
KernelModel twoPhases(int64_t count, int64_t rows) {
  KernelModel model = KernelModel::create({count, 1, 1}, {64, 1, 1});
  model.name = "two_phases";
  VariableId i = model.addLoopCounter("i"), j = model.addLoopCounter("j");
  uint32_t in = addBuffer(model, "in", count * rows * 256, 4);
  uint32_t out = addBuffer(model, "out", count * rows * 256, 4);
  auto at = [&](VariableId k) {
    return x(rows * 256) + makeVariable(k, 256) + tx(4);
  };
  model.body.push_back(
      loop(i, rows, {{makeAccess(in, AccessKind::Read, at(i), 4)}}));
  model.body.push_back(
      loop(j, rows, {{makeAccess(out, AccessKind::Write, at(j), 4)}}));
  return model;
}

/// Workgroup x makes x + 1 iterations.
KernelModel triangle(int64_t count) {
  KernelModel model = KernelModel::create({count, 1, 1}, {64, 1, 1});
  model.name = "triangle";
  VariableId i = model.addLoopCounter("i");
  uint32_t in = addBuffer(model, "in", count * count * 256, 4);
  AffineForm at = x(count * 256) + makeVariable(i, 256) + tx(4);
  model.body.push_back({Loop{i,
                             {x() + makeConstant(1)},
                             {{makeAccess(in, AccessKind::Read, at, 4)}}}});
  return model;
}

/// A grid of which one column of workgroups in 16 has work: each reads rows of
/// its own and one that all share. The workgroups in the middle have none.
KernelModel mostlyIdle(int64_t width, int64_t height, int64_t rows) {
  KernelModel model = KernelModel::create({width, height, 1}, {64, 1, 1});
  model.name = "mostly_idle";
  VariableId i = model.addLoopCounter("i");
  int64_t busy = width / 16;
  uint32_t own = addBuffer(model, "own", busy * height * rows * 256, 4);
  uint32_t all = addBuffer(model, "all", rows * 256, 4);
  AffineForm at = makeVariable(i, 256) + tx(4);
  AffineForm mine = at + (x() + y(busy) + makeConstant(-busy)) * (rows * 256);
  Guard guard{{atLeastZero(x() - makeConstant(busy)),
               atLeastZero(makeConstant(2 * busy - 1) - x())},
              {},
              {}};
  guard.body.push_back(loop(i, rows,
                            {{makeAccess(own, AccessKind::Read, mine, 4)},
                             {makeAccess(all, AccessKind::Read, at, 4)}}));
  model.body.push_back({guard});
  return model;
}

/// One iteration in 8 reads a line; in the others, the two conditions hold for
/// different threads.
KernelModel mostlyEmpty(int64_t count, int64_t rows) {
  KernelModel model = KernelModel::create({count, 1, 1}, {64, 1, 1});
  model.name = "mostly_empty";
  VariableId i = model.addLoopCounter("i");
  uint32_t in = addBuffer(model, "in", count * rows * 256, 4);
  AffineForm eighth = makeVariable(model.addQuotient(makeVariable(i), 8));
  AffineForm turn = makeVariable(i) - eighth * 8;
  AffineForm at = x(rows * 256) + makeVariable(i, 256) + tx(4);
  Guard guard{{atLeastZero(tx() - makeConstant(56)),
               atLeastZero(makeConstant(62) - tx() - turn * 7)},
              {{makeAccess(in, AccessKind::Read, at, 4)}},
              {}};
  model.body.push_back(loop(i, rows, {{guard}}));
  return model;
}

/// A convolution as a naive lowering leaves it: few threads, many steps, and
/// loops within loops of which none is much longer than the others.
KernelModel convolution(int64_t rows, int64_t images, int64_t filters) {
  KernelModel model = KernelModel::create({14, rows, images}, {4, 1, 1});
  model.name = "convolution";
  uint32_t in = addBuffer(model, "in", images * (rows + 2) * 58 * 256, 4);
  uint32_t filter = addBuffer(model, "filter", 9 * 64 * filters * 4, 4);
  uint32_t out = addBuffer(model, "out", images * rows * 56 * filters * 4, 4);
  VariableId o = model.addLoopCounter("o"), h = model.addLoopCounter("h"),
             w = model.addLoopCounter("w"), c = model.addLoopCounter("c");
  auto v = [](VariableId id, int64_t by) { return makeVariable(id, by); };
  AffineForm pixel = z((rows + 2) * 58 * 256) + y(58 * 256) + x(4 * 256) +
                     tx(256) + v(h, 58 * 256) + v(w, 256) + v(c, 4);
  AffineForm weight = v(h, 3 * 64 * filters * 4) + v(w, 64 * filters * 4) +
                      v(c, filters * 4) + v(o, 4);
  AffineForm result = z(rows * 56 * filters * 4) + y(56 * filters * 4) +
                      x(4 * filters * 4) + tx(filters * 4) + v(o, 4);
  Statement taps =
      loop(h, 3,
           {loop(w, 3,
                 {loop(c, 64,
                       {{makeAccess(in, AccessKind::Read, pixel, 4)},
                        {makeAccess(filter, AccessKind::Read, weight, 4)}})})});
  model.body.push_back(loop(o, filters,
                            {{makeAccess(out, AccessKind::Read, result, 4)},
                             taps,
                             {makeAccess(out, AccessKind::Write, result, 4)}}));
  return model;
}

std::vector<Deep> deepKernels() {
  return {{"shared_rows", sharedRows(512, 16, 64)},
          {"shared_rows_flat", sharedRows(512, 2, 512)},
          {"reread_rows", rereadRows(512, 64, 16)},
          {"two_phases", twoPhases(512, 512)},
          {"triangle", triangle(1024)},
          {"mostly_idle", mostlyIdle(256, 32, 512)},
          {"convolution", convolution(28, 4, 16)},
          {"gemm", gemmFp16(1024, 1024, 16384)},
          {"gemm_naive", gemmNaive(512, 16, 16)}};
}

class Depth : public testing::TestWithParam<const char *> {};

TEST_P(Depth, IsWithinItsStatedError) {
  for (const Deep &deep : deepKernels()) {
    SCOPED_TRACE(deep.name);
    HardwareSpec chip = llvm::cantFail(findChip(GetParam()));
    // What is used again after many iterations is not seen: an eighth of the
    // steps has four times as many misses of the first level, and waits as much
    // longer, by 14 % of the time.
    if (deep.model.name == "convolution")
      chip.fitted["loaded_latency"] = 0;
    Simulator simulator(deep.model, chip);
    Metrics all = llvm::cantFail(simulator.run({}));
    EXPECT_FALSE(all.noise);
    double workOfAll = simulator.work();
    for (double share : {0.5, 0.125, 0.03125}) {
      SCOPED_TRACE(share);
      SimulationOptions options;
      options.depth = share;
      double before = simulator.work();
      Metrics part = llvm::cantFail(simulator.run({}, options));
      double work = simulator.work() - before;
      double error = part.dramBytes() / all.dramBytes() - 1;
      EXPECT_LE(std::abs(error), 2 * part.samplingError + 0.03)
          << "stated " << part.samplingError;
      ASSERT_TRUE(part.noise);
      EXPECT_LE(std::abs(part.timeUs / all.timeUs - 1), 2 * *part.noise + 0.03)
          << "stated " << *part.noise;
      // Where workgroups differ, some of them stand for all.
      double count = deep.model.name == "mostly_idle" ? 0.05 : 0.02;
      EXPECT_NEAR(part.steps / all.steps, 1, count);
      EXPECT_NEAR(part.lineAccesses / all.lineAccesses, 1, count);
      EXPECT_LE(work, (2 * share + 0.05) * workOfAll);
      if (testing::Test::HasFailure())
        return;
    }
  }
}

#if LLVM_ADDRESS_SANITIZER_BUILD // ten times as slow
INSTANTIATE_TEST_SUITE_P(Chips, Depth, testing::Values("mi300x"));
#else
INSTANTIATE_TEST_SUITE_P(Chips, Depth, testing::Values("mi300x", "h200"));
#endif

TEST(DepthTest, WorkIsBoundedWhateverTheKernel) {
  HardwareSpec chip = llvm::cantFail(findChip("h200"));
  for (const Deep &deep : deepKernels()) {
    SCOPED_TRACE(deep.name);
    Simulator simulator(deep.model, chip);
    Metrics all = llvm::cantFail(simulator.run({}));
    double workOfAll = simulator.work();
    SimulationOptions options;
    options.mostWork = workOfAll / 4;
    Metrics part = llvm::cantFail(simulator.run({}, options));
    // The round in which it ends is finished.
    EXPECT_LE(simulator.work() - workOfAll, options.mostWork * 1.3);
    EXPECT_NEAR(part.steps / all.steps, 1,
                deep.model.name == "mostly_idle" ? 0.05 : 0.02);
    // What comes last is not seen: what is written there may be missing.
    double error = 2 * part.samplingError + 0.05;
    EXPECT_GE(part.dramBytes(), (1 - error) * all.dramReadBytes);
    EXPECT_LE(part.dramBytes(), (1 + error) * all.dramBytes());
  }
}

/// To find that an access touches nothing takes as long as others do: a kernel
/// took minutes to plan of which 266 thousand accesses touch something, and 13
/// million do not.
TEST(DepthTest, AccessesThatTouchNothingAreWork) {
  HardwareSpec chip = llvm::cantFail(findChip("h200"));
  KernelModel model = mostlyEmpty(256, 1024);
  Simulator simulator(model, chip);
  Metrics metrics = llvm::cantFail(simulator.run({}));
  EXPECT_EQ(metrics.steps, 256 * 1024);
  EXPECT_EQ(simulator.stepsOfWorkgroup(), 1024);
  EXPECT_EQ(metrics.emptySteps, 256 * 1024 / 8 * 7);
  EXPECT_EQ(metrics.lineAccesses, 256 * 1024 / 8);
  double workOfAll = simulator.work();
  EXPECT_GE(workOfAll, WorkPrices::emptyStep * metrics.emptySteps);
  SimulationOptions options;
  options.mostWork = workOfAll / 4;
  Metrics part = llvm::cantFail(simulator.run({}, options));
  // With what a look at the rows of memory takes, which has a limit of its own.
  EXPECT_LE(simulator.work() - workOfAll, options.mostWork * 1.5);
  EXPECT_NEAR(part.steps / metrics.steps, 1, 0.02);
  EXPECT_NEAR(part.emptySteps / metrics.emptySteps, 1, 0.05);
}

/// One that ends before its rate is known says so, and counts all the same.
TEST(DepthTest, ARunThatEndsAtOnceKnowsNothing) {
  HardwareSpec chip = llvm::cantFail(findChip("h200"));
  KernelModel model = sharedRows(4096, 4, 64);
  Metrics all = llvm::cantFail(simulate(model, chip, {}));
  SimulationOptions options;
  options.mostWork = 2000;
  Metrics part = llvm::cantFail(simulate(model, chip, {}, options));
  EXPECT_EQ(all.samplingError, 0);
  EXPECT_GE(part.samplingError, 1);
  EXPECT_NEAR(part.lineAccesses / all.lineAccesses, 1, 0.02);
}

/// A part of a launch stands for it by the steps, whether the longer workgroups
/// are in it or the shorter ones, and if its steps are cut as well.
TEST(DepthTest, PartsOfUnevenLaunchesAreScaledByTheirSteps) {
  HardwareSpec chip = llvm::cantFail(findChip("h200"));
  KernelModel model = triangle(8192);
  Simulator simulator(model, chip);
  const double lines = 2.0 * 8192 * 8193 / 2;
  std::vector<uint32_t> upwards(8192), downwards(8192);
  std::iota(upwards.begin(), upwards.end(), 0);
  std::reverse_copy(upwards.begin(), upwards.end(), downwards.begin());
  for (double depth : {1.0, 0.25})
    for (const std::vector<uint32_t> *order : {&upwards, &downwards}) {
      SCOPED_TRACE(depth);
      SCOPED_TRACE(order->front());
      SimulationOptions options;
      options.prefix = 0.3;
      options.warmUp = 0.4;
      options.depth = depth;
      options.sampleShift = 4;
      Metrics part = llvm::cantFail(simulator.run(*order, options));
      EXPECT_NEAR(part.lineAccesses / lines, 1, depth < 1 ? 0.06 : 0.01);
      EXPECT_NEAR(part.dramReadBytes / (lines * 128), 1, 0.08);
    }
}

/// Each of eight dies is dealt workgroups of one length, from 1 to 8, as the
/// kernel is, and of all lengths where every eight are dealt one further.
TEST(DepthTest, DiesThatGetLongerWorkgroupsAreSeenInAPart) {
  HardwareSpec chip = llvm::cantFail(findChip("mi300x"));
  KernelModel model = KernelModel::create({65536, 1, 1}, {64, 1, 1});
  model.name = "eight_lengths";
  VariableId i = model.addLoopCounter("i");
  uint32_t in = addBuffer(model, "in", 65536 * 8 * 256, 4);
  AffineForm eight = makeVariable(model.addQuotient(x(), 8));
  AffineForm at = x(8 * 256) + makeVariable(i, 256) + tx(4);
  model.body.push_back({Loop{i,
                             {x() - eight * 8 + makeConstant(1)},
                             {{makeAccess(in, AccessKind::Read, at, 4)}}}});
  Simulator simulator(model, chip);
  std::vector<uint32_t> dealt(65536);
  for (uint32_t id = 0; id < dealt.size(); ++id)
    dealt[id] = id / 8 * 8 + (id + id / 8) % 8;
  SimulationOptions options;
  options.prefix = 0.5;
  options.sampleShift = 4;
  Metrics before = llvm::cantFail(simulator.run({}, options));
  Metrics after = llvm::cantFail(simulator.run(dealt, options));
  EXPECT_NEAR(before.busyUnits, 4.5 / 8, 0.03);
  EXPECT_NEAR(after.busyUnits, 1, 0.03);
}

TEST(DepthTest, BillionStepsAreCountedNotMade) {
  HardwareSpec chip = llvm::cantFail(findChip("mi300x"));
  KernelModel model = sharedRows(1, 1000, 1000000);
  Simulator simulator(model, chip);
  EXPECT_EQ(simulator.stepsOfWorkgroup(), 2e9 + 1);
  SimulationOptions options;
  options.depth = 1e-5;
  Metrics metrics = llvm::cantFail(simulator.run({}, options));
  EXPECT_LE(simulator.work(), 1e6);
  EXPECT_NEAR(metrics.steps / 2e9, 1, 0.01);
  EXPECT_NEAR(metrics.dramReadBytes / (2 * 256e9), 1, 0.02);
}

TEST(DepthTest, SameInputSameFigures) {
  HardwareSpec chip = llvm::cantFail(findChip("mi300x"));
  KernelModel model = sharedRows(512, 16, 64);
  SimulationOptions options;
  options.depth = 0.1;
  Metrics one = llvm::cantFail(simulate(model, chip, {}, options));
  Simulator simulator(model, chip);
  (void)llvm::cantFail(simulator.run({}));
  Metrics other = llvm::cantFail(simulator.run({}, options));
  EXPECT_EQ(one.dramReadBytes, other.dramReadBytes);
  EXPECT_EQ(one.timeUs, other.timeUs);
  EXPECT_EQ(one.samplingError, other.samplingError);
}

/// A number of a table for each thread, whose last few are left out by the last
/// workgroup of a row.
KernelModel gathered(int64_t count) {
  KernelModel model = KernelModel::create(Grid(count), Grid(256));
  uint32_t table = addBuffer(model, "table", count * 1024, 4);
  uint32_t data = addBuffer(model, "data", 1 << 26, 4);
  AffineForm place =
      makeVariable(kWorkgroupIdX, 1024) + makeVariable(kThreadIdX, 4);
  VariableId number = model.addLoaded(table, place, 4, 1 << 24);
  Guard guard;
  guard.conditions = {{makeConstant(1000) + makeVariable(kWorkgroupIdX, -1) -
                           makeVariable(kThreadIdX, 3),
                       false}};
  Access access =
      makeAccess(data, AccessKind::Read, makeVariable(number, 4), 4);
  access.assumed = true;
  guard.body = {{makeAccess(table, AccessKind::Read, place, 4)}, {access}};
  model.body = {Statement{guard}};
  return model;
}

// Patterns that are known from other runs cost no less: where a run is cut short
// would depend on what was simulated before.
TEST(DepthTest, SameFiguresWhateverWasSimulatedBefore) {
  HardwareSpec chip = llvm::cantFail(findChip("h200"));
  KernelModel model = gathered(4096);
  std::vector<uint32_t> backwards(4096);
  for (uint32_t i = 0; i < backwards.size(); ++i)
    backwards[i] = backwards.size() - 1 - i;
  Simulator first(model, chip);
  (void)llvm::cantFail(first.run({}));
  SimulationOptions options;
  options.mostWork = first.work() / 4;
  Metrics one = llvm::cantFail(simulate(model, chip, {}, options));
  EXPECT_GT(one.samplingError, 0);
  Simulator simulator(model, chip);
  (void)llvm::cantFail(simulator.run(backwards, options));
  for (int again = 0; again < 2; ++again) {
    Metrics other = llvm::cantFail(simulator.run({}, options));
    EXPECT_EQ(one.dramReadBytes, other.dramReadBytes);
    EXPECT_EQ(one.timeUs, other.timeUs);
    EXPECT_EQ(one.samplingError, other.samplingError);
  }
}

TEST(DepthTest, DeadlineInterrupts) {
  HardwareSpec chip = llvm::cantFail(findChip("mi300x"));
  KernelModel model = sharedRows(512, 64, 64);
  SimulationOptions options;
  options.deadline = Deadline::after(0);
  llvm::Expected<Metrics> metrics = simulate(model, chip, {}, options);
  ASSERT_FALSE(bool(metrics));
  EXPECT_TRUE(metrics.errorIsA<Interrupted>());
  llvm::consumeError(metrics.takeError());
}

// A window of the launch: one workgroup, of a million steps, is walked before.
TEST(DepthTest, DeadlineInterruptsWhatComesBefore) {
  HardwareSpec chip = llvm::cantFail(findChip("mi300x"));
  KernelModel model = sharedRows(100000, 1000, 1000);
  SimulationOptions options;
  options.prefix = 0.1;
  options.warmUp = 0.1;
  options.deadline = Deadline::after(0.005);
  Simulator simulator(model, chip);
  llvm::Expected<Metrics> metrics = simulator.run({}, options);
  ASSERT_FALSE(bool(metrics));
  EXPECT_TRUE(metrics.errorIsA<Interrupted>());
  llvm::consumeError(metrics.takeError());
  EXPECT_EQ(simulator.work(), 0);
}

// Some 10 rounds of 9,000 workgroups, which take tens of milliseconds.
TEST(DepthTest, DeadlineInterruptsWithinARound) {
  HardwareSpec chip = llvm::cantFail(findChip("mi300x"));
  KernelModel model = sharedRows(9000, 1, 40);
  Simulator simulator(model, chip);
  (void)llvm::cantFail(simulator.run({}));
  SimulationOptions options;
  options.deadline = Deadline::after(0.002);
  llvm::Expected<Metrics> metrics = simulator.run({}, options);
  ASSERT_FALSE(bool(metrics));
  EXPECT_TRUE(metrics.errorIsA<Interrupted>());
  llvm::consumeError(metrics.takeError());
}

} // namespace
