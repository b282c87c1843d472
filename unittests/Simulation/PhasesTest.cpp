//===- PhasesTest.cpp - What does not overlap within a launch -------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launch whose generations of workgroups ask for different things takes as
// long as these one after the other, and a unit without a workgroup does
// nothing. The kernel of phases reads every piece of a buffer kSharers times:
// one generation from memory, the next ones from the cache, or all of them of
// both.
//
//===----------------------------------------------------------------------===//

#include "Models.h"
#include "swizzle/Hardware/Database.h"
#include "swizzle/Simulation/Simulator.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace swizzle;
using namespace swizzle::models;

namespace {

/// As many pieces as workgroups run at a time on an H200, 8 on each SM.
constexpr int64_t kPieces = 132 * 8, kSharers = 8, kSlices = 12, kBytes = 8192;

HardwareSpec h200(double overlap) {
  HardwareSpec hardware = llvm::cantFail(findChip("h200"));
  hardware.fitted["overlapping_generations"] = overlap;
  return hardware;
}

/// in[z][x], read by each y, which writes a number a thread.
KernelModel sharedPieces() {
  KernelModel model = KernelModel::create({kPieces, kSharers, kSlices}, {256});
  model.name = "shared-pieces";
  uint32_t in = addBuffer(model, "in", kSlices * kPieces * kBytes, 4);
  uint32_t out =
      addBuffer(model, "out", kSlices * kSharers * kPieces * 1024, 4);
  for (int64_t at = 0; at < kBytes; at += 1024)
    model.body.push_back({makeAccess(
        in, AccessKind::Read,
        z(kPieces * kBytes) + x(kBytes) + tx(4) + makeConstant(at), 4)});
  model.body.push_back({makeAccess(
      out, AccessKind::Write,
      z(kSharers * kPieces * 1024) + y(kPieces * 1024) + x(1024) + tx(4), 4)});
  return model;
}

/// All that share a piece one after the other.
Order sharersTogether() {
  Order order;
  for (int64_t slice = 0; slice < kSlices; ++slice)
    for (int64_t piece = 0; piece < kPieces; ++piece)
      for (int64_t sharer = 0; sharer < kSharers; ++sharer)
        order.push_back((slice * kSharers + sharer) * kPieces + piece);
  return order;
}

Metrics simulated(const HardwareSpec &hardware, const Order &order,
                  unsigned sampleShift = 0, double prefix = 1) {
  SimulationOptions options;
  options.sampleShift = sampleShift;
  options.prefix = prefix;
  options.warmUp = prefix < 1 ? 0.4 : 0;
  return llvm::cantFail(simulate(sharedPieces(), hardware, order, options));
}

TEST(Phases, MemoryAndCacheInTurnsTakeLonger) {
  Metrics apart = simulated(h200(0.5), {}), together = simulated(h200(0), {});
  // Nothing else differs, and what is not known has no phases.
  EXPECT_EQ(apart.dramBytes(), together.dramBytes());
  EXPECT_EQ(apart.bytes("l2"), together.bytes("l2"));
  EXPECT_EQ(factorOfPhases(together), 1);
  EXPECT_GT(factorOfPhases(apart), 1.05);
  EXPECT_NEAR(apart.timeUs, together.timeUs * factorOfPhases(apart), 1e-6);
  // No more than all terms one after the other.
  double sum = 0;
  for (const RooflineTerm &term : apart.roofline)
    sum += term.timeUs;
  EXPECT_LT(apart.timeUs, sum);
}

TEST(Phases, BothAtATimeDoNot) {
  EXPECT_LT(factorOfPhases(simulated(h200(0.5), sharersTogether())), 1.01);
}

TEST(Phases, ASampleAndAWindowTellTheSame) {
  double whole = factorOfPhases(simulated(h200(0.5), {}));
  EXPECT_GT(whole, 1.05);
  EXPECT_NEAR(factorOfPhases(simulated(h200(0.5), {}, 4)), whole, 0.02);
  EXPECT_NEAR(factorOfPhases(simulated(h200(0.5), {}, 0, 0.5)), whole, 0.03);
}

TEST(Phases, OneThatHoldsTheWholeLaunchIsNone) {
  EXPECT_EQ(factorOfPhases(simulated(h200(1000), {})), 1);
}

TEST(Phases, ChipsOfWhichNothingIsKnownHaveNone) {
  HardwareSpec amd = llvm::cantFail(findChip("mi300x"));
  EXPECT_EQ(factorOfPhases(simulated(amd, {})), 1);
  amd.fitted["overlapping_generations"] = 0.5;
  EXPECT_GE(factorOfPhases(simulated(amd, {})), 1);
}

/// Arithmetic alone bounds each of `workgroups`, one on each SM of an H200 at a
/// time; x is how long it takes.
KernelModel longAndShort(int64_t workgroups) {
  KernelModel model = KernelModel::create({workgroups}, {1024});
  model.name = "long-and-short";
  uint32_t in = addBuffer(model, "in", 1 << 20, 4);
  model.workgroupMemoryBytes = 128 * 1024;
  Loop loop;
  loop.counter = model.addLoopCounter("step");
  loop.tripCounts = {x(1) + makeConstant(1)};
  loop.body.push_back({makeAccess(in, AccessKind::Read, tx(4), 4)});
  loop.body.push_back({Compute{1000}});
  model.body.push_back({loop});
  return model;
}

double arithmeticUs(const Metrics &metrics) {
  for (const RooflineTerm &term : metrics.roofline)
    if (term.bound.kind == BoundKind::Vector)
      return term.timeUs;
  return 0;
}

TEST(IdleUnits, TheLongestLastLeavesUnitsIdle) {
  KernelModel model = longAndShort(600);
  Order longestFirst;
  for (uint32_t i = 600; i-- > 0;)
    longestFirst.push_back(i);
  HardwareSpec sees = h200(0), does = h200(0);
  does.fitted["idle_units"] = 0;
  double last = arithmeticUs(llvm::cantFail(simulate(model, sees, {})));
  double first =
      arithmeticUs(llvm::cantFail(simulate(model, sees, longestFirst)));
  double never = arithmeticUs(llvm::cantFail(simulate(model, does, {})));
  // Without idle units every order takes as long, and less.
  EXPECT_EQ(never,
            arithmeticUs(llvm::cantFail(simulate(model, does, longestFirst))));
  EXPECT_GT(first, 1.005 * never);
  EXPECT_GT(last, 1.05 * first);
}

TEST(IdleUnits, OneWorkgroupHasOneUnit) {
  HardwareSpec sees = h200(0), does = h200(0);
  does.fitted["idle_units"] = 0;
  KernelModel model = longAndShort(1);
  double one = arithmeticUs(llvm::cantFail(simulate(model, sees, {})));
  double all = arithmeticUs(llvm::cantFail(simulate(model, does, {})));
  EXPECT_NEAR(one, 132 * all, 1e-6 * one);
}

} // namespace
