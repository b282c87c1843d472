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

std::vector<uint32_t> LineWalker::lines(int64_t tile, unsigned sampleShift) {
  std::vector<uint32_t> result;
  uint32_t mask = (1u << sampleShift) - 1;
  Context context;
  context.slots = state->slots.data();
  state->program.start(context, tile);
  Program::Step step;
  double before = work();
  while (work() - before < kMostWork && state->program.next(context, step)) {
    const std::vector<uint32_t> &offsets = step.pattern->line;
    accesses += offsets.size();
    ++steps;
    size_t size = result.size();
    result.resize(size + offsets.size());
    for (uint32_t offset : offsets) {
      uint32_t line = step.baseLine + offset;
      result[size] = line;
      size += (line * 0x9e3779b1u >> 16 & mask) == 0;
    }
    result.resize(size);
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

double LineWalker::work() const {
  return WorkPrices::listedLine * double(accesses) +
         WorkPrices::step * double(steps) + state->program.otherWork();
}

} // namespace swizzle
