//===- SimulatorBenchmark.cpp - Line accesses per second ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Speed on one core, in line accesses before the first-level cache: full detail
// and one line in 16. `items_per_second` counts the accesses represented.
//
//===----------------------------------------------------------------------===//

#include "../unittests/Simulation/Models.h"
#include "swizzle/Hardware/Database.h"
#include "swizzle/Simulation/Simulator.h"

#include <benchmark/benchmark.h>

using namespace swizzle;
using namespace swizzle::models;

namespace {

void measure(benchmark::State &state, const KernelModel &model,
             const char *chipName) {
  HardwareSpec chip = llvm::cantFail(findChip(chipName));
  SimulationOptions options;
  options.sampleShift = state.range(0);
  double lines = 0;
  for (auto _ : state) {
    Metrics metrics = llvm::cantFail(simulate(model, chip, {}, options));
    lines += metrics.lineAccesses;
    benchmark::DoNotOptimize(metrics.timeUs);
  }
  state.SetItemsProcessed(static_cast<int64_t>(lines));
}

void gemmOnH200(benchmark::State &state) {
  measure(state, gemmFp16(4096, 4096, 4096), "h200");
}
void gemmOnMI300X(benchmark::State &state) {
  measure(state, gemmFp16(4096, 4096, 4096), "mi300x");
}
void stencilOnH200(benchmark::State &state) {
  measure(state, star3d(2048, 2048, 16, 1), "h200");
}
void stencilOnMI300X(benchmark::State &state) {
  measure(state, star3d(2048, 2048, 16, 1), "mi300x");
}
void transposeOnMI300X(benchmark::State &state) {
  measure(state, transposeTiled(8192, 32, 8), "mi300x");
}

// The argument is the sample: one line in 2^N.
BENCHMARK(gemmOnH200)->Arg(0)->Arg(4)->Unit(benchmark::kMillisecond);
BENCHMARK(gemmOnMI300X)->Arg(0)->Arg(4)->Unit(benchmark::kMillisecond);
BENCHMARK(stencilOnH200)->Arg(0)->Arg(4)->Unit(benchmark::kMillisecond);
BENCHMARK(stencilOnMI300X)->Arg(0)->Arg(4)->Unit(benchmark::kMillisecond);
BENCHMARK(transposeOnMI300X)->Arg(0)->Arg(4)->Unit(benchmark::kMillisecond);

} // namespace
