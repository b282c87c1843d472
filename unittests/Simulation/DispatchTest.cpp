//===- DispatchTest.cpp - Which workgroups meet where ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dies and units get their workgroups in turn; who meets there shares what they
// read.
//
//===----------------------------------------------------------------------===//

#include "Models.h"
#include "Runs.h"

using namespace swizzle;
using namespace swizzle::models;

namespace {

TEST(Dispatch, SharesGoToDiesInTurn) {
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
TEST(Dispatch, UnitsStartInTheMeasuredOrder) {
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
TEST(Dispatch, WorkgroupsThatFollowEachOtherAreOnDifferentUnits) {
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
/// are merged and cost the cache nothing. All but the first wait for memory,
/// merged or not, and hold their slots meanwhile.
TEST(Dispatch, ReadsOfALineOnItsWayAreMergedAndWait) {
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
    EXPECT_NEAR(waits(model, hardware), 0.75, 1e-6) << each;
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

/// Each workgroup reads the lines of its tile, one in a step.
static KernelModel tiles(int64_t workgroups, int64_t steps) {
  KernelModel model = KernelModel::create({workgroups}, {32});
  model.name = "tiles";
  uint32_t in = addBuffer(model, "in", workgroups * steps * 128, 4);
  VariableId step = model.addLoopCounter("step");
  model.body = {{Loop{
      step,
      {makeConstant(steps)},
      {{makeAccess(in, AccessKind::Read,
                   x(steps * 128) + makeVariable(step, 128) + tx(4), 4)}}}}};
  EXPECT_EQ(verify(model), "");
  return model;
}

/// Two that are as far from each other as there are units read the same. Long
/// lives end as they began, and both may be on one unit; after short ones the
/// second is wherever a slot became free.
TEST(Dispatch, ShortLivesEndInAnyOrder) {
  HardwareSpec hardware = chip("h200");
  hardware.unitsPerDie = 64;
  hardware.dispatchOrder.clear();
  hardware.fitted["start_jitter_rounds"] = 1;
  auto hits = [&](int64_t steps) {
    KernelModel model = tiles(4096, steps);
    model.workgroupMemoryBytes = 128 << 10; // one on each unit
    Order order;
    for (uint32_t i = 0; i < 4096; ++i)
      order.push_back(i / 128 * 128 + i % 64);
    return *run(model, hardware, order).hitRate("l1");
  };
  // Some meet all the same, and in long lives many start a round apart.
  EXPECT_LT(2 * hits(1), hits(16));
  EXPECT_LT(2 * hits(3), hits(32));
}

/// Workgroups 2i and 2i + 1 read tile i. Where both run in one cluster of units,
/// the second read is merged.
TEST(Dispatch, NeighboursTendToStartInOneCluster) {
  auto merged = [](HardwareSpec hardware, double sameCluster, int64_t steps) {
    constexpr int64_t kTiles = 4096;
    hardware.fitted["same_cluster"] = sameCluster;
    KernelModel model = tiles(2 * kTiles, steps);
    model.workgroupMemoryBytes = 32 << 10; // few at a time
    Order order;
    for (uint32_t i = 0; i < 2 * kTiles; ++i)
      order.push_back(i / 2);
    Metrics metrics = run(model, hardware, order);
    for (const RooflineTerm &term : metrics.roofline)
      if (term.bound.kind == BoundKind::Cache && term.bound.level == "l2")
        return 1 - term.work / metrics.bytes("l2");
    return 1.0;
  };
  HardwareSpec hardware = chip("h200");
  hardware.fitted["start_jitter_rounds"] = 1;
  hardware.fitted["delivered_bytes_per_clock"] = 0;
  double any = merged(hardware, 0, 2), some = merged(hardware, 0.3, 2),
         most = merged(hardware, 1, 2);
  EXPECT_GT(any, 0);
  EXPECT_GT(some, 1.2 * any);
  EXPECT_GT(most, 1.2 * some);
  // Less often where starting workgroups is not all that takes time.
  hardware.fitted["workgroups_per_clock"] = 1e3;
  EXPECT_LT(merged(hardware, 1, 2), some);
  // Those in step end as they began, whatever is said.
  EXPECT_EQ(merged(hardware, 1, 32), merged(hardware, 0, 32));
}

/// What workgroups keep in workgroup memory, a unified array lacks as cache,
/// whichever of its sizes the file of the chip gives.
TEST(Dispatch, WorkgroupMemoryTakesFromAUnifiedArray) {
  // Each workgroup reads 64 KiB twice.
  KernelModel model = KernelModel::create({4}, {32});
  model.name = "twice";
  uint32_t in = addBuffer(model, "in", 4 * 65536, 4);
  VariableId pass = model.addLoopCounter("pass");
  VariableId line = model.addLoopCounter("line");
  Loop inner{line,
             {makeConstant(512)},
             {{makeAccess(in, AccessKind::Read,
                          x(65536) + makeVariable(line, 128) + tx(4), 4)}}};
  model.body = {{Loop{pass, {makeConstant(2)}, {{inner}}}}};
  ASSERT_EQ(verify(model), "");
  HardwareSpec hardware = chip("h200");
  hardware.unitsPerDie = 4;
  hardware.dispatchOrder.clear();
  hardware.workgroupsPerUnit = 1;
  CacheLevel &first = *hardware.find("l1");
  for (auto [bytes, effective] :
       {std::pair<std::optional<int64_t>, std::optional<int64_t>>(262144,
                                                                  229376),
        {262144, std::nullopt},
        {std::nullopt, 229376},
        {std::nullopt, std::nullopt}}) {
    first.bytes = bytes;
    first.effectiveBytes = effective;
    model.workgroupMemoryBytes = 0;
    EXPECT_EQ(run(model, hardware).hitRate("l1"), 0.5);
    model.workgroupMemoryBytes = 200 << 10;
    EXPECT_LT(run(model, hardware).hitRate("l1"), 0.1);
  }
}

} // namespace
