//===- LatencyTest.cpp - Tests of what workgroups wait for ----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Workgroups of one kernel go through a loop and wait in each iteration: for
// lines of their own or for one that all of their waves read, from memory or
// from the L2, or for none, where copies go on by themselves. How long they wait
// follows from that, and is worked out by hand.
//
//===----------------------------------------------------------------------===//

#include "Models.h"
#include "swizzle/Hardware/Database.h"
#include "swizzle/Simulation/Simulator.h"

#include "gtest/gtest.h"

using namespace swizzle;
using namespace swizzle::models;

namespace {

constexpr int64_t kIterations = 64, kWaves = 8, kLine = 128;
constexpr double kLookup = 200, kMemory = 500, kLoaded = 2;

/// An H200 whose latencies are round numbers, and all of a launch one phase.
HardwareSpec h200() {
  HardwareSpec hardware = llvm::cantFail(findChip("h200"));
  hardware.fitted["lookup_clocks"] = kLookup;
  hardware.fitted["memory_clocks"] = kMemory;
  hardware.fitted["loaded_latency"] = kLoaded;
  hardware.fitted["overlapping_generations"] = 0;
  return hardware;
}

struct Shape {
  int64_t workgroups = 132 * 8 * 2; ///< twice as many as fit on an H200
  int64_t reads = 4;                ///< in an iteration
  bool shared = false;              ///< all waves of a workgroup read one line
  /// Each workgroup reads what all others do. They are on units of their own,
  /// and find nothing of that in the first level.
  bool again = false;
  bool asynchronous = false;
  bool barrier = false; ///< behind each read
  bool guarded = false; ///< the last thread reads nothing
};

KernelModel loopOf(const Shape &shape) {
  KernelModel model = KernelModel::create({shape.workgroups}, {kWaves * 32});
  model.name = "waiting";
  if (shape.again)
    model.workgroupMemoryBytes = 128 * 1024;
  int64_t ofRead = shape.shared ? kLine : kWaves * kLine;
  int64_t ofWorkgroup = kIterations * shape.reads * ofRead;
  uint32_t in = addBuffer(
      model, "in", ofWorkgroup * (shape.again ? 1 : shape.workgroups), 4);
  Loop loop;
  loop.counter = model.addLoopCounter("k");
  loop.tripCounts = {makeConstant(kIterations)};
  AffineForm lane = shape.shared ? makeConstant(0) : tx(4);
  for (int64_t read = 0; read < shape.reads; ++read) {
    Access access =
        makeAccess(in, AccessKind::Read,
                   (shape.again ? makeConstant(0) : x(ofWorkgroup)) + lane +
                       makeVariable(loop.counter, shape.reads * ofRead) +
                       makeConstant(read * ofRead),
                   4);
    access.asynchronous = shape.asynchronous;
    loop.body.push_back({access});
    if (shape.barrier)
      loop.body.push_back({Barrier()});
  }
  if (shape.guarded) {
    Guard guard;
    guard.conditions = {atLeastZero(makeConstant(kWaves * 32 - 2) + tx(-1))};
    guard.body = std::move(loop.body);
    loop.body = {{guard}};
  }
  model.body.push_back({loop});
  return model;
}

struct Waited {
  double leastClocks = 0, clocks = 0; ///< of one workgroup after the other
};

Waited waited(const Shape &shape, const HardwareSpec &hardware = h200(),
              unsigned sampleShift = 0) {
  SimulationOptions options;
  options.sampleShift = sampleShift;
  Metrics metrics =
      llvm::cantFail(simulate(loopOf(shape), hardware, {}, options));
  for (const RooflineTerm &term : metrics.roofline)
    if (term.bound.kind == BoundKind::Latency)
      return {term.work / double(shape.workgroups),
              term.timeUs * 1e-6 * term.rate / double(shape.workgroups)};
  return {};
}

TEST(Latency, LinesFromMemoryTakeAsLongAsMemory) {
  Waited own = waited({});
  EXPECT_NEAR(own.leastClocks, kIterations * kLoaded * kLookup, 1e-6);
  EXPECT_NEAR(own.clocks, kIterations * kLoaded * kMemory, 1e-6);
}

TEST(Latency, LinesThatTheL2HasTakeAsLongAsTheL2) {
  Shape shape;
  shape.again = true;
  shape.workgroups = 132 * 2;
  Waited same = waited(shape);
  EXPECT_NEAR(same.leastClocks, kIterations * kLoaded * kLookup, 1e-6);
  // Some workgroup asks memory first, and those in step with it wait as well.
  EXPECT_GT(same.clocks, same.leastClocks);
  EXPECT_LT(same.clocks, waited({}).clocks);
}

/// Seven waves find in the first level what the eighth asked for, and wait as
/// long.
TEST(Latency, ALineThatAllWavesReadHoldsUpAllOfThem) {
  Shape shape;
  shape.shared = true;
  Waited shared = waited(shape);
  EXPECT_NEAR(shared.leastClocks, kIterations * kLoaded * kLookup, 1e-6);
  EXPECT_NEAR(shared.clocks, kIterations * kLoaded * kMemory, 1e-6);
}

/// A sample of the lines sees as much, on average.
TEST(Latency, ASampleTellsTheSame) {
  for (bool shared : {false, true}) {
    Shape shape;
    shape.shared = shared;
    Waited sampled = waited(shape, h200(), 3), all = waited(shape);
    EXPECT_NEAR(sampled.leastClocks / all.leastClocks, 1, 0.02);
    EXPECT_NEAR(sampled.clocks / all.clocks, 1, 0.02);
  }
}

/// As many iterations as make up the reads that are in flight at a time.
TEST(Latency, ABackEndUnrollsShortIterations) {
  for (int64_t reads : {1, 2, 4, 8}) {
    Shape shape;
    shape.reads = reads;
    double waits = double(kIterations) * std::min(1.0, double(reads) / 4);
    EXPECT_NEAR(waited(shape).leastClocks, waits * kLoaded * kLookup, 1e-6);
    // What ends at barriers does not come together.
    shape.barrier = true;
    EXPECT_NEAR(waited(shape).leastClocks,
                double(kIterations * reads) * kLoaded * kLookup, 1e-6);
  }
}

/// The end of an iteration is where it waits, whatever is around the reads.
TEST(Latency, GuardedReadsAreWaitedFor) {
  for (int64_t reads : {1, 4, 8}) {
    Shape shape;
    shape.reads = reads;
    Waited plain = waited(shape);
    shape.guarded = true;
    EXPECT_NEAR(waited(shape).leastClocks / plain.leastClocks, 1, 0.02);
    EXPECT_NEAR(waited(shape).clocks / plain.clocks, 1, 0.02);
  }
}

/// Of a few lines that all read, a sample keeps copies.
TEST(Latency, HotLinesAreWaitedForInASample) {
  Shape shape;
  shape.again = shape.shared = true;
  shape.workgroups = 132 * 4;
  Waited all = waited(shape), sampled = waited(shape, h200(), 4);
  EXPECT_GT(all.leastClocks, 0);
  EXPECT_NEAR(sampled.leastClocks / all.leastClocks, 1, 0.3);
}

TEST(Latency, NobodyWaitsForCopiesThatGoOnByThemselves) {
  Shape shape;
  shape.asynchronous = true;
  EXPECT_EQ(waited(shape).clocks, 0);
}

/// Slots without a workgroup wait for nothing: fewer workgroups than slots take
/// as long as one.
TEST(Latency, OneWorkgroupTakesAsLongAsMany) {
  auto usOf = [](int64_t workgroups) {
    Shape shape;
    shape.workgroups = workgroups;
    Metrics metrics = llvm::cantFail(simulate(loopOf(shape), h200(), {}));
    for (const RooflineTerm &term : metrics.roofline)
      if (term.bound.kind == BoundKind::Latency)
        return term.timeUs;
    return 0.0;
  };
  double all = usOf(132 * 8);
  EXPECT_GT(all, 0);
  for (int64_t workgroups : {1, 7, 132, 1000})
    EXPECT_NEAR(usOf(workgroups), all, 1e-6 * all) << workgroups;
  EXPECT_NEAR(usOf(2 * 132 * 8), 2 * all, 1e-6 * all);
}

TEST(Latency, NothingIsKnownOfMostChips) {
  HardwareSpec unknown = h200();
  unknown.fitted["loaded_latency"] = 0;
  EXPECT_EQ(waited({}, unknown).clocks, 0);
  EXPECT_EQ(waited({}, llvm::cantFail(findChip("mi300x"))).clocks, 0);
}

/// Of a product in which every thread makes an element, a column of the right
/// factor is read by whole tiles at a time: bands in which it stays in the L2
/// wait less than rows of tiles, at the same traffic of the first level.
TEST(Latency, DecidesBetweenOrdersOfANaiveProduct) {
  constexpr int64_t n = 4096, tiles = n / 32;
  KernelModel model = gemmNaive(n, 32, 32);
  Order bands;
  for (int64_t band = 0; band < tiles; band += 16)
    for (int64_t row = 0; row < tiles; ++row)
      for (int64_t column = band; column < band + 16; ++column)
        bands.push_back(row * tiles + column);
  HardwareSpec hardware = llvm::cantFail(findChip("h200"));
  SimulationOptions options;
  options.sampleShift = 4;
  options.prefix = 0.05;
  options.warmUp = 0.4;
  Order rows;
  for (int64_t i = 0; i < tiles * tiles; ++i)
    rows.push_back(i);
  auto us = [&](const Order &order) {
    return llvm::cantFail(simulate(model, hardware, order, options)).timeUs;
  };
  double slow = us(rows), fast = us(bands);
  EXPECT_GT(slow, 1.15 * fast);
  hardware.fitted["loaded_latency"] = 0;
  EXPECT_LT(us(rows), 1.1 * us(bands));
}

} // namespace
