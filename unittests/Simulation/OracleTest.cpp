//===- OracleTest.cpp - The simulator against one that is obviously right -===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random kernels (nested loops whose bounds depend on workgroup, thread and
// outer counters; guards that hold for some threads; quotients of mixed forms)
// on a chip with one compute unit. Every count must agree exactly.
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"
#include "Models.h"
#include "swizzle/Hardware/Database.h"
#include "swizzle/Simulation/Simulator.h"

#include <gtest/gtest.h>
#include <random>

using namespace swizzle;
using namespace swizzle::models;

namespace {

/// Random models that keep their addresses inside 1 MiB.
class Generator {
public:
  explicit Generator(uint32_t seed) : random(seed) {}

  KernelModel make() {
    model = KernelModel::create({pick(1, 5), pick(1, 3), pick(1, 2)},
                                {pick(1, 40), pick(1, 3)});
    model.name = "random";
    addBuffer(model, "a", 2 << 20, 4);
    addBuffer(model, "b", 2 << 20, 4);
    usable = {0, 1, 2, 3, 4};
    for (int64_t i = pick(0, 2); i > 0; --i)
      usable.push_back(model.addQuotient(form(6, 20), pick(2, 40)));
    model.body = body(2);
    return model;
  }

private:
  int64_t pick(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }

  AffineForm form(int64_t coefficient, int64_t constant) {
    AffineForm result = makeConstant(pick(0, constant));
    for (int64_t i = pick(1, 3); i > 0; --i)
      result = result + makeVariable(usable[pick(0, usable.size() - 1)],
                                     pick(-coefficient, coefficient));
    return result;
  }

  std::vector<Statement> body(int depth) {
    std::vector<Statement> statements;
    for (int64_t i = pick(1, 3); i > 0; --i) {
      int64_t kind = depth > 0 ? pick(0, 3) : 0;
      if (kind == 1) {
        Loop loop;
        loop.counter = model.addLoopCounter("i");
        loop.tripCounts.push_back(makeConstant(pick(0, 6)));
        if (pick(0, 1))
          loop.tripCounts.push_back(form(2, 5));
        usable.push_back(loop.counter);
        loop.body = body(depth - 1);
        usable.pop_back();
        statements.push_back({loop});
      } else if (kind == 2) {
        Guard guard;
        for (int64_t j = pick(1, 2); j > 0; --j)
          guard.conditions.push_back({form(3, 30), pick(0, 4) == 0});
        guard.body = body(depth - 1);
        if (pick(0, 1))
          guard.otherwise = body(depth - 1);
        statements.push_back({guard});
      } else {
        constexpr int64_t widths[] = {1, 2, 4, 8, 16};
        Access access = makeAccess(
            pick(0, 1), pick(0, 2) ? AccessKind::Read : AccessKind::Write,
            form(70, 600) * 4 + makeConstant(1 << 19), widths[pick(0, 4)]);
        statements.push_back({access});
      }
    }
    return statements;
  }

  std::mt19937 random;
  KernelModel model;
  std::vector<VariableId> usable;
};

class Random : public ::testing::TestWithParam<int64_t> {};

TEST_P(Random, EveryCountAgrees) {
  int64_t sector = GetParam();
  int compared = 0;
  for (uint32_t seed = 0; seed < 300; ++seed) {
    KernelModel model = Generator(seed).make();
    ASSERT_EQ(verify(model), "") << seed;
    for (auto [l1Lines, l2Lines] : {std::pair(8, 16), std::pair(1, 2)}) {
      int64_t wave = seed % 2 ? 32 : 64;
      HardwareSpec chip = oracle::makeChip(l1Lines, l2Lines, sector, wave);
      oracle::Counts counts =
          oracle::run(model, l1Lines, l2Lines, sector, wave);
      llvm::Expected<Metrics> metrics = simulate(model, chip, {});
      if (!metrics) {
        llvm::consumeError(metrics.takeError()); // no access at all
        continue;
      }
      ++compared;
      ASSERT_EQ(metrics->lineAccesses, counts.lineAccesses) << seed;
      ASSERT_EQ(metrics->l2Bytes, counts.l2Lookups * sector) << seed;
      ASSERT_EQ(metrics->dramReadBytes, counts.dramReads * sector) << seed;
      ASSERT_EQ(metrics->dramWriteBytes, counts.dramWrites * sector) << seed;
      ASSERT_EQ(metrics->l1HitRate.has_value(), counts.l1Lookups > 0);
      auto rate = [](int64_t hits, int64_t lookups) {
        return lookups ? double(hits) / double(lookups) : 0.0;
      };
      ASSERT_DOUBLE_EQ(metrics->l1HitRate.value_or(0),
                       rate(counts.l1Hits, counts.l1Lookups))
          << seed;
      ASSERT_DOUBLE_EQ(metrics->l2HitRate.value_or(0),
                       rate(counts.l2Hits, counts.l2Lookups))
          << seed;
    }
  }
  EXPECT_GT(compared, 400);
}

/// An access whose lines differ from workgroup to workgroup: more patterns than
/// are remembered, on a chip that has hundreds of workgroups under way.
TEST(Patterns, SomeAreForgotten) {
  KernelModel model = KernelModel::create({20000}, {64});
  model.name = "varied";
  addBuffer(model, "a", 32 << 20, 4);
  VariableId ofMany = model.addQuotient(x(7) + tx(), 61);
  VariableId ofMore = model.addQuotient(x(11) + tx(), 67);
  AffineForm address = x(4) + tx(4) + makeVariable(ofMany, 132) +
                       makeVariable(ofMore, 260) + makeConstant(4096);
  model.body.push_back({makeAccess(0, AccessKind::Read, address, 4)});
  ASSERT_EQ(verify(model), "");
  HardwareSpec chip = llvm::cantFail(findChip("h200"));
  for (unsigned sample : {0u, 4u}) {
    SimulationOptions options;
    options.sampleShift = sample;
    Metrics metrics = llvm::cantFail(simulate(model, chip, {}, options));
    EXPECT_EQ(metrics.lineAccesses,
              oracle::run(model, 8, 16, 32, chip.waveSize).lineAccesses);
  }
}

/// Tags of a small last-level cache tell its lines apart behind large L2s too:
/// nothing is read twice, so nothing is found there.
TEST(LastLevel, AStreamNeverHitsASmallOne) {
  HardwareSpec chip = llvm::cantFail(findChip("mi300x"));
  chip.llc->bytes = chip.llc->effectiveBytes = 16 * 128;
  chip.llc->ways = 16;
  KernelModel model = elementwise(1 << 26, 1, 4, 1);
  Metrics metrics = llvm::cantFail(simulate(model, chip, {}));
  EXPECT_GT(metrics.llcBytes, 1e8);
  EXPECT_EQ(metrics.llcHitRate, 0.0);
}

INSTANTIATE_TEST_SUITE_P(Sectors, Random, ::testing::Values(32, 64, 128));

} // namespace
