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
#include "swizzle/Hardware/Schema.h"
#include "swizzle/Simulation/Simulator.h"

#include <gtest/gtest.h>
#include <random>

using namespace swizzle;
using namespace swizzle::models;

namespace {

/// Random models that keep their addresses inside 1 MiB.
class Generator {
public:
  explicit Generator(uint32_t seed, bool writes = true)
      : random(seed), writes(writes) {}

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
            pick(0, 1),
            pick(0, 2) || !writes ? AccessKind::Read : AccessKind::Write,
            form(70, 600) * 4 + makeConstant(1 << 19), widths[pick(0, 4)]);
        statements.push_back({access});
      }
    }
    return statements;
  }

  std::mt19937 random;
  bool writes;
  KernelModel model;
  std::vector<VariableId> usable;
};

class Random : public ::testing::TestWithParam<int64_t> {};

/// Compares every count; of the levels behind the shared one only for kernels
/// that do not write. False if there is nothing to simulate.
bool compare(const KernelModel &model, const oracle::Chain &chain,
             int64_t sector, int64_t wave, bool writes, uint32_t seed) {
  HardwareSpec chip = oracle::makeChip(chain, sector, wave);
  EXPECT_EQ(checkChip(chip, Spelling::Rows), "");
  oracle::Counts counts = oracle::run(model, chain, sector, wave);
  llvm::Expected<Metrics> metrics = simulate(model, chip, {});
  if (!metrics) {
    llvm::consumeError(metrics.takeError()); // no access at all
    return false;
  }
  EXPECT_EQ(metrics->lineAccesses, counts.lineAccesses) << seed;
  size_t last = writes ? chain.reads + 1 : chain.lines.size();
  for (size_t i = 0; i < last; ++i) {
    const LevelMetrics &level = metrics->levels[i];
    EXPECT_EQ(level.bytes, counts.lookups[i] * sector) << seed << level.name;
    EXPECT_EQ(level.hitRate.has_value(), counts.lookups[i] > 0) << seed;
    double rate = counts.lookups[i]
                      ? double(counts.hits[i]) / double(counts.lookups[i])
                      : 0;
    EXPECT_DOUBLE_EQ(level.hitRate.value_or(0), rate) << seed << level.name;
  }
  if (last == chain.lines.size()) {
    EXPECT_EQ(metrics->dramReadBytes, counts.dramReads * sector) << seed;
    EXPECT_EQ(metrics->dramWriteBytes, counts.dramWrites * sector) << seed;
  }
  return true;
}

TEST_P(Random, EveryCountAgrees) {
  const oracle::Chain chains[] = {{{8, 16}, 1}, {{1, 2}, 1}, {{4}, 0},
                                  {{2, 4, 8}, 2}, {{1, 2, 3, 4}, 3}};
  int compared = 0;
  for (uint32_t seed = 0; seed < 300 && !HasFailure(); ++seed) {
    KernelModel model = Generator(seed).make();
    ASSERT_EQ(verify(model), "") << seed;
    for (const oracle::Chain &chain : chains)
      compared +=
          compare(model, chain, GetParam(), seed % 2 ? 32 : 64, true, seed);
  }
  EXPECT_GT(compared, 1000);
}

TEST_P(Random, EveryCountOfALongChainAgrees) {
  const oracle::Chain chains[] = {
      {{2, 4, 6, 10}, 2}, {{2, 4, 8, 16}, 1}, {{4, 8, 16}, 0},
      {{1, 2, 3, 5, 7, 11, 13, 16}, 3}};
  int compared = 0;
  for (uint32_t seed = 0; seed < 300 && !HasFailure(); ++seed) {
    KernelModel model = Generator(seed, /*writes=*/false).make();
    for (const oracle::Chain &chain : chains)
      compared +=
          compare(model, chain, GetParam(), seed % 2 ? 32 : 64, false, seed);
  }
  EXPECT_GT(compared, 1000);
}

/// What a level asks of the next one is what it lacks and what it throws out:
/// nothing is lost on the way, however long the chain is.
TEST(LongChain, KeepsWhatIsWritten) {
  for (uint32_t seed = 0; seed < 100; ++seed) {
    KernelModel model = Generator(seed).make();
    oracle::Chain chain{{2, 3, 4, 6, 8}, 1};
    HardwareSpec chip = oracle::makeChip(chain, 32, 32);
    llvm::Expected<Metrics> metrics = simulate(model, chip, {});
    if (!metrics) {
      llvm::consumeError(metrics.takeError());
      continue;
    }
    HardwareSpec shorter = chip;
    shorter.levels.resize(2);
    Metrics direct = llvm::cantFail(simulate(model, shorter, {}));
    // The nearer levels do not see what is behind.
    EXPECT_EQ(metrics->bytes("c2"), direct.bytes("c2")) << seed;
    EXPECT_EQ(metrics->hitRate("c2"), direct.hitRate("c2")) << seed;
    EXPECT_EQ(metrics->bytes("c3"), direct.dramBytes()) << seed;
    // More cache in front of memory: never more traffic to it than asked.
    EXPECT_LE(metrics->dramBytes(), metrics->bytes("c5") * 2) << seed;
    EXPECT_LE(metrics->dramWriteBytes, direct.dramWriteBytes) << seed;
  }
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
              oracle::run(model, {{8, 16}, 1}, 32, chip.waveSize).lineAccesses);
  }
}

/// Tags of a small last-level cache tell its lines apart behind large L2s too:
/// nothing is read twice, so nothing is found there.
TEST(LastLevel, AStreamNeverHitsASmallOne) {
  HardwareSpec chip = llvm::cantFail(findChip("mi300x"));
  CacheLevel &last = *chip.find("llc");
  last.bytes = last.effectiveBytes = 16 * 128;
  last.ways = 16;
  KernelModel model = elementwise(1 << 26, 1, 4, 1);
  Metrics metrics = llvm::cantFail(simulate(model, chip, {}));
  EXPECT_GT(metrics.bytes("llc"), 1e8);
  EXPECT_EQ(metrics.hitRate("llc"), 0.0);
}

INSTANTIATE_TEST_SUITE_P(Sectors, Random, ::testing::Values(32, 64, 128));

} // namespace
