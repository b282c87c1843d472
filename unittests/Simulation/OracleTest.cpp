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

#include "llvm/Support/Compiler.h"
#include <gtest/gtest.h>
#include <random>

using namespace swizzle;
using namespace swizzle::models;

namespace {

/// Random models that keep their addresses inside 1 MiB.
class Generator {
public:
  explicit Generator(uint32_t seed, bool writes = true, bool units = false,
                     bool loads = false)
      : random(seed), writes(writes), units(units), loads(loads) {}

  KernelModel make() {
    model = KernelModel::create({pick(1, 5), pick(1, 3), pick(1, 2)},
                                {pick(1, 40), pick(1, 3)});
    model.name = "random";
    addBuffer(model, "a", 2 << 20, 4);
    addBuffer(model, "b", 2 << 20, 4);
    model.workgroupBuffers.push_back({"tile", 2 << 20});
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
      if (units)
        addUnits(statements);
      if (loads && pick(0, 1))
        addAssumed(statements);
    }
    return statements;
  }

  /// Reads where a loaded number says, one place or another as it says.
  void addAssumed(std::vector<Statement> &statements) {
    size_t before = usable.size();
    for (int64_t i = pick(1, 2); i > 0; --i)
      usable.push_back(model.addLoaded(0, form(9, 40) * 4, 4, 32));
    Guard guard;
    for (int64_t i = pick(1, 2); i > 0; --i)
      guard.conditions.push_back({form(3, 30), pick(0, 4) == 0});
    for (std::vector<Statement> *side : {&guard.body, &guard.otherwise}) {
      Access access = makeAccess(1, AccessKind::Read,
                                 form(70, 600) * 4 + makeConstant(1 << 19),
                                 int64_t(1) << pick(0, 4));
      access.assumed = true;
      side->push_back({access});
    }
    if (pick(0, 1))
      guard.otherwise.clear();
    statements.push_back({guard});
    usable.resize(before);
  }

  /// Some instructions, and an access to workgroup memory.
  void addUnits(std::vector<Statement> &statements) {
    statements.push_back({Issue{double(pick(1, 9))}});
    WorkgroupAccess access;
    access.buffer = 0;
    access.address = form(70, 600) + makeConstant(1 << 19);
    if (pick(0, 1))
      access.address = *access.address * 4;
    access.bytes = int64_t(1) << pick(0, 4);
    statements.push_back({access});
  }

