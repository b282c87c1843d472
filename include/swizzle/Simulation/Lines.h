//===- Lines.h - Which cache lines a workgroup touches ----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The simulator's view of a workgroup without any cache: the lines that it
// touches, in the address space in which all buffers lie.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_SIMULATION_LINES_H
#define SWIZZLE_SIMULATION_LINES_H

#include "swizzle/Hardware/HardwareSpec.h"
#include "swizzle/Kernel/KernelModel.h"

#include <memory>

namespace swizzle {

class LineWalker {
public:
  /// `model` must be one that `simulate` takes, and must outlive this.
  LineWalker(const KernelModel &model, const HardwareSpec &hardware);
  ~LineWalker();

  /// The distinct lines that workgroup `tile` (a linear id) touches, ascending;
  /// of all lines the same one in 2^sampleShift, scattered. Of a workgroup of
  /// more than some 100,000 steps, the lines of as many of them.
  /// `waves`, if given: of each of them, how many waves wait for it at a time,
  /// on average over the access for which most do; 0 if none waits.
  std::vector<uint32_t> lines(int64_t tile, unsigned sampleShift,
                              std::vector<uint32_t> *waves = nullptr);

  /// Line accesses that all calls went through, sampled or not.
  int64_t walked() const { return accesses; }

  /// Work units that all calls took.
  double work() const;

private:
  struct State;
  std::unique_ptr<State> state;
  int64_t accesses = 0, steps = 0, emptySteps = 0;
};

} // namespace swizzle

#endif // SWIZZLE_SIMULATION_LINES_H
