//===- WorkTest.cpp - Planning costs what it may, whatever the kernel -----===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Models that were made to be nasty, each planned for three classes of chips:
// the work units of the whole search stay below a multiple of its budget.
// Units, not seconds: the test says the same on every machine. benchmarks/
// PlanningBenchmark.cpp tells the seconds.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "swizzle/Hardware/Database.h"
#include "swizzle/Planner/Planner.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace swizzle;
using namespace swizzle::models;

namespace {

Statement loop(VariableId counter, AffineForm trips,
               std::vector<Statement> body) {
  return {Loop{counter, {std::move(trips)}, std::move(body)}};
}

KernelModel begin(const char *name, Grid grid, Grid block) {
  KernelModel model = KernelModel::create(grid, block);
  model.name = name;
  return model;
}

/// `workgroups` of `steps` steps each, all reading the same.
KernelModel deep(int64_t workgroups, int64_t steps) {
  KernelModel model = begin("deep", {workgroups, 1, 1}, {64, 1, 1});
  VariableId i = model.addLoopCounter("i");
  uint32_t in = addBuffer(model, "in", steps * 4, 4);
  model.body.push_back(
      loop(i, makeConstant(steps),
           {{makeAccess(in, AccessKind::Read, makeVariable(i, 4), 4)}}));
  return model;
}

/// 2^20 workgroups of one access.
KernelModel shallow() {
  KernelModel model = begin("shallow", {1024, 1024, 1}, {1, 1, 1});
  uint32_t in = addBuffer(model, "in", 4096, 4);
  model.body.push_back({makeAccess(in, AccessKind::Read, x(4), 4)});
  return model;
}

/// A thousand accesses in a row, each to another line of a shared row.
KernelModel wide() {
  KernelModel model = begin("wide", {16, 1024, 1}, {64, 1, 1});
  uint32_t in = addBuffer(model, "in", int64_t(1024) * 1024 * 256, 4);
  for (int64_t i = 0; i < 1000; ++i)
    model.body.push_back(
        {makeAccess(in, AccessKind::Read,
                    y(1024 * 256) + x(4) + tx(4) + makeConstant(i * 256), 4)});
  return model;
}

/// Six loops of 32, the second bounded by the first.
KernelModel nested() {
  KernelModel model = begin("nested", {32, 32, 1}, {64, 1, 1});
  uint32_t in = addBuffer(model, "in", int64_t(1) << 32, 4);
  AffineForm at = tx(4);
  std::vector<VariableId> counters;
  for (int i = 0; i < 6; ++i) {
    counters.push_back(model.addLoopCounter("i"));
    at = at + makeVariable(counters.back(), int64_t(4) << (5 * i));
  }
  std::vector<Statement> body{{makeAccess(in, AccessKind::Read, at, 4)}};
  for (int i = 6; i-- > 0;)
    body = {loop(counters[i],
                 i == 1 ? makeVariable(counters[0]) + makeConstant(1)
                        : makeConstant(32),
                 std::move(body))};
  model.body = std::move(body);
  return model;
}

/// Every step of a wide workgroup touches another pattern of lines.
KernelModel changing() {
  KernelModel model = begin("changing", {16, 16, 1}, {1024, 1, 1});
  constexpr int64_t prime = 524287;
  VariableId i = model.addLoopCounter("i");
  uint32_t in = addBuffer(model, "in", prime * 4, 4);
  AffineForm at = tx(1009) + makeVariable(i, 7) + x() + y(16);
  VariableId q = model.addQuotient(at, prime);
  AffineForm residue = at - makeVariable(q, prime);
  model.body.push_back(
      loop(i, makeConstant(100000),
           {{makeAccess(in, AccessKind::Read, residue * 4, 4)}}));
  return model;
}

/// As many workgroups as a simulator takes.
KernelModel huge() {
  KernelModel model = begin("huge", {32768, 65535, 1}, {32, 1, 1});
  uint32_t a = addBuffer(model, "a", 32768 * 128, 4);
  uint32_t b = addBuffer(model, "b", int64_t(65535) * 128, 4);
  model.body.push_back({makeAccess(a, AccessKind::Read, x(128) + tx(4), 4)});
  model.body.push_back({makeAccess(b, AccessKind::Read, y(128) + tx(4), 4)});
  return model;
}

/// Few threads and many steps in each of many workgroups: a convolution as a
/// naive lowering leaves it.
KernelModel convolution() {
  KernelModel model = begin("convolution", {14, 56, 16}, {4, 1, 1});
  uint32_t in = addBuffer(model, "in", 16 * 58 * 58 * 256, 4);
  uint32_t filter = addBuffer(model, "filter", 9 * 64 * 512, 4);
  uint32_t out = addBuffer(model, "out", 16 * 56 * 56 * 512, 4);
  VariableId o = model.addLoopCounter("o"), h = model.addLoopCounter("h"),
             w = model.addLoopCounter("w"), c = model.addLoopCounter("c");
  auto v = [](VariableId id, int64_t by) { return makeVariable(id, by); };
  AffineForm pixel = z(58 * 58 * 256) + y(58 * 256) + x(4 * 256) + tx(256) +
                     v(h, 58 * 256) + v(w, 256) + v(c, 4);
  AffineForm weight = v(h, 3 * 64 * 512) + v(w, 64 * 512) + v(c, 512) + v(o, 4);
  AffineForm result =
      z(56 * 56 * 512) + y(56 * 512) + x(4 * 512) + tx(512) + v(o, 4);
  Statement taps =
      loop(h, makeConstant(3),
           {loop(w, makeConstant(3),
                 {loop(c, makeConstant(64),
                       {{makeAccess(in, AccessKind::Read, pixel, 4)},
                        {makeAccess(filter, AccessKind::Read, weight, 4)}})})});
  model.body.push_back(loop(o, makeConstant(128),
                            {{makeAccess(out, AccessKind::Read, result, 4)},
                             taps,
                             {makeAccess(out, AccessKind::Write, result, 4)}}));
  return model;
}

/// Few workgroups of many do all, in 2^24 iterations each.
enum class Touching {
  Always,
  Never, ///< which is found lane by lane
  AtEnds ///< of the rows of the first workgroup alone
};
KernelModel few(const char *name, Touching touching) {
  KernelModel model = begin(name, {3136, 1, 1}, {256, 1, 1});
  VariableId i = model.addLoopCounter("i"), j = model.addLoopCounter("j");
  uint32_t in = addBuffer(model, "in", int64_t(4096) * 4096 * 4, 4);
  std::vector<Condition> conditions;
  if (touching == Touching::Never)
    conditions = {{tx(2) - makeConstant(101), true}};
  else if (touching == Touching::AtEnds)
    conditions = {{makeVariable(j) - x(16) - makeConstant(4095), false}};
  Guard inside{
      conditions,
      {{makeAccess(in, AccessKind::Read,
                   makeVariable(i, 4096 * 4) + makeVariable(j, 4), 4)}},
      {}};
  Statement all = loop(i, makeConstant(4096),
                       {loop(j, makeConstant(4096), {{std::move(inside)}})});
  model.body.push_back({Guard{{{makeConstant(15) - x(), false}}, {all}, {}}});
  return model;
}

class Work : public testing::TestWithParam<const char *> {};

TEST_P(Work, StaysWithinItsBudget) {
  HardwareSpec chip = llvm::cantFail(findChip(GetParam()));
  PlannerOptions options;
  // A tenth of the usual, for a quick test: some twenty simulations of 3
  // million at most, three of 60 for the figures that are told, and 96 for
  // finding lines.
  options.accessBudget /= 10;
  options.figureAccesses /= 10;
  for (const KernelModel &model :
       {deep(16, 100000000), shallow(), wide(), nested(), changing(), huge(),
        convolution(), few("few", Touching::Always),
        few("idle", Touching::Never), few("skipping", Touching::AtEnds)}) {
    SCOPED_TRACE(model.name);
    Plan found = llvm::cantFail(plan(model, chip, options));
    EXPECT_GT(found.work, 0);
    EXPECT_LE(found.work, 400e6);
    EXPECT_FALSE(found.reasonCode.empty());
    if (!found.formula)
      continue;
    // What the steps that were left out may feign is no gain.
    EXPECT_GT(found.before.timeUs / found.after.timeUs - 1,
              std::hypot(found.before.noise.value_or(0),
                         found.after.noise.value_or(0)));
  }
}

INSTANTIATE_TEST_SUITE_P(Chips, Work,
                         testing::Values("mi300x", "h200", "rx7900xtx"));

TEST(WorkTest, DeadlineKeepsTheBestSoFar) {
  HardwareSpec chip = llvm::cantFail(findChip("mi300x"));
  PlannerOptions options;
  options.deadline = Deadline::after(0);
  Plan found = llvm::cantFail(plan(convolution(), chip, options));
  EXPECT_FALSE(found.formula);
  EXPECT_EQ(found.reasonCode, "interrupted");
  EXPECT_NE(found.reason.find("the time was up before"), std::string::npos)
      << found.reason;
}

} // namespace
