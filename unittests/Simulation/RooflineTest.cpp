//===- RooflineTest.cpp - Tests of what the time is made of ---------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Models.h"
#include "swizzle/Hardware/Database.h"
#include "swizzle/Simulation/Simulator.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace swizzle;
using namespace swizzle::models;

namespace {

/// What the same bytes pass one after the other has one term, that of the
/// slowest.
TEST(Roofline, TheSlowestOfAPathSetsItsTime) {
  KernelModel model = KernelModel::create({4096}, {256});
  model.name = "stream";
  uint32_t in = addBuffer(model, "in", 1 << 22, 4);
  model.body.push_back({makeAccess(in, AccessKind::Read, x(1024) + tx(4), 4)});
  HardwareSpec hardware = llvm::cantFail(findChip("h200"));
  hardware.fitted["idle_units"] = 0;
  auto run = [&] { return llvm::cantFail(simulate(model, hardware, {})); };
  auto termOf = [&](BoundKind kind, const char *level = "") {
    Metrics metrics = run();
    for (const RooflineTerm &term : metrics.roofline)
      if (term.bound == Bound{kind, level})
        return term;
    return RooflineTerm();
  };
  double bytes = run().bytes("l2");
  EXPECT_GT(termOf(BoundKind::Dram).work, 0);
  EXPECT_GT(termOf(BoundKind::Cache, "l2").work, 0);
  // Half of what is fetched crosses from the other half of the L2.
  hardware.fitted["fabric_bandwidth"] = 1e9;
  RooflineTerm fabric = termOf(BoundKind::Fabric);
  EXPECT_NEAR(fabric.work, bytes / 2, 0.05 * bytes);
  EXPECT_GE(fabric.timeUs, fabric.work / 1e9 * 1e6);
  EXPECT_EQ(termOf(BoundKind::Dram).work, 0);
  // All that is asked for is delivered.
  hardware.fitted["delivered_bytes_per_clock"] = 0.001;
  RooflineTerm delivery = termOf(BoundKind::Delivery);
  EXPECT_EQ(delivery.work, bytes);
  EXPECT_DOUBLE_EQ(delivery.rate, 0.001 * 132 * 1.98e9);
  EXPECT_EQ(termOf(BoundKind::Cache, "l2").work, 0);
  // Nothing crosses within one cache, and what is not told limits nothing.
  hardware.find("l2")->partitions = 1;
  EXPECT_EQ(termOf(BoundKind::Fabric).work, 0);
  hardware.fitted.erase("delivered_bytes_per_clock");
  EXPECT_EQ(termOf(BoundKind::Delivery).work, 0);
  EXPECT_GT(termOf(BoundKind::Cache, "l2").work, 0);
}

double squaresOf(const Metrics &metrics) {
  double squares = 0;
  for (const RooflineTerm &term : metrics.roofline)
    squares += term.timeUs * term.timeUs;
  return squares;
}

/// Workgroups write 128 bytes each: in a row, or each to another 64 KiB.
TEST(Roofline, NothingOverlapsWithOpeningRows) {
  HardwareSpec hardware = llvm::cantFail(findChip("h200"));
  double scattered[2];
  for (bool apart : {false, true}) {
    KernelModel model = KernelModel::create({4096}, {32});
    model.name = "pieces";
    uint32_t out = addBuffer(model, "out", int64_t(1) << 28, 4);
    model.body.push_back({makeAccess(out, AccessKind::Write,
                                     x(apart ? 65536 : 128) + tx(4), 4)});
    Metrics metrics = llvm::cantFail(simulate(model, hardware, {}));
    EXPECT_DOUBLE_EQ(metrics.timeUs,
                     std::sqrt(squaresOf(metrics)) + metrics.scatterUs);
    for (const RooflineTerm &term : metrics.roofline)
      if (term.bound.isDram()) {
        EXPECT_DOUBLE_EQ(term.timeUs, term.work / term.rate * 1e6);
      }
    scattered[apart] = metrics.scatterUs;
  }
  EXPECT_GT(scattered[1], 0);
  EXPECT_LT(scattered[0], 0.1 * scattered[1]);
}

/// What threads add to a quotient is known where thread 0 is. A row is of 16
/// workgroups, of which none has a thread in another row.
TEST(Roofline, NobodyComputesBehindAGuardThatHoldsForNoThread) {
  KernelModel model = KernelModel::create({48}, {256});
  model.name = "rows";
  uint32_t out = addBuffer(model, "out", 1 << 20, 4);
  VariableId row = model.addQuotient(x(256) + tx(), 4096);
  VariableId i = model.addLoopCounter("i");
  Statement computes = {Loop{i, {makeConstant(1000)}, {{Compute{2}}}}};
  Statement writes = {makeAccess(out, AccessKind::Write, x(1024) + tx(4), 4)};
  HardwareSpec hardware = llvm::cantFail(findChip("h200"));
  auto arithmetic = [&](AffineForm condition) {
    model.body = {{Guard{{{condition, false}}, {computes}, {}}}, writes};
    for (const RooflineTerm &term :
         llvm::cantFail(simulate(model, hardware, {})).roofline)
      if (term.bound.kind == BoundKind::Vector)
        return term.work;
    return 0.0;
  };
  double ofSixteen = 16 * 256 * 2000.0;
  EXPECT_EQ(arithmetic(makeVariable(row) - makeConstant(1)), 2 * ofSixteen);
  EXPECT_EQ(arithmetic(makeConstant(0) - makeVariable(row)), ofSixteen);
  EXPECT_EQ(arithmetic(makeVariable(row) - makeConstant(3)), 0);
}

/// Instructions of a remap take time to issue as far as others wait for them.
TEST(Roofline, ARemapIsIssuedWithTheRest) {
  KernelModel model = KernelModel::create({4096}, {256});
  model.name = "stream";
  uint32_t in = addBuffer(model, "in", 1 << 22, 4);
  model.body.push_back({makeAccess(in, AccessKind::Read, x(1024) + tx(4), 4)});
  model.body.push_back({Issue{20}});
  HardwareSpec hardware = llvm::cantFail(findChip("h200"));
  auto issue = [&](double instructions) {
    SimulationOptions options;
    options.remapInstructions = instructions;
    for (const RooflineTerm &term :
         llvm::cantFail(simulate(model, hardware, {}, options)).roofline)
      if (term.bound.kind == BoundKind::Issue)
        return term.timeUs;
    return 0.0;
  };
  double before = issue(0), part = issue(100);
  EXPECT_GT(part, before);
  hardware.fitted["remap_issue"] = 1;
  EXPECT_NEAR(issue(100) - before, (part - before) / 0.33, 1e-6);
  hardware.fitted["remap_issue"] = 0;
  EXPECT_EQ(issue(100), before);
}

} // namespace
