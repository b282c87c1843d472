//===- HotLinesTest.cpp - Tables of a few lines, sampled ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sample of lines says of small tables, too, what the whole says: how often
// they are asked for, and what comes from memory.
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

/// A chip whose compute units have no cache of their own: what hot lines are
/// asked for then weighs most.
HardwareSpec withoutUnitCaches(int64_t dies, int64_t units) {
  HardwareSpec hardware = llvm::cantFail(findChip("mi300x"));
  hardware.numDies = dies;
  hardware.unitsPerDie = units;
  hardware.find("l2")->bytes = 4 << 20;
  hardware.levels.erase(hardware.levels.begin());
  return hardware;
}

/// A stream, and `tables` tables of `lines` lines each of which every workgroup
/// reads one word a line.
KernelModel withTables(int64_t workgroups, int tables, int64_t lines) {
  KernelModel model = elementwise(workgroups * 256, 1, 4, 1);
  for (int table = 0; table < tables; ++table) {
    // Of unknown size: its accesses alone say how far it reaches.
    uint32_t buffer = addBuffer(model, "table", -1, 4);
    for (int64_t line = 0; line < lines; ++line)
      model.body.push_back(
          {makeAccess(buffer, AccessKind::Read, makeConstant(line * 128), 4)});
  }
  return model;
}

Metrics run(const KernelModel &model, const HardwareSpec &hardware,
            unsigned shift) {
  SimulationOptions options;
  options.sampleShift = shift;
  return llvm::cantFail(simulate(model, hardware, {}, options));
}

TEST(HotLines, AreAskedForInASampleAsOftenAsInAll) {
  for (auto [dies, units] :
       {std::pair(1, 7), std::pair(3, 7), std::pair(8, 38)})
    for (auto [tables, lines] : {std::pair(1, 1), std::pair(1, 3),
                                 std::pair(8, 1), std::pair(3, 17)}) {
      KernelModel model = withTables(20011, tables, lines);
      HardwareSpec hardware = withoutUnitCaches(dies, units);
      Metrics whole = run(model, hardware, 0);
      for (unsigned shift : {1, 2, 4, 6}) {
        Metrics sampled = run(model, hardware, shift);
        std::string what = std::to_string(dies) + " dies, " +
                           std::to_string(tables) + " tables of " +
                           std::to_string(lines) + ", shift " +
                           std::to_string(shift);
        EXPECT_NEAR(sampled.bytes("l2") / whole.bytes("l2"), 1, 0.1) << what;
        EXPECT_NEAR(sampled.timeUs / whole.timeUs, 1, 0.06) << what;
        EXPECT_NEAR(sampled.dramBytes() / whole.dramBytes(), 1, 0.02) << what;
        // What is off, is said.
        EXPECT_LE(std::abs(sampled.bytes("l2") / whole.bytes("l2") - 1),
                  1.5 * sampled.samplingError + 1e-9)
            << what;
      }
    }
}

TEST(HotLines, AreNotConfusedWithNeighboursThatAreMany) {
  // A table of which every workgroup reads another line is no hot one.
  KernelModel model = withTables(4096, 1, 2);
  uint32_t buffer = addBuffer(model, "rows", -1, 4);
  model.body.push_back({makeAccess(buffer, AccessKind::Read, x(128), 4)});
  HardwareSpec hardware = withoutUnitCaches(8, 38);
  Metrics whole = run(model, hardware, 0), sampled = run(model, hardware, 3);
  EXPECT_NEAR(sampled.dramReadBytes / whole.dramReadBytes, 1, 0.02);
}

} // namespace
