//===- Scatter.cpp - What memory spends on scattered data -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Scatter.h, and Run/BlockUse.h for how it is found.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Simulation/Scatter.h"

#include "Run/BlockUse.h"

#include <algorithm>

namespace swizzle {

using namespace simulation;

struct ScatterModel::State {
  State(const KernelModel &model, const HardwareSpec &hardware)
      : machine(resolve(hardware)), program(model, machine),
        sizes(
            sizesOf(model, model.grid.count(),
                    std::max<int64_t>(1, residentWorkgroups(model, machine)))) {
  }

  Machine machine;
  Program program;
  Sizes sizes;
  BlockUseFinder finder;
  double work = 0;
};

ScatterModel::ScatterModel(const KernelModel &model,
                           const HardwareSpec &hardware)
    : state(std::make_unique<State>(model, hardware)) {}

ScatterModel::ScatterModel(ScatterModel &&) noexcept = default;
ScatterModel::~ScatterModel() = default;

bool ScatterModel::isKnown() const {
  return state->machine.scatter.blockBytes > 0;
}

ScatterModel::Shares ScatterModel::of(
    llvm::function_ref<std::vector<uint32_t>(int64_t, int64_t)> tilesOf) {
  BlockUse use = state->finder.find(state->program, state->machine, tilesOf,
                                    state->sizes, state->work);
  return {bytesOfScatter(use, state->machine, 1, 0),
          bytesOfScatter(use, state->machine, 0, 1)};
}

double ScatterModel::work() const { return state->work; }

} // namespace swizzle
