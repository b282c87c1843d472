//===- TemplateTest.cpp - Searching the numbers of a template -------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which combinations of a template are looked at, and which comes first.
//
//===----------------------------------------------------------------------===//

#include "../Simulation/Models.h"
#include "swizzle/Formula/Proof/Proof.h"
#include "swizzle/Hardware/Database.h"
#include "swizzle/Planner/OrderSimulator.h"
#include "swizzle/Planner/Planner.h"

#include "llvm/Support/Compiler.h"
#include "gtest/gtest.h"

#include <cmath>
#include <numeric>

using namespace swizzle;
using namespace swizzle::models;

namespace {

HardwareSpec chip(const char *name) { return llvm::cantFail(findChip(name)); }

Environment environmentOf(const KernelModel &model,
                          const HardwareSpec &hardware) {
  Environment environment;
  environment.grid = model.grid;
  environment.hardware = hardware.formulaConstants();
  return environment;
}

std::vector<Candidate> search(const char *text, const KernelModel &model,
                              const HardwareSpec &hardware,
                              const PlannerOptions &options = {}) {
  return llvm::cantFail(searchTemplate(llvm::cantFail(Formula::parse(text)),
                                       environmentOf(model, hardware), model,
                                       hardware, options));
}

double dram(const Metrics &metrics) {
  return metrics.dramReadBytes + metrics.dramWriteBytes;
}

#if !LLVM_ADDRESS_SANITIZER_BUILD // whole launches
/// Rows in groups of G.
const char *const groups = "param G in {1, 2, 4, 8, 16, 32, 64}\n"
                           "i = y * gx + x\n"
                           "w = G * gx\n"
                           "g = i // w\n"
                           "h = min(gy - g * G, G)\n"
                           "k = i % w\n"
                           "return k // h, g * G + k % h\n";

TEST(TemplateTest, TheBestNumberComesFirst) {
  HardwareSpec hardware = chip("h200");
  hardware.find("l2")->effectiveBytes = 8 << 20;
  KernelModel model = gemmFp16(8192, 4096, 1024);
  std::vector<Candidate> found = search(groups, model, hardware);
  ASSERT_EQ(found.size(), 7u);
  // Against the simulation of each in full detail.
  double least = HUGE_VAL, first = 0;
  for (const Candidate &candidate : found) {
    Environment environment = environmentOf(model, hardware);
    environment.params = candidate.params;
    std::vector<uint32_t> order;
    ASSERT_TRUE(prove(llvm::cantFail(Formula::parse(candidate.formula)),
                      environment, {}, order)
                    .legal());
    double time = llvm::cantFail(simulate(model, hardware, order)).timeUs;
    least = std::min(least, time);
    if (&candidate == &found.front())
      first = time;
  }
  EXPECT_LE(first, 1.03 * least) << found.front().description;
}
#endif

TEST(TemplateTest, WhatIsNotFeasibleOrNotLegalIsLeftOut) {
  KernelModel model = star2d(512, 512, 1, 32, 8); // 16 x 64 workgroups
  HardwareSpec hardware = chip("mi300x");
  std::vector<Candidate> found =
      search("param S in {0, 1, 2, 3, 4}\nrequire S != 2\n"
             "return (x * (1 if S < 4 else 2) + S) % gx, y\n",
             model, hardware);
  ASSERT_EQ(found.size(), 3u);
  for (const Candidate &candidate : found) {
    EXPECT_NE(candidate.params.at("S"), 2);
    EXPECT_NE(candidate.params.at("S"), 4);
    EXPECT_GT(candidate.metrics.timeUs, 0);
  }
  EXPECT_TRUE(
      search("param S in {2, 4}\nreturn x * S % gx, y\n", model, hardware)
          .empty());
}

TEST(TemplateTest, EqualOrdersAreSimulatedOnce) {
  KernelModel model = star2d(512, 512, 1, 32, 8);
  std::vector<Candidate> found =
      search("param S in {1, 17, 33}\nparam U in {0, 1}\n"
             "return (x * S + U * gx) % gx, y\n",
             model, chip("mi300x"));
  ASSERT_EQ(found.size(), 1u);
  // The first of them stands for all.
  EXPECT_EQ(found[0].params.at("S"), 1);
  EXPECT_EQ(found[0].params.at("U"), 0);
}

TEST(TemplateTest, AFormulaWithoutParametersIsJudged) {
  KernelModel model = star2d(512, 512, 1, 32, 8);
  EXPECT_EQ(search("return x, gy - 1 - y", model, chip("mi300x")).size(), 1u);
}

// Comparing claimed sizes costs what as many instructions of the formula would,
// and nothing where the kernel stays as it is.
TEST(OrderSimulatorTest, ComparingClaimedSizesCosts) {
  HardwareSpec hardware = chip("h200");
  KernelModel known = gemmFp16(1024, 1024, 256), claimed = known;
  claimed.guardInstructions = 500;
  Order order(known.grid.count());
  std::iota(order.rbegin(), order.rend(), 0);
  OrderSimulator without(known, hardware, 1e5), with(claimed, hardware, 1e5);
  EXPECT_EQ(llvm::cantFail(without.simulate({})).timeUs,
            llvm::cantFail(with.simulate({})).timeUs);
  EXPECT_EQ(llvm::cantFail(without.simulate(order, 507)).timeUs,
            llvm::cantFail(with.simulate(order, 7)).timeUs);
  EXPECT_LT(llvm::cantFail(without.simulate(order, 7)).timeUs,
            llvm::cantFail(with.simulate(order, 7)).timeUs);
}

TEST(OrderSimulatorTest, OrdersAreSimulatedAlikeWithinABudget) {
  KernelModel model = star2d(4096, 4096, 1, 32, 8);
  HardwareSpec hardware = chip("mi300x");
  Order reversed;
  for (int64_t i = model.grid.count(); i-- > 0;)
    reversed.push_back(i);
  OrderSimulator simulator(model, hardware, 1e5);
  Metrics plain = llvm::cantFail(simulator.simulate({}));
  Metrics other = llvm::cantFail(simulator.simulate(reversed));
  EXPECT_GT(simulator.options().sampleShift, 0u);
  EXPECT_LT(simulator.options().prefix, 1);
  EXPECT_NEAR(dram(other) / dram(plain), 1, 0.1);
  // What was simulated before changes nothing.
  OrderSimulator fresh(model, hardware, 1e5);
  Metrics alone = llvm::cantFail(fresh.simulate(reversed));
  EXPECT_EQ(fresh.options().prefix, simulator.options().prefix);
  EXPECT_EQ(fresh.options().sampleShift, simulator.options().sampleShift);
  EXPECT_EQ(alone.dramReadBytes, other.dramReadBytes);
  EXPECT_EQ(alone.timeUs, other.timeUs);
  // An order of another grid.
  Order wrong(7);
  llvm::Expected<Metrics> failed = simulator.simulate(wrong);
  ASSERT_FALSE(bool(failed));
  EXPECT_EQ(llvm::toString(failed.takeError()),
            "the order has 7 workgroups, the grid of star2d_r1 has 65536");
}

} // namespace
