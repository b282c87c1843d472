//===- LaunchesTest.cpp - What a launch finds that others leave -----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Repeated launches: caches that a whole chip shares are warm, those of single
// dies are not. And what a read that the last level answers costs a workgroup.
//
//===----------------------------------------------------------------------===//

#include "Models.h"
#include "swizzle/Hardware/Database.h"
#include "swizzle/Metrics/Metrics.h"
#include "swizzle/Simulation/Simulator.h"

#include <gtest/gtest.h>

using namespace swizzle;
using namespace swizzle::models;

namespace {

constexpr int64_t kMebibyte = int64_t(1) << 20;

/// Each byte of `mebibytes` is read, or written, by one workgroup.
KernelModel onceEach(AccessKind kind, int64_t mebibytes) {
  KernelModel model = KernelModel::create({mebibytes * 256}, {256});
  model.name = "once_each";
  uint32_t buffer = addBuffer(model, "buffer", mebibytes * kMebibyte, 16);
  model.body = {{makeAccess(buffer, kind, x(4096) + tx(16), 16)}};
  return model;
}

Metrics simulateIn(const KernelModel &model, const HardwareSpec &hardware,
                   unsigned launches, unsigned sampleShift = 2) {
  SimulationOptions options;
  options.launches = launches;
  options.sampleShift = sampleShift;
  llvm::Expected<Metrics> metrics = simulate(model, hardware, {}, options);
  if (!metrics) {
    ADD_FAILURE() << llvm::toString(metrics.takeError());
    return Metrics();
  }
  return *metrics;
}

double hits(const Metrics &metrics, const char *level) {
  const LevelMetrics *found = metrics.find(level);
  return found && found->hitRate ? *found->hitRate : -1;
}

TEST(Launches, OneL2IsWarm) {
  KernelModel model = onceEach(AccessKind::Read, 16);
  HardwareSpec hardware = llvm::cantFail(findChip("h200"));
  Metrics first = simulateIn(model, hardware, 1);
  EXPECT_NEAR(first.dramReadBytes, 16 * kMebibyte, 0.02 * 16 * kMebibyte);
  for (unsigned launches : {2, 3}) {
    Metrics later = simulateIn(model, hardware, launches);
    EXPECT_EQ(later.dramReadBytes, 0) << launches;
    EXPECT_DOUBLE_EQ(later.lineAccesses, first.lineAccesses) << launches;
  }
}

TEST(Launches, L2sOfDiesAreColdAndTheLastLevelIsWarm) {
  KernelModel model = onceEach(AccessKind::Read, 16);
  HardwareSpec hardware = llvm::cantFail(findChip("mi300x"));
  Metrics first = simulateIn(model, hardware, 1);
  Metrics later = simulateIn(model, hardware, 2);
  EXPECT_EQ(hits(first, "llc"), 0);
  EXPECT_EQ(hits(later, "llc"), 1);
  EXPECT_EQ(later.dramReadBytes, 0);
  EXPECT_EQ(hits(later, "l2"), hits(first, "l2"));
}

/// 768 MiB go through 256, whatever was there before.
TEST(Launches, WhatDoesNotFitIsReadAgain) {
  KernelModel model = onceEach(AccessKind::Read, 768);
  HardwareSpec hardware = llvm::cantFail(findChip("mi300x"));
  double once = simulateIn(model, hardware, 1, 5).dramReadBytes;
  EXPECT_NEAR(simulateIn(model, hardware, 2, 5).dramReadBytes, once,
              0.05 * once);
}

/// Lines that stay dirty from launch to launch are written by none; of more
/// than the caches hold, each launch writes as much as it dirties.
TEST(Launches, AreWrittenAsOftenAsTheyLeave) {
  for (const char *chip : {"h200", "mi300x"}) {
    HardwareSpec hardware = llvm::cantFail(findChip(chip));
    KernelModel small = onceEach(AccessKind::Write, 16);
    EXPECT_NEAR(simulateIn(small, hardware, 1).dramWriteBytes, 16 * kMebibyte,
                0.02 * 16 * kMebibyte);
    EXPECT_EQ(simulateIn(small, hardware, 2).dramWriteBytes, 0) << chip;
    KernelModel large = onceEach(AccessKind::Write, 768);
    double once = simulateIn(large, hardware, 1, 5).dramWriteBytes;
    EXPECT_NEAR(simulateIn(large, hardware, 3, 5).dramWriteBytes, once,
                0.05 * once)
        << chip;
  }
}

TEST(Launches, AreWhole) {
  KernelModel model = onceEach(AccessKind::Read, 16);
  HardwareSpec hardware = llvm::cantFail(findChip("h200"));
  auto refusal = [&](auto change) {
    SimulationOptions options;
    options.launches = 2;
    change(options);
    llvm::Expected<Metrics> metrics = simulate(model, hardware, {}, options);
    return metrics ? "" : llvm::toString(metrics.takeError());
  };
  const char *whole = "what is repeated must be the whole launch";
  EXPECT_EQ(refusal([](SimulationOptions &o) { o.prefix = 0.5; }), whole);
  EXPECT_EQ(refusal([](SimulationOptions &o) { o.depth = 0.5; }), whole);
  EXPECT_EQ(refusal([](SimulationOptions &o) { o.mostWork = 1e6; }), whole);
  for (unsigned launches : {0u, kMostLaunches + 1})
    EXPECT_EQ(refusal([&](SimulationOptions &o) { o.launches = launches; }),
              "a launch can be repeated 1 to 1000 times");
}

/// Workgroups go through one stream that is four times their die's L2, up to a
/// place of their own each: they begin as others end, and those that read from
/// the last level have to be caught up with for the stream to be shared. (As in
/// causal attention with the blocks of queries first: docs/amd.md.)
TEST(LastLevelDelay, LetsWorkgroupsFallIntoStep) {
  constexpr int64_t blocks = 128, heads = 8, stepBytes = 2048;
  KernelModel model = KernelModel::create({blocks, heads}, {128});
  model.name = "up_to_the_diagonal";
  uint32_t stream = addBuffer(model, "stream", blocks * 4 * stepBytes, 16);
  VariableId step = model.addLoopCounter("step");
  model.body = {
      {Loop{step,
            {x(4) + makeConstant(4)},
            {{makeAccess(stream, AccessKind::Read,
                         makeVariable(step, stepBytes) + tx(16), 16)}}}}};
  ASSERT_EQ(verify(model), "");
  HardwareSpec hardware = llvm::cantFail(findChip("mi355x"));
  hardware.workgroupsPerUnit = 1;
  hardware.find("l1")->effectiveBytes = 1024;
  hardware.find("l2")->effectiveBytes = blocks * stepBytes;
  auto hitsWith = [&](double delay) {
    hardware.fitted["last_level_delay"] = delay;
    return hits(simulateIn(model, hardware, 1, 0), "l2");
  };
  double unheeded = hitsWith(0), heeded = hitsWith(0.2);
  EXPECT_GT(heeded, unheeded + 0.05);
}

/// Atomics of several dies: each has the same lines dirty in an L2 of its own,
/// and the last level, or the one behind it, gathers them. In a part of a
/// launch they are written once, not once for each die.
TEST(Launches, WhatSeveralDiesUpdateIsWrittenOnce) {
  // Odd rows, so that a line's turn comes on all dies.
  KernelModel model = KernelModel::create({255, 64}, {256});
  model.name = "updates";
  uint32_t buffer = addBuffer(model, "buffer", 255 * 4096, 16);
  model.body = {{makeAccess(buffer, AccessKind::Atomic, x(4096) + tx(16), 16)}};
  for (const char *name : {"mi300x", "mi355x", "mi250x"}) {
    HardwareSpec hardware = llvm::cantFail(findChip(name));
    for (double warmUp : {0.1, 0.5}) {
      SimulationOptions options;
      options.prefix = 0.5;
      options.warmUp = warmUp;
      Metrics part = llvm::cantFail(simulate(model, hardware, {}, options));
      Metrics whole = llvm::cantFail(simulate(model, hardware, {}, {}));
      EXPECT_LE(part.dramWriteBytes, 4 * whole.dramWriteBytes) << name;
      EXPECT_LT(part.timeUs, 4 * whole.timeUs) << name;
    }
  }
}

} // namespace