  std::mt19937 random;
  bool writes, units, loads;
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
  const oracle::Chain chains[] = {
      {{8, 16}, 1}, {{1, 2}, 1}, {{4}, 0}, {{2, 4, 8}, 2}, {{1, 2, 3, 4}, 3}};
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
  const oracle::Chain chains[] = {{{2, 4, 6, 10}, 2},
                                  {{2, 4, 8, 16}, 1},
                                  {{4, 8, 16}, 0},
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

TEST_P(Random, EveryCountOfWhatLoadedNumbersChooseAgrees) {
  const oracle::Chain chains[] = {{{8, 16}, 1}, {{4}, 0}};
  int compared = 0;
  for (uint32_t seed = 0; seed < 500 && !HasFailure(); ++seed) {
    KernelModel model =
        Generator(seed, /*writes=*/true, /*units=*/false, /*loads=*/true)
            .make();
    ASSERT_EQ(verify(model), "") << seed;
    for (const oracle::Chain &chain : chains)
      compared +=
          compare(model, chain, GetParam(), seed % 2 ? 32 : 64, true, seed);
  }
  EXPECT_GT(compared, 600);
}

/// Work of a resource, or 0.
double workOf(const Metrics &metrics, BoundKind kind) {
  for (const RooflineTerm &term : metrics.roofline)
    if (term.bound.kind == kind)
      return term.work;
  return 0;
}

TEST(Units, EveryInstructionAndPassOfBanksAgrees) {
  int compared = 0, passes = 0;
  for (uint32_t seed = 0; seed < 500 && !HasFailure(); ++seed) {
    KernelModel model = Generator(seed, /*writes=*/true, /*units=*/true).make();
    ASSERT_EQ(verify(model), "") << seed;
    oracle::Chain chain{{8, 16}, 1};
    int64_t wave = seed % 2 ? 32 : 64;
    oracle::Counts counts = oracle::run(model, chain, 32, wave);
    llvm::Expected<Metrics> metrics =
        simulate(model, oracle::makeChip(chain, 32, wave), {});
    if (!metrics) {
      llvm::consumeError(metrics.takeError()); // no access at all
      continue;
    }
    ++compared;
    passes += counts.bankPasses > 0;
    double issued = workOf(*metrics, BoundKind::Issue);
    EXPECT_NEAR(issued, counts.instructions, 1e-9 * issued) << seed;
    double served = workOf(*metrics, BoundKind::WorkgroupMemory);
    EXPECT_NEAR(served, double(counts.bankPasses), 1e-9 * served) << seed;
  }
  EXPECT_GT(compared, 300);
  EXPECT_GT(passes, 300);
}

/// Where the iterations of long loops or the workgroups of large grids are not
/// alike, some stand for all.
TEST(Units, SomeStandForAll) {
  KernelModel model = KernelModel::create({64, 64}, {64});
  model.name = "triangle";
  addBuffer(model, "a", 64 << 20, 4);
  model.workgroupBuffers.push_back({"tile", 1 << 20});
  Loop outer, inner;
  outer.counter = model.addLoopCounter("i");
  outer.tripCounts = {makeConstant(100)};
  inner.counter = model.addLoopCounter("j");
  inner.tripCounts = {makeVariable(outer.counter) + y()};
  WorkgroupAccess access;
  access.buffer = 0;
  access.address = tx(8) + makeVariable(inner.counter, 2);
  access.bytes = 2;
  inner.body = {{Issue{3}}, {access}};
  Guard guard;
  guard.conditions.push_back(atLeastZero(x() - makeConstant(16)));
  guard.body = {{inner}};
  outer.body = {{guard}, {Issue{2}}};
  model.body = {{outer}, {makeAccess(0, AccessKind::Read, x(256) + tx(4), 4)}};
  ASSERT_EQ(verify(model), "");
  oracle::Chain chain{{8, 16}, 1};
  Metrics metrics =
      llvm::cantFail(simulate(model, oracle::makeChip(chain, 32, 32), {}));
  // 8192 waves, three quarters of them 100 * (49.5 + 31.5) iterations; in each,
  // 32 words lie in four of the eight banks.
  double iterations = 8192.0 * 0.75 * 100 * 81;
  EXPECT_NEAR(workOf(metrics, BoundKind::Issue) /
                  (3 * iterations + 8192 * 100 * 2),
              1, 0.03);
  EXPECT_NEAR(workOf(metrics, BoundKind::WorkgroupMemory) / (8 * iterations), 1,
              0.03);
}

/// Passes of one subgroup's access on a chip with 32 banks of 4 bytes.
double passesOnH200(AffineForm address, int64_t bytes) {
  KernelModel model = KernelModel::create({1}, {32});
  model.name = "one";
  addBuffer(model, "a", 4096, 4);
  model.workgroupBuffers.push_back({"tile", 65536});
  WorkgroupAccess access;
  access.buffer = 0;
  access.address = std::move(address);
  access.bytes = bytes;
  model.body = {{makeAccess(0, AccessKind::Read, tx(4), 4)}, {access}};
  return workOf(
      llvm::cantFail(simulate(model, llvm::cantFail(findChip("h200")), {})),
      BoundKind::WorkgroupMemory);
}

TEST(Units, StridesOfWords) {
  EXPECT_EQ(passesOnH200(tx(4), 4), 1);
  EXPECT_EQ(passesOnH200(tx(2 * 4), 4), 2);
  EXPECT_EQ(passesOnH200(tx(32 * 4), 4), 32);
  EXPECT_EQ(passesOnH200(tx(33 * 4), 4), 1);
  EXPECT_EQ(passesOnH200(makeConstant(64), 4), 1) << "a broadcast";
  EXPECT_EQ(passesOnH200(tx(16), 16), 4) << "by quarters";
  EXPECT_EQ(passesOnH200(tx(32), 16), 8) << "by quarters, two to a bank";
}

/// A chip that says nothing of them has no such terms, and charges a remap all
/// the same.
TEST(Units, UnknownRatesLimitNothing) {
  KernelModel model = Generator(1, /*writes=*/true, /*units=*/true).make();
  HardwareSpec chip = oracle::makeChip({{8, 16}, 1}, 32, 32);
  chip.workgroupMemoryBytesPerClock.reset();
  chip.issuePerClock.reset();
  SimulationOptions options;
  options.remapInstructions = 1e6;
  Metrics metrics = llvm::cantFail(simulate(model, chip, {}));
  for (const RooflineTerm &term : metrics.roofline) {
    EXPECT_NE(term.bound.kind, BoundKind::Issue);
    EXPECT_NE(term.bound.kind, BoundKind::WorkgroupMemory);
  }
  EXPECT_GT(llvm::cantFail(simulate(model, chip, {}, options)).timeUs,
            metrics.timeUs);
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

#if LLVM_ADDRESS_SANITIZER_BUILD // ten times as slow
INSTANTIATE_TEST_SUITE_P(Sectors, Random, ::testing::Values(32));
#else
INSTANTIATE_TEST_SUITE_P(Sectors, Random, ::testing::Values(32, 64, 128));
#endif

} // namespace
