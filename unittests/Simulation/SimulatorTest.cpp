//===- SimulatorTest.cpp - Counts and refusals of the simulator -----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What must hold whatever the constants are: compulsory traffic, conservation,
// determinism, and refusals that say what is wrong.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Simulation/Simulator.h"
#include "Models.h"
#include "swizzle/Hardware/Database.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace swizzle;
using namespace swizzle::models;

namespace {

Metrics run(const KernelModel &model, const HardwareSpec &hardware,
            llvm::ArrayRef<uint32_t> order = {},
            const SimulationOptions &options = {}) {
  llvm::Expected<Metrics> metrics = simulate(model, hardware, order, options);
  if (!metrics) {
    ADD_FAILURE() << llvm::toString(metrics.takeError());
    return {};
  }
  return *metrics;
}

HardwareSpec chip(const char *name) { return llvm::cantFail(findChip(name)); }

TEST(Simulator, StreamingMovesEachByteOnce) {
  // 2 inputs and 1 output of 4 MiB.
  KernelModel model = elementwise(1 << 20, 2, 4, 1);
  for (const char *name : {"h200", "mi300x", "mi250x", "rx7900xtx"}) {
    Metrics metrics = run(model, chip(name));
    EXPECT_EQ(metrics.dramReadBytes, 2.0 * (4 << 20)) << name;
    EXPECT_EQ(metrics.dramWriteBytes, 1.0 * (4 << 20)) << name;
    EXPECT_EQ(metrics.bytes("l2"), 3.0 * (4 << 20)) << name;
    EXPECT_EQ(metrics.hitRate("l1"), 0.0) << name;
    EXPECT_DOUBLE_EQ(metrics.lineAccesses, 3.0 * (4 << 20) / 128) << name;
  }
}

TEST(Simulator, IsDeterministic) {
  KernelModel model = gemmFp16(1024, 1024, 512);
  Metrics a = run(model, chip("mi300x")), b = run(model, chip("mi300x"));
  EXPECT_EQ(a.dramReadBytes, b.dramReadBytes);
  EXPECT_EQ(a.hitRate("l2"), b.hitRate("l2"));
  EXPECT_EQ(a.timeUs, b.timeUs);
}

/// A chip with `dies` dies of `units` compute units and an L2 of `l2Bytes`
/// each.
HardwareSpec manyDies(int64_t dies, int64_t units, int64_t l2Bytes) {
  HardwareSpec hardware = chip("mi300x");
  hardware.name = "dies" + std::to_string(dies);
  hardware.numDies = dies;
  hardware.unitsPerDie = units;
  hardware.find("l2")->bytes = l2Bytes;
  hardware.levels.resize(2);
  return hardware;
}

Order shuffled(const Grid &grid, uint32_t seed) {
  Order order = rowMajor(grid);
  for (size_t i = order.size(); i > 1; --i) {
    seed = seed * 1664525u + 1013904223u;
    std::swap(order[i - 1], order[seed % i]);
  }
  return order;
}

TEST(Simulator, CompulsoryTrafficDoesNotDependOnTheOrder) {
  // Caches larger than all data: each die reads what it needs once, and a
  // chip with one die reads every byte once.
  constexpr int64_t large = 64 << 20;
  KernelModel kernels[] = {star2d(512, 384, 2, 32, 4), gemmFp16(512, 384, 256),
                           transposeNaive(256, 16, 16)};
  double bytes[] = {4.0 * (512 * 384 - 4 * 4), 2.0 * (512 * 256 + 256 * 384),
                    4.0 * 256 * 256};
  for (size_t i = 0; i < std::size(kernels); ++i) {
    const KernelModel &model = kernels[i];
    Metrics plain = run(model, manyDies(1, 40, large));
    EXPECT_NEAR(plain.dramReadBytes, bytes[i], 128 * 16) << model.name;
    for (uint32_t seed : {1u, 2u, 3u}) {
      Metrics other =
          run(model, manyDies(1, 40, large), shuffled(model.grid, seed));
      EXPECT_EQ(other.dramReadBytes, plain.dramReadBytes) << model.name;
      EXPECT_EQ(other.dramWriteBytes, plain.dramWriteBytes) << model.name;
      EXPECT_EQ(other.lineAccesses, plain.lineAccesses) << model.name;
    }
  }
}

TEST(Simulator, AnyNumberOfDiesSharesTheWork) {
  KernelModel model = star2d(520, 388, 1, 32, 4); // 17 x 97 workgroups
  for (int64_t dies : {1, 3, 4, 6, 7, 8}) {
    Metrics metrics = run(model, manyDies(dies, 5, 1 << 20));
    double compulsory = 4.0 * (520 * 388 - 4);
    EXPECT_GE(metrics.dramReadBytes, compulsory) << dies;
    // No die reads more than everything.
    EXPECT_LE(metrics.dramReadBytes, dies * (compulsory + 128 * 388)) << dies;
    EXPECT_GE(metrics.dieImbalance, 1) << dies;
    EXPECT_LT(metrics.dieImbalance, 1.05) << dies;
    EXPECT_LE(*metrics.hitRate("l2"), 1) << dies;
  }
}

TEST(Simulator, SharesGoToDiesInTurn) {
  // All of a row is read by workgroups that land on one die: each line is
  // fetched once. In row-major order each die reads all of it.
  KernelModel model = KernelModel::create({8, 64}, {64});
  model.name = "rows";
  uint32_t in = addBuffer(model, "in", 64 * 4096, 4);
  uint32_t out = addBuffer(model, "out", 8 * 64 * 256, 4);
  model.body.push_back({makeAccess(in, AccessKind::Read, y(4096) + tx(4), 4)});
  model.body.push_back(
      {makeAccess(out, AccessKind::Write, x(256) + y(2048) + tx(4), 4)});
  HardwareSpec hardware = manyDies(8, 4, 1 << 20);
  EXPECT_EQ(run(model, hardware).dramReadBytes, 8 * 64 * 256.0);
  EXPECT_EQ(
      run(model, hardware, chunked(rowMajor(model.grid), 8)).dramReadBytes,
      64 * 256.0);
  // A chunk of 8 workgroups at a time does the same without a remap.
  hardware.dispatchChunk = 8;
  EXPECT_EQ(run(model, hardware).dramReadBytes, 64 * 256.0);
}

/// Which unit starts first matters where some share a cache: two workgroups
/// that read the same lines ask the level behind it once if they meet there.
TEST(Simulator, UnitsStartInTheMeasuredOrder) {
  KernelModel model = KernelModel::create({8}, {64});
  model.name = "pairs";
  uint32_t in = addBuffer(model, "in", 4 * 256, 4);
  for (int i = 0; i < 4; ++i) // the second of a pair comes later
    model.body.push_back({makeAccess(in, AccessKind::Read, tx(4), 4)});
  HardwareSpec hardware = manyDies(1, 8, 1 << 20);
  CacheLevel shared;
  shared.name = "gl1";
  shared.scope = CacheScope::Cluster;
  shared.unitsPerCluster = 4;
  shared.bytes = 1 << 16;
  hardware.levels.insert(hardware.levels.begin() + 1, shared);
  model.grid = Grid(4);
  auto l2Bytes = [&](std::vector<int64_t> order) {
    hardware.dispatchOrder = std::move(order);
    return run(model, hardware).bytes("l2");
  };
  // Four workgroups on one cluster, and on two.
  double one = l2Bytes({});
  EXPECT_EQ(l2Bytes({0, 1, 2, 3, 4, 5, 6, 7}), one);
  EXPECT_EQ(l2Bytes({4, 5, 6, 7, 0, 1, 2, 3}), one);
  EXPECT_EQ(l2Bytes({0, 4, 1, 5, 2, 6, 3, 7}), 2 * one);

  // Dies that have all for themselves are as good as each other.
  KernelModel star = star2d(520, 388, 1, 32, 4);
  hardware = manyDies(2, 2, 1 << 20);
  Metrics plain = run(star, hardware);
  hardware.dispatchOrder = {3, 0, 2, 1};
  Metrics measured = run(star, hardware);
  EXPECT_EQ(measured.dramReadBytes, plain.dramReadBytes);
  EXPECT_EQ(measured.timeUs, plain.timeUs);
}

/// However many workgroups end together, those that follow each other are on
/// different units: neighbours that read the same do not meet in a first level.
TEST(Simulator, WorkgroupsThatFollowEachOtherAreOnDifferentUnits) {
  KernelModel model = KernelModel::create({64}, {32});
  model.name = "neighbours";
  uint32_t in = addBuffer(model, "in", 64 * 128, 4);
  model.body.push_back({makeAccess(in, AccessKind::Read, x(128) + tx(4), 4)});
  HardwareSpec hardware = chip("h200");
  hardware.unitsPerDie = 4;
  hardware.dispatchOrder.clear();
  hardware.workgroupsPerUnit = 2;
  hardware.fitted["start_jitter_rounds"] = 0;
  // Workgroups 2i and 2i + 1 work on tile i.
  Order pairs;
  for (uint32_t i = 0; i < 64; ++i)
    pairs.push_back(i / 2);
  EXPECT_EQ(run(model, hardware, pairs).hitRate("l1"), 0);
  // Where those that end together are followed by consecutive ones, some find
  // what their neighbour read.
  hardware.fitted["followers_together"] = 1;
  EXPECT_GT(run(model, hardware, pairs).hitRate("l1"), 0.1);
  // Of another vendor's chip that is assumed, but its file may say otherwise.
  HardwareSpec other = manyDies(1, 4, 1 << 20);
  other.workgroupsPerUnit = 2;
  other.fitted["start_jitter_rounds"] = 0;
  EXPECT_GT(run(model, other, pairs).hitRate("l1"), 0.1);
  other.fitted["followers_together"] = 0;
  EXPECT_EQ(run(model, other, pairs).hitRate("l1"), 0);
  // Four apart they are on the same unit in turn.
  hardware.fitted["followers_together"] = 0;
  for (uint32_t i = 0; i < 64; ++i)
    pairs[i] = i / 8 * 4 + i % 4;
  EXPECT_EQ(run(model, hardware, pairs).hitRate("l1"), 0.5);
}

/// Four units read one line at once: of those in a cluster, all but the first
/// are merged and cost the cache nothing; of others, all but the first wait for
/// memory, and hold their slots meanwhile.
TEST(Simulator, ReadsOfALineOnItsWayAreMergedAndWait) {
  KernelModel model = KernelModel::create({4}, {32});
  model.name = "same";
  uint32_t in = addBuffer(model, "in", 256, 4);
  model.body.push_back({makeAccess(in, AccessKind::Read, tx(4), 4)});
  HardwareSpec hardware = chip("h200");
  hardware.unitsPerDie = 4;
  hardware.dispatchOrder.clear();
  hardware.find("l2")->partitions = 1;
  hardware.fitted["start_jitter_rounds"] = 0;
  hardware.fitted["waiting_clocks"] = 1;
  hardware.fitted.erase("delivered_bytes_per_clock");
  auto hits = [&](double unitsPerCluster) {
    hardware.fitted["units_per_cluster"] = unitsPerCluster;
    return run(model, hardware).hitRate("l2");
  };
  EXPECT_EQ(hits(1), 3.0 / 4); // all four are looked up
  EXPECT_EQ(hits(2), 1.0 / 2);
  EXPECT_EQ(hits(4), 0);
  // No more than so many are one.
  hardware.fitted["reads_per_lookup"] = 2;
  EXPECT_EQ(hits(4), 1.0 / 2);
  hardware.fitted["reads_per_lookup"] = 3;
  EXPECT_EQ(hits(4), 1.0 / 2);
  hardware.fitted["reads_per_lookup"] = 1;
  EXPECT_EQ(hits(4), 3.0 / 4);
  hardware.fitted["reads_per_lookup"] = 4;
  auto asked = [&](const Metrics &metrics) {
    for (const RooflineTerm &term : metrics.roofline)
      if (term.bound.kind == BoundKind::Cache && term.bound.level == "l2")
        return term.work;
    return 0.0;
  };
  auto started = [&](const Metrics &metrics) {
    for (const RooflineTerm &term : metrics.roofline)
      if (term.bound.kind == BoundKind::Launch)
        return term.timeUs;
    return 0.0;
  };
  // In clocks of the one generation that there is.
  auto waits = [&](const KernelModel &kernel, HardwareSpec on) {
    on.fitted["waiting_clocks"] = 1e5;
    double with = started(run(kernel, on));
    on.fitted["waiting_clocks"] = 0;
    return (with - started(run(kernel, on))) * 1e-6 * *on.clockHz / 1e5 *
           double(occupancy(kernel, on)) * double(on.unitsPerDie) /
           double(kernel.grid.count());
  };
  for (double each : {1, 2, 4}) {
    hardware.fitted["units_per_cluster"] = each;
    EXPECT_EQ(run(model, hardware).bytes("l2"), 4 * 128);
    EXPECT_EQ(asked(run(model, hardware)), 4 / each * 128) << each;
    EXPECT_NEAR(waits(model, hardware), (4 / each - 1) / 4, 1e-6) << each;
  }
  // Of other vendors' chips nothing of the kind is assumed, but may be said.
  HardwareSpec other = manyDies(1, 4, 1 << 20);
  other.fitted["start_jitter_rounds"] = 0;
  double assumed = started(run(model, other));
  other.fitted["waiting_clocks"] = 1;
  EXPECT_GT(started(run(model, other)), assumed);
  // In a loop, only those of its first iteration wait.
  hardware.fitted["units_per_cluster"] = 1;
  for (int64_t trips : {1, 3}) {
    KernelModel loops = model;
    VariableId k = loops.addLoopCounter("k");
    loops.buffers[in].bytes = 256 * trips;
    loops.body = {{Loop{k,
                        {makeConstant(trips)},
                        {{makeAccess(in, AccessKind::Read,
                                     tx(4) + makeVariable(k, 256), 4)}}}}};
    ASSERT_EQ(verify(loops), "");
    EXPECT_EQ(run(loops, hardware).bytes("l2"), trips * 4 * 128);
    EXPECT_NEAR(waits(loops, hardware), 0.75, 1e-6) << trips;
  }
  // No more than one read a wave is counted, on average.
  KernelModel twice = model;
  twice.buffers[in].bytes = 512;
  twice.body.push_back(
      {makeAccess(in, AccessKind::Read, tx(4) + makeConstant(256), 4)});
  EXPECT_NEAR(waits(twice, hardware), 1, 1e-6);
  // Nobody else reads it: nobody waits.
  EXPECT_EQ(waits(elementwise(1 << 16, 2, 4, 1), hardware), 0);
}

/// Two that are as far from each other as there are units read the same. Long
/// lives end as they began, and both may be on one unit; after short ones the
/// second is wherever a slot became free.
TEST(Simulator, ShortLivesEndInAnyOrder) {
  HardwareSpec hardware = chip("h200");
  hardware.unitsPerDie = 64;
  hardware.dispatchOrder.clear();
  hardware.fitted["start_jitter_rounds"] = 1;
  auto hits = [&](int64_t steps) {
    KernelModel model = KernelModel::create({4096}, {32});
    model.name = "life";
    model.workgroupMemoryBytes = 128 << 10; // one on each unit
    uint32_t in = addBuffer(model, "in", 4096 * steps * 128, 4);
    VariableId step = model.addLoopCounter("step");
    model.body = {{Loop{
        step,
        {makeConstant(steps)},
        {{makeAccess(in, AccessKind::Read,
                     x(steps * 128) + makeVariable(step, 128) + tx(4), 4)}}}}};
    EXPECT_EQ(verify(model), "");
    Order order;
    for (uint32_t i = 0; i < 4096; ++i)
      order.push_back(i / 128 * 128 + i % 64);
    return *run(model, hardware, order).hitRate("l1");
  };
  // Some meet all the same, and in long lives many start a round apart.
  EXPECT_LT(2 * hits(1), hits(16));
  EXPECT_LT(2 * hits(3), hits(32));
}

TEST(Simulator, AwkwardGrids) {
  for (Grid grid : {Grid(1), Grid(1, 1, 257), Grid(1, 997), Grid(991),
                    Grid(7, 11, 13), Grid(3)}) {
    KernelModel model = KernelModel::create(grid, {33});
    model.name = "awkward";
    uint32_t buffer = addBuffer(model, "a", grid.count() * 132, 4);
    model.body.push_back({makeAccess(
        buffer, AccessKind::Read,
        x(132) + y(132 * grid.x()) + z(132 * grid.x() * grid.y()) + tx(4), 4)});
    for (const char *name : {"h200", "mi300x", "mi300a", "rx7900xtx"}) {
      Metrics metrics = run(model, chip(name), shuffled(grid, 5));
      EXPECT_GE(metrics.dramReadBytes, grid.count() * 132.0) << name;
      EXPECT_LE(metrics.lineAccesses, grid.count() * 4.0) << name;
    }
  }
}

TEST(Simulator, SampleIsWithinItsStatedError) {
  KernelModel kernels[] = {gemmFp16(2048, 2048, 1024),
                           star2d(2048, 2048, 4, 32, 8),
                           rowwise(4096, 4096, 3, 4, 1)};
  for (const KernelModel &model : kernels)
    for (const char *name : {"h200", "mi300x"}) {
      HardwareSpec hardware = chip(name);
      // Small enough that capacity matters.
      hardware.find("l2")->bytes = hardware.find("l2")->effectiveBytes = 1
                                                                         << 20;
      Metrics full = run(model, hardware);
      EXPECT_EQ(full.samplingError, 0);
      for (unsigned shift : {2u, 4u}) {
        SimulationOptions options;
        options.sampleShift = shift;
        Metrics sampled = run(model, hardware, {}, options);
        double read = full.dramReadBytes + full.dramWriteBytes;
        double other = sampled.dramReadBytes + sampled.dramWriteBytes;
        EXPECT_NEAR(other / read, 1, 4 * sampled.samplingError + 0.03)
            << model.name << " on " << name << " one in " << (1 << shift);
        EXPECT_EQ(sampled.lineAccesses, full.lineAccesses);
      }
    }
}

TEST(Simulator, PrefixStatesItsError) {
  KernelModel model = star3d(512, 512, 32, 1);
  HardwareSpec hardware = chip("h200");
  hardware.find("l2")->effectiveBytes = 4 << 20;
  Metrics full = run(model, hardware);
  SimulationOptions options;
  options.prefix = 0.25;
  Metrics prefix = run(model, hardware, {}, options);
  EXPECT_GT(prefix.samplingError, 0);
  double all = full.dramReadBytes + full.dramWriteBytes;
  double part = prefix.dramReadBytes + prefix.dramWriteBytes;
  EXPECT_NEAR(part / all, 1, 2 * prefix.samplingError + 0.02);
}

TEST(Simulator, PrefixCountsWhatIsWrittenLater) {
  // All read as much; the second half of the workgroups writes, too.
  KernelModel model = elementwise(1 << 20, 1, 4, 1);
  Statement write = std::move(model.body.back());
  ASSERT_EQ(std::get<Access>(write.node).kind, AccessKind::Write);
  model.body.pop_back();
  Guard guard;
  guard.conditions = {atLeastZero(x() - makeConstant(model.grid.count() / 2))};
  guard.body = {std::move(write)};
  model.body.push_back({std::move(guard)});
  Metrics full = run(model, chip("h200"));
  SimulationOptions options;
  options.prefix = 0.75;
  Metrics prefix = run(model, chip("h200"), {}, options);
  EXPECT_LT(prefix.dramWriteBytes / full.dramWriteBytes, 0.9);
  EXPECT_GT(prefix.samplingError, 0.02);
  EXPECT_NEAR(prefix.dramBytes() / full.dramBytes(), 1,
              2 * prefix.samplingError);
}

TEST(Simulator, NamesTheBottleneck) {
  KernelModel model = elementwise(1 << 20, 2, 4, 4);
  Metrics metrics = run(model, chip("h200"));
  EXPECT_EQ(describeBottleneck(metrics).text, "memory-bound: DRAM");
  Compute compute;
  compute.flops = 1e6;
  model.body.push_back({compute});
  metrics = run(model, chip("h200"));
  EXPECT_EQ(describeBottleneck(metrics).text,
            "not memory-bound: vector arithmetic");
  EXPECT_FALSE(describeBottleneck(metrics).memoryBound);
  // A remap's instructions cost vector time.
  SimulationOptions options;
  options.remapInstructions = 1000;
  EXPECT_GT(run(model, chip("h200"), {}, options).timeUs, metrics.timeUs);
}

TEST(Simulator, TermsOfTheRooflineSayTheirWork) {
  Metrics metrics = run(gemmFp16(1024, 1024, 512), chip("mi300x"));
  double flops = 0, squares = 0;
  for (const RooflineTerm &term : metrics.roofline) {
    EXPECT_DOUBLE_EQ(term.timeUs, term.work / term.rate * 1e6);
    squares += term.timeUs * term.timeUs;
    if (term.bound.kind == BoundKind::Vector ||
        term.bound.kind == BoundKind::Tensor)
      flops += term.work;
    if (term.bound.isDram())
      EXPECT_EQ(term.work, metrics.dramBytes());
  }
  EXPECT_EQ(flops, 2.0 * 1024 * 1024 * 512);
  EXPECT_DOUBLE_EQ(metrics.timeUs, std::sqrt(squares));
  // Instructions of a remap are in the time, not in the work.
  SimulationOptions options;
  options.remapInstructions = 100;
  Metrics remapped =
      run(elementwise(1 << 20, 2, 4, 1), chip("mi300x"), {}, options);
  for (const RooflineTerm &term : remapped.roofline)
    if (term.bound.kind == BoundKind::Vector)
      EXPECT_GT(term.timeUs, term.rate > 0 ? term.work / term.rate * 1e6 : 0);
}

TEST(Simulator, OccupancyTakesTheTightestLimit) {
  HardwareSpec hardware = chip("h200"); // 2048 threads, 64 Ki registers
  KernelModel model = elementwise(1 << 20, 1, 4, 1);
  EXPECT_EQ(occupancy(model, hardware), 8);
  model.registersPerThread = 128;
  EXPECT_EQ(occupancy(model, hardware), 2);
  model.registersPerThread = 0;
  model.workgroupMemoryBytes = 60 << 10;
  EXPECT_EQ(occupancy(model, hardware), 3);
  model.workgroupMemoryBytes = 1 << 20;
  EXPECT_EQ(occupancy(model, hardware), 0);
}

TEST(Simulator, TwoPartitionsCountBothLookUps) {
  // Streaming reads miss near and far; a full write is a hit wherever it goes.
  Metrics read = run(rowwise(64, 8192, 1, 4, 1), chip("h200"));
  EXPECT_NEAR(*read.hitRate("l2"), 0.5, 0.02); // as many writes as reads
  EXPECT_NEAR(*read.find("l2")->logicalHitRate, 0.5, 0.02);
}

TEST(Simulator, RefusesWhatItCannotSimulate) {
  KernelModel model = elementwise(1 << 16, 1, 4, 1);
  auto message = [&](const KernelModel &m, llvm::ArrayRef<uint32_t> order,
                     const SimulationOptions &options) {
    return llvm::toString(
        simulate(m, chip("h200"), order, options).takeError());
  };
  uint32_t few[] = {0, 1};
  EXPECT_EQ(message(model, few, {}),
            "the order has 2 workgroups, the grid of elementwise has 256");
  KernelModel empty = KernelModel::create({4}, {32});
  empty.name = "empty";
  EXPECT_EQ(message(empty, {}, {}),
            "no access of empty to global memory is modelled");
  KernelModel large = model;
  large.workgroupMemoryBytes = 1 << 20;
  EXPECT_EQ(message(large, {}, {}),
            "a workgroup of elementwise needs 1048576 bytes of workgroup "
            "memory, a compute unit has 233472 (h200)");
  SimulationOptions options;
  options.prefix = 0;
  EXPECT_NE(message(model, {}, options).find("above 0"), std::string::npos);
}

TEST(Simulator, RefusesChipsThatItCannotHold) {
  KernelModel model = elementwise(1 << 16, 1, 4, 1);
  HardwareSpec wide = chip("mi300x");
  wide.numDies = 1024;
  wide.unitsPerDie = 1000;
  std::string message = "mi300x has 1024000 compute units; at most 65536 can "
                        "be simulated";
  EXPECT_EQ(llvm::toString(simulate(model, wide, {}).takeError()), message);
  EXPECT_EQ(llvm::toString(Simulator(model, wide).check()), message);

  HardwareSpec deep = chip("mi300x");
  deep.numDies = 64;
  deep.unitsPerDie = 1024;
  deep.threadsPerUnit = int64_t(1) << 20;
  deep.workgroupsPerUnit = 65536;
  deep.registersPerUnit = int64_t(1) << 28;
  KernelModel many = elementwise(int64_t(1) << 30, 1, 4, 1);
  EXPECT_EQ(llvm::toString(Simulator(many, deep).check()), "");
  many.grid = {1 << 12, 1 << 14, 1}; // 64 M workgroups, 268 M fit
  EXPECT_NE(llvm::toString(Simulator(many, deep).check())
                .find("at most 16777215 can be simulated"),
            std::string::npos);
}

} // namespace
