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
#include "Runs.h"

#include <cmath>

using namespace swizzle;
using namespace swizzle::models;

namespace {

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

/// All lines of one access are listed before any is simulated.
TEST(Simulator, RefusesAccessesOfVeryManyLines) {
  KernelModel model = KernelModel::create({4}, {32});
  model.name = "copies";
  uint32_t in = addBuffer(model, "in", int64_t(1) << 40, 4);
  auto messageFor = [&](Access access) {
    model.body = {{access}};
    llvm::Expected<Metrics> metrics = simulate(model, chip("h200"), {});
    return metrics ? "" : llvm::toString(metrics.takeError());
  };
  Access large = makeAccess(in, AccessKind::Read, x(1 << 30), 1 << 30);
  EXPECT_EQ(messageFor(large),
            "one access of copies moves 1073741824 bytes a thread at a time, "
            "some 268435456 cache lines a workgroup; at most 4194304 can be "
            "simulated");
  large.issuer = Issuer::Workgroup;
  EXPECT_NE(messageFor(large), "");
  large.bytes = 128;
  large.box = {{1 << 12, 128}, {1 << 12, 1 << 20}};
  EXPECT_NE(messageFor(large), "");
  large.bytes = 1 << 20;
  large.box.clear();
  EXPECT_EQ(messageFor(large), "");
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
  KernelModel many = elementwise(int64_t(1) << 27, 1, 4, 1);
  EXPECT_EQ(llvm::toString(Simulator(many, deep).check()), "");
  many.grid = {1 << 12, 1 << 14, 1}; // 64 M workgroups, 268 M fit
  EXPECT_NE(llvm::toString(Simulator(many, deep).check())
                .find("at most 1048575 can be simulated"),
            std::string::npos);
}

} // namespace
