//===- RandomKernel.cpp - Small kernels and what they compute -------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text around the body, and the steps one after the other, each by all threads.
// Barriers need no doing here: all threads meet after every step.
//
//===----------------------------------------------------------------------===//

#include "RandomKernel.h"

namespace swizzle::test {

std::string RandomKernel::text(const std::string &idMap) const {
  auto extents = [](const Grid &grid) {
    return "array<i32: " + std::to_string(grid.x()) + ", " +
           std::to_string(grid.y()) + ", 1>";
  };
  return "gpu.module @m { gpu.func @k(" + arguments + ")" + shared +
         " kernel attributes {known_block_size = " + extents(block) +
         ", known_grid_size = " + extents(grid) +
         "} {\n%zero = arith.constant 0 : index\n" +
         (idMap.empty() ? "%bx = gpu.block_id x\n%by = gpu.block_id y\n"
                        : idMap) +
         body + "gpu.return\n} }";
}

void RandomKernel::run(const std::vector<Step> &steps, Workgroup &workgroup,
                       std::vector<Thread> &threads) const {
  for (const Step &step : steps) {
    for (int64_t turn = 0; turn < step.turns; ++turn) {
      for (Thread &thread : threads) {
        thread.registers[step.counter] = uint64_t(turn);
        thread.registers[step.carried] = thread.registers[step.next];
      }
      run(step.body, workgroup, threads);
    }
    if (!step.action)
      continue;
    for (Thread &thread : threads)
      if (step.condition < 0 || thread.registers[step.condition])
        step.action(workgroup, thread);
  }
}

void RandomKernel::run(WorkgroupId id, Memory &memory) const {
  Workgroup workgroup{id, memory, std::vector<uint32_t>(sharedElements)};
  std::vector<Thread> threads;
  for (int64_t y = 0; y < block.y(); ++y)
    for (int64_t x = 0; x < block.x(); ++x)
      threads.push_back({x, y, std::vector<uint64_t>(registers)});
  run(steps, workgroup, threads);
}

} // namespace swizzle::test
