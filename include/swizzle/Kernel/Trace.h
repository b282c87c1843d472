//===- Trace.h - What a kernel touched, as plain data -----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where accesses depend on data, no affine map describes them; then a recording
// of all workgroups takes the place of the model's statements. A step is one
// instruction that the threads of a workgroup carry out together: those of them
// that are there, wave by wave.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_KERNEL_TRACE_H
#define SWIZZLE_KERNEL_TRACE_H

#include "swizzle/Kernel/KernelModel.h"

#include <string>
#include <vector>

namespace swizzle {

/// Bytes without a gap that one instruction of one wave touches.
struct TraceTouch {
  int64_t offset = 0; ///< bytes into the buffer
  uint32_t bytes = 0;
  uint16_t buffer = 0;
  uint16_t wave = 0; ///< in the workgroup
};

struct TraceStep {
  AccessKind kind = AccessKind::Read;
  /// What comes next waits for this step: an iteration ends, or the workgroup.
  bool last = false;
  uint32_t firstTouch = 0, touches = 0; ///< sorted by wave, then by place
  uint32_t laneBytes = 0;               ///< sum over all lanes
};

struct Trace {
  /// Grid, block, buffers and workgroup memory; no statements.
  KernelModel kernel;
  int64_t waveSize = 32;
  /// Steps of workgroup w (linear id): firstStep[w] .. firstStep[w + 1] - 1.
  std::vector<uint32_t> firstStep;
  std::vector<TraceStep> steps;
  std::vector<TraceTouch> touches;
};

/// An empty string if the trace is well formed (indices in range, steps of all
/// workgroups), else what is wrong.
std::string verify(const Trace &trace);

} // namespace swizzle

#endif // SWIZZLE_KERNEL_TRACE_H
