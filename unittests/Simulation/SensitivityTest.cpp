//===- SensitivityTest.cpp - What is said to be uncertain -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels that read a piece of some size over and over, one workgroup after the
// other: it fits into the L2, just does not fit, or is far too large.
//
//===----------------------------------------------------------------------===//

#include "Models.h"
#include "swizzle/Hardware/Database.h"
#include "swizzle/Simulation/Simulator.h"

#include <gtest/gtest.h>

using namespace swizzle;
using namespace swizzle::models;

namespace {

constexpr int64_t kGroups = 16;

/// `bytes` are read four times by each workgroup, which writes `written` of its
/// own.
KernelModel sweep(int64_t bytes, int64_t written = 0) {
  KernelModel model = KernelModel::create({kGroups}, {256});
  model.name = "sweep";
  uint32_t in = addBuffer(model, "in", bytes, 4);
  auto walk = [&](uint32_t buffer, AccessKind kind, int64_t from, int64_t of) {
    Loop loop;
    loop.counter = model.addLoopCounter("i");
    loop.tripCounts = {makeConstant(of / 4096)};
    loop.body.push_back(
        {makeAccess(buffer, kind,
                    x(from) + tx(16) + makeVariable(loop.counter, 4096), 16)});
    model.body.push_back({loop});
  };
  for (int pass = 0; pass < 4; ++pass)
    walk(in, AccessKind::Read, 0, bytes);
  if (written)
    walk(addBuffer(model, "out", kGroups * written, 4), AccessKind::Write,
         written, written);
  return model;
}

/// One unit, one workgroup at a time, 1 MiB of L2.
Metrics lookedAt(const KernelModel &model) {
  HardwareSpec hardware = llvm::cantFail(findChip("mi300x"));
  hardware.name = "one-unit";
  hardware.numDies = hardware.unitsPerDie = 1;
  hardware.workgroupsPerUnit = 1;
  hardware.find("l2")->bytes = 1 << 20;
  hardware.levels.resize(2);
  SimulationOptions options;
  options.sensitivity = true;
  return llvm::cantFail(simulate(model, hardware, {}, options));
}

TEST(Simulator, SaysWhenItIsOnACliff) {
  EXPECT_FALSE(lookedAt(sweep(1 << 18)).sensitivity->uncertain);
  EXPECT_TRUE(lookedAt(sweep(1 << 20)).sensitivity->uncertain);
  EXPECT_FALSE(lookedAt(sweep(8 << 20)).sensitivity->uncertain);
}

TEST(Simulator, WhatIsWrittenDoesNotHideAReadThatIs) {
  // So much is written that all bytes together stay within a tenth.
  Metrics metrics = lookedAt(sweep(700 << 10, 32 << 20));
  const Sensitivity &spread = *metrics.sensitivity;
  EXPECT_LT(spread.dramBytesHigh, 1.1 * metrics.dramBytes());
  EXPECT_GT(spread.dramBytesLow, 0.9 * metrics.dramBytes());
  EXPECT_GT(spread.dramBytesHigh - spread.dramBytesLow,
            0.1 * metrics.dramReadBytes);
  EXPECT_TRUE(spread.uncertain);
}

/// All go through one matrix of 8 MiB. In step, each generation of them fetches
/// it once; an L2 of 2 MiB keeps nothing for those that are half a life behind.
TEST(Simulator, SaysWhatRestsOnWorkgroupsInStep) {
  KernelModel model = KernelModel::create({132 * 4 * 2}, {256});
  model.name = "together";
  Loop loop;
  loop.counter = model.addLoopCounter("i");
  loop.tripCounts = {makeConstant(2048)};
  loop.body.push_back(
      {makeAccess(addBuffer(model, "in", 8 << 20, 4), AccessKind::Read,
                  tx(16) + makeVariable(loop.counter, 4096), 16)});
  model.body.push_back({loop});
  HardwareSpec hardware = llvm::cantFail(findChip("h200"));
  CacheLevel &l2 = *hardware.find("l2");
  l2.effectiveBytes.reset();
  l2.bytes = 2 << 20;
  hardware.workgroupsPerUnit = 4;
  auto spread = [&](double youngerWait) {
    hardware.fitted["younger_wait"] = youngerWait;
    SimulationOptions options;
    options.sensitivity = true;
    options.sampleShift = 4;
    return *llvm::cantFail(simulate(model, hardware, {}, options)).sensitivity;
  };
  Sensitivity inStep = spread(0), behind = spread(0.05);
  EXPECT_FALSE(inStep.uncertain);
  EXPECT_TRUE(behind.uncertain);
  EXPECT_EQ(behind.dramBytesLow, inStep.dramBytesLow);
  EXPECT_GT(behind.dramBytesHigh, 1.5 * inStep.dramBytesHigh);
}

/// Caches that this machine's memory could not hold are refused, and so are
/// those that only the larger ones of the sensitivity are too many for.
TEST(Simulator, RefusesCachesBeyondAllMemory) {
  KernelModel model = sweep(1 << 16);
  HardwareSpec hardware = llvm::cantFail(findChip("mi300x"));
  hardware.levels.resize(2);
  CacheLevel &l2 = *hardware.find("l2");
  l2.effectiveBytes.reset();
  l2.bytes = int64_t(1) << 42;
  std::string wrong = llvm::toString(Simulator(model, hardware).check());
  EXPECT_NE(wrong.find("mi300x has caches that take 2048.0 GiB of memory to "
                       "simulate, most of it for l2 (4398046511104 bytes, 8 of "
                       "them); at most 2 GiB are used"),
            std::string::npos)
      << wrong;
  l2.bytes = int64_t(1) << 46;
  EXPECT_TRUE(bool(Simulator(model, hardware).check()));

  // As much as is left beside the first level.
  l2.bytes = (int64_t(4) << 30) - (int64_t(16) << 20);
  EXPECT_EQ(llvm::toString(Simulator(model, hardware).check()), "");
  SimulationOptions options;
  options.sensitivity = true;
  llvm::Expected<Metrics> metrics = simulate(model, hardware, {}, options);
  ASSERT_FALSE(bool(metrics));
  EXPECT_NE(llvm::toString(metrics.takeError()).find("GiB of memory"),
            std::string::npos);
}

/// A remap is charged with a number that the chip's file does not give.
TEST(Simulator, TellsTheIssueThatItAssumes) {
  HardwareSpec hardware = llvm::cantFail(findChip("h200"));
  auto tells = [&] {
    Metrics metrics = llvm::cantFail(simulate(sweep(1 << 16), hardware, {}));
    return llvm::any_of(metrics.defaults, [](llvm::StringRef one) {
      return one.starts_with("issue_per_clock of h200 unknown: 4 assumed");
    });
  };
  EXPECT_FALSE(tells());
  hardware.issuePerClock.reset();
  EXPECT_TRUE(tells());
}

} // namespace
