//===- Lines.cpp - Which cache lines a workgroup touches ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the compiled model of one workgroup and collects lines.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Simulation/Lines.h"

#include "Program/Program.h"
#include "Run/Depth.h"
#include "swizzle/Simulation/WorkUnits.h"

#include <algorithm>
#include <utility>

namespace swizzle {

using namespace simulation;

/// Steps of one workgroup that are walked. A choice: a millisecond.
static constexpr double kMostSteps = 1 << 17;
/// Work units that one of them takes; what comes behind is left out.
static constexpr double kMostWork = 4e6;

struct LineWalker::State {
  State(const KernelModel &model, const HardwareSpec &hardware)
      : machine(resolve(hardware)), program(model, machine),
        slots(program.numSlots()) {
    StepCounter counter(program);
    int64_t count = model.grid.count();
    counter.limit(typicalOf(counter, {}, count, count / 2).tile, kMostSteps);
  }

  Machine machine;
  Program program;
  std::vector<int64_t> slots;
};

LineWalker::LineWalker(const KernelModel &model, const HardwareSpec &hardware)
    : state(std::make_unique<State>(model, hardware)) {}

LineWalker::~LineWalker() = default;

std::vector<uint32_t> LineWalker::lines(int64_t tile, unsigned sampleShift,
                                        std::vector<uint32_t> *waves) {
  std::vector<uint32_t> result;
  // Of what is in `result`, line and waves.
  std::vector<std::pair<uint32_t, uint32_t>> waiting;
  uint32_t mask = (1u << sampleShift) - 1;
  Context context;
  context.slots = state->slots.data();
  state->program.start(context, tile);
  Program::Step step;
  double before = work();
  while (work() - before < kMostWork && state->program.next(context, step)) {
    const std::vector<uint32_t> &offsets = step.pattern->line;
    accesses += offsets.size();
    steps += 1 + step.empty;
    emptySteps += step.empty;
    size_t size = result.size(), known = size;
    result.resize(size + offsets.size());
    for (uint32_t offset : offsets) {
      uint32_t line = step.baseLine + offset;
      result[size] = line;
      size += (line * 0x9e3779b1u >> 16 & mask) == 0;
    }
    result.resize(size);
    if (waves)
      for (size_t i = known; i < size; ++i)
        waiting.push_back({result[i], step.waves});
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  if (!waves)
    return result;
  // The most of each line come last.
  std::sort(waiting.begin(), waiting.end());
  waves->clear();
  for (size_t i = 0; i < waiting.size(); ++i)
    if (i + 1 == waiting.size() || waiting[i + 1].first != waiting[i].first)
      waves->push_back(waiting[i].second);
  return result;
}

double LineWalker::work() const {
  return WorkPrices::listedLine * double(accesses) +
         WorkPrices::ofSteps(double(steps), double(emptySteps)) +
         state->program.otherWork();
}

} // namespace swizzle
