//===- PlannerBenchmark.cpp - How long planning takes ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Time to plan kernels of the sizes that people run; the bar is one second for
// the matrix product of 8192 and five for anything else. Counters: orders
// simulated, and DRAM bytes after over before.
//
//===----------------------------------------------------------------------===//

#include "../unittests/Simulation/Models.h"
#include "swizzle/Hardware/Database.h"
#include "swizzle/Planner/Planner.h"

#include <benchmark/benchmark.h>

using namespace swizzle;
using namespace swizzle::models;

namespace {

void planModel(benchmark::State &state, const KernelModel &model,
               const char *chip) {
  HardwareSpec hardware = llvm::cantFail(findChip(chip));
  Plan last;
  for (auto _ : state)
    last = llvm::cantFail(plan(model, hardware));
  auto dram = [](const Metrics &m) {
    return m.dramReadBytes + m.dramWriteBytes;
  };
  state.counters["orders"] = last.candidates.size();
  state.counters["dram"] = dram(last.after) / dram(last.before);
  state.SetLabel(last.reasonCode + ": " + last.description);
}

#define SWIZZLE_PLAN(NAME, MODEL)                                              \
  void NAME##_mi300x(benchmark::State &state) {                                \
    planModel(state, MODEL, "mi300x");                                         \
  }                                                                            \
  BENCHMARK(NAME##_mi300x)->Unit(benchmark::kMillisecond);                     \
  void NAME##_h200(benchmark::State &state) {                                  \
    planModel(state, MODEL, "h200");                                           \
  }                                                                            \
  BENCHMARK(NAME##_h200)->Unit(benchmark::kMillisecond)

SWIZZLE_PLAN(matrixProduct8192, gemmFp16(8192, 8192, 8192));
SWIZZLE_PLAN(matrixProductUneven, gemmFp16(6144, 7808, 4096));
SWIZZLE_PLAN(planeStencil, star2d(4096, 4096, 1, 32, 8));
SWIZZLE_PLAN(volumeStencil, star3d(4096, 4096, 64, 4));
SWIZZLE_PLAN(transposed, transposeTiled(4096, 16, 8));
SWIZZLE_PLAN(rows, rowwise(8192, 8192, 2, 4, 4));
SWIZZLE_PLAN(elements, elementwise(1 << 24, 5, 4, 1));

} // namespace
