//===- MemoryUseTest.cpp - Stores that are joined, data that is scattered -===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What was measured on an H200 with a probe of few lines each, and what follows
// from it for kernels whose counts are clear.
//
//===----------------------------------------------------------------------===//

#include "Models.h"
#include "swizzle/Hardware/Database.h"
#include "swizzle/Simulation/Scatter.h"
#include "swizzle/Simulation/Simulator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

using namespace swizzle;
using namespace swizzle::models;

namespace {

HardwareSpec h200() { return llvm::cantFail(findChip("h200")); }

constexpr int64_t kGroups = 64, kThreads = 256;

/// out[count t + i] = in[count t + i], i from 0 to `count`, one by one.
KernelModel numbersOneByOne(int64_t count, bool isNoAlias) {
  KernelModel model = KernelModel::create({kGroups}, {kThreads});
  model.name = "one-by-one";
  int64_t bytes = kGroups * kThreads * count * 4;
  uint32_t in = addBuffer(model, "in", bytes, 4);
  uint32_t out = addBuffer(model, "out", bytes, 4);
  model.buffers[in].noAlias = isNoAlias;
  for (int64_t i = 0; i < count; ++i) {
    AffineForm at =
        x(kThreads * count * 4) + tx(count * 4) + makeConstant(4 * i);
    model.body.push_back({makeAccess(in, AccessKind::Read, at, 4)});
    model.body.push_back({makeAccess(out, AccessKind::Write, at, 4)});
  }
  return model;
}

/// Sectors that reach the L2, by those that were written.
double storesByNumbers(const KernelModel &model, const HardwareSpec &hardware) {
  Metrics metrics = llvm::cantFail(simulate(model, hardware, {}));
  return (metrics.bytes("l2") - metrics.dramReadBytes) / metrics.dramWriteBytes;
}

TEST(JoinedStores, StoresOfAFewLinesThatFollowEachOtherAreOne) {
  EXPECT_EQ(storesByNumbers(numbersOneByOne(2, true), h200()), 1);
  EXPECT_EQ(storesByNumbers(numbersOneByOne(4, true), h200()), 1);
  // Eight numbers a thread are eight lines a wave.
  EXPECT_EQ(storesByNumbers(numbersOneByOne(8, true), h200()), 8);
}

TEST(JoinedStores, WhatWaitsForMemoryIsNot) {
  EXPECT_EQ(storesByNumbers(numbersOneByOne(4, false), h200()), 4);
  // A barrier between the second and the third.
  KernelModel model = numbersOneByOne(4, true);
  model.body.insert(model.body.begin() + 4, Statement{Barrier()});
  EXPECT_EQ(storesByNumbers(model, h200()), 2);
  // Another buffer's store between all of them.
  KernelModel two = numbersOneByOne(4, true);
  uint32_t other = addBuffer(two, "other", two.buffers[0].bytes, 4);
  for (size_t i = 8; i > 0; i -= 2) {
    Access access = std::get<Access>(two.body[i - 1].node);
    access.buffer = other;
    two.body.insert(two.body.begin() + i, Statement{access});
  }
  EXPECT_EQ(storesByNumbers(two, h200()), 4);
}

TEST(JoinedStores, AChipThatSaysNothingJoinsNone) {
  HardwareSpec hardware = h200();
  hardware.fitted["joined_store_lines"] = 0;
  EXPECT_EQ(storesByNumbers(numbersOneByOne(4, true), hardware), 4);
}

TEST(JoinedStores, DramBytesAndLoopsAreTheSame) {
  // Within a loop, with a guard: what is written is what was written before.
  KernelModel model = KernelModel::create({kGroups}, {kThreads});
  model.name = "loop";
  uint32_t out = addBuffer(model, "out", kGroups * kThreads * 16 * 3, 4);
  VariableId k = model.addLoopCounter("k");
  Loop loop{k, {makeConstant(3)}, {}};
  Guard guard{{atLeastZero(makeConstant(99) - tx(1))}, {}, {}};
  for (int64_t i : {3, 0, 2, 1})
    guard.body.push_back(
        {makeAccess(out, AccessKind::Write,
                    x(kThreads * 48) + makeVariable(k, kThreads * 16) + tx(16) +
                        makeConstant(4 * i),
                    4)});
  loop.body.push_back({guard});
  model.body.push_back({loop});
  ASSERT_EQ(verify(model), "");
  Metrics metrics = llvm::cantFail(simulate(model, h200(), {}));
  EXPECT_EQ(metrics.dramWriteBytes, kGroups * 3 * 100 * 16.0);
  EXPECT_EQ(metrics.bytes("l2"), metrics.dramWriteBytes);
}

/// By what share of the time of its bytes memory takes longer, row by row or in
/// another order.
ScatterModel::Shares sharesOf(const KernelModel &model,
                              const HardwareSpec &hardware,
                              models::Order order = {}) {
  if (order.empty())
    order = rowMajor(model.grid);
  return ScatterModel(model, hardware).of([&](int64_t first, int64_t count) {
    return std::vector<uint32_t>(order.begin() + first,
                                 order.begin() + first + count);
  });
}

/// Each workgroup writes `bytes`, `stride` behind the one before.
KernelModel pieces(int64_t workgroups, int64_t bytes, int64_t stride) {
  KernelModel model = KernelModel::create({workgroups}, {bytes / 4});
  model.name = "pieces";
  uint32_t out = addBuffer(model, "out", workgroups * stride, 4);
  model.body.push_back(
      {makeAccess(out, AccessKind::Write, x(stride) + tx(4), 4)});
  return model;
}

TEST(Scatter, IsolatedLinesAreThoseOfAnOracle) {
  HardwareSpec hardware = h200();
  hardware.fitted["scattered_writes"] = hardware.fitted["lone_writes"] = 0;
  hardware.fitted["isolated_writes"] = 1;
  const size_t units = hardware.numUnits();
  std::mt19937 random(1);
  for (int64_t workgroups : {1, 131, 1056, 2053})
    for (int64_t lines : {1, 2, 3}) {
      // A line each, `lines` apart; those of a moment are of all blocks.
      KernelModel model = pieces(workgroups, 128, 128 * lines);
      models::Order order = rowMajor(model.grid);
      std::shuffle(order.begin(), order.end(), random);
      double all = 0, isolated = 0;
      for (size_t begin = 0; begin < order.size(); begin += units) {
        std::set<int64_t> used;
        for (size_t i = begin; i < std::min(begin + units, order.size()); ++i)
          used.insert(order[i] * lines);
        for (int64_t line : used)
          isolated += !used.count(line - 1) && !used.count(line + 1);
        all += double(used.size());
      }
      EXPECT_NEAR(sharesOf(model, hardware, order).writes, isolated / all, 1e-9)
          << workgroups << " workgroups, " << lines << " lines apart";
    }
}

TEST(Scatter, PiecesOfBlocks) {
  HardwareSpec hardware = h200();
  const double writes = hardware.fitted["scattered_writes"],
               lone = hardware.fitted["lone_writes"],
               isolated = hardware.fitted["isolated_writes"];
  // A line of each block.
  EXPECT_NEAR(sharesOf(pieces(4096, 128, 65536), hardware).writes,
              (writes + lone) * (1 - 1 / 512.0) + isolated, 1e-9);
  // Two lines, by one store: nothing is alone.
  EXPECT_NEAR(sharesOf(pieces(4096, 256, 65536), hardware).writes,
              writes * (1 - 2 / 512.0), 1e-9);
  // Half of all: what lies next to each is not used at any time.
  EXPECT_NEAR(sharesOf(pieces(1 << 18, 4096, 8192), hardware).writes,
              writes / 2, 1e-3);
  // One behind the other.
  EXPECT_NEAR(sharesOf(pieces(1 << 18, 128, 128), hardware).writes, 0, 1e-3);
  // A chip of which nothing is known.
  HardwareSpec other = llvm::cantFail(findChip("mi300x"));
  EXPECT_FALSE(ScatterModel(pieces(64, 128, 65536), other).isKnown());
  EXPECT_EQ(sharesOf(pieces(64, 128, 65536), other).writes, 0);
}

TEST(Scatter, TilesOfATranspose) {
  KernelModel model = transposeTiled(8192, 32, 8);
  ScatterModel::Shares rows = sharesOf(model, h200());
  ScatterModel::Shares columns =
      sharesOf(model, h200(), columnMajor(model.grid));
  // Row by row it reads what lies together and writes what does not.
  EXPECT_LT(rows.reads, 0.02);
  EXPECT_GT(rows.writes, 0.15);
  EXPECT_GT(columns.reads, 0.05);
  EXPECT_LT(columns.writes, 0.02);
  // Writes cost more: so it is the other way round that is faster, by
  // simulation as on the chip.
  Metrics before = llvm::cantFail(simulate(model, h200(), {}));
  Metrics after =
      llvm::cantFail(simulate(model, h200(), columnMajor(model.grid)));
  EXPECT_EQ(before.dramBytes(), after.dramBytes());
  EXPECT_GT(before.timeUs, 1.03 * after.timeUs);
}

TEST(Scatter, TheLaunchIsSimulatedAsBefore) {
  // Looking at blocks limits loops; not beyond.
  KernelModel model = gemmFp16(1024, 1024, 1024);
  Simulator simulator(model, h200());
  Metrics once = llvm::cantFail(simulator.run({}));
  Metrics again = llvm::cantFail(simulator.run({}));
  EXPECT_EQ(once.dramReadBytes, again.dramReadBytes);
  EXPECT_EQ(once.lineAccesses, again.lineAccesses);
  EXPECT_EQ(once.timeUs, again.timeUs);
}

/// What there is to see is told by those that have work, wherever they are.
TEST(Scatter, IdleWorkgroupsDoNotStandForOthers) {
  // Each touches a line of 64 rows of memory for every thread.
  auto columns = [](int64_t width, int64_t first, int64_t last) {
    KernelModel model = KernelModel::create({width, 64, 1}, {256, 1, 1});
    model.name = "columns";
    VariableId i = model.addLoopCounter("i");
    int64_t busy = last - first;
    uint32_t in = addBuffer(model, "in", busy * 64 * 256 * 8192, 4);
    AffineForm mine = (x() + y(busy) + makeConstant(-first)) * (256 * 8192) +
                      tx(8192) + makeVariable(i, 128);
    Guard guard{{atLeastZero(x() - makeConstant(first)),
                 atLeastZero(makeConstant(last - 1) - x())},
                {},
                {}};
    guard.body.push_back({Loop{
        i, {makeConstant(64)}, {{makeAccess(in, AccessKind::Read, mine, 4)}}}});
    model.body.push_back({guard});
    return model;
  };
  auto lookAt = [](const KernelModel &model) {
    ScatterModel scatter(model, h200());
    double reads = scatter
                       .of([](int64_t first, int64_t count) {
                         std::vector<uint32_t> tiles(count);
                         std::iota(tiles.begin(), tiles.end(), first);
                         return tiles;
                       })
                       .reads;
    return std::pair(reads, scatter.work());
  };
  auto [busyReads, busyWork] = lookAt(columns(16, 0, 16));
  auto [idleReads, idleWork] = lookAt(columns(256, 240, 256));
  EXPECT_GT(busyWork, 0);
  EXPECT_LE(idleWork, 2 * busyWork);
  EXPECT_NEAR(idleReads, busyReads, 0.02);
}

/// What is remembered of workgroups is what each of them touches, in whatever
/// order, sample of the launch and order of orders.
TEST(Scatter, OrdersDoNotSeeWhatOthersLeft) {
  std::mt19937 random(20261128);
  double lost = 0;
  for (const KernelModel &model :
       {transposeTiled(2048, 32, 8), star2d(1040, 1000, 2, 32, 4)}) {
    Simulator simulator(model, h200());
    ScatterModel scatter(model, h200());
    Order order = rowMajor(model.grid);
    for (int repeat = 0; repeat < 4; ++repeat) {
      for (double prefix : {1.0, 0.25}) {
        SimulationOptions options;
        options.sampleShift = 4;
        options.prefix = prefix;
        Metrics alone = llvm::cantFail(simulate(model, h200(), order, options));
        Metrics after = llvm::cantFail(simulator.run(order, options));
        lost += alone.scatterUs;
        EXPECT_EQ(after.scatterUs, alone.scatterUs) << model.name;
        EXPECT_EQ(after.timeUs, alone.timeUs) << model.name;
      }
      auto tilesOf = [&](int64_t first, int64_t count) {
        return llvm::ArrayRef(order).slice(first, count).vec();
      };
      ScatterModel::Shares alone = ScatterModel(model, h200()).of(tilesOf),
                           after = scatter.of(tilesOf);
      EXPECT_EQ(after.reads, alone.reads) << model.name;
      EXPECT_EQ(after.writes, alone.writes) << model.name;
      std::shuffle(order.begin(), order.end(), random);
    }
  }
  EXPECT_GT(lost, 0);
}

} // namespace
