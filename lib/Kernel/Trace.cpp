//===- Trace.cpp - What a kernel touched, as plain data -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Trace.h.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Kernel/Trace.h"

namespace swizzle {

std::string verify(const Trace &trace) {
  if (std::string wrong = verify(trace.kernel); !wrong.empty())
    return wrong;
  if (!trace.kernel.body.empty())
    return "a trace has no statements";
  if (trace.firstStep.size() != size_t(trace.kernel.grid.count()) + 1)
    return "the trace has steps of " +
           std::to_string(trace.firstStep.size() - 1) +
           " workgroups, the grid has " +
           std::to_string(trace.kernel.grid.count());
  for (size_t w = 0; w + 1 < trace.firstStep.size(); ++w)
    if (trace.firstStep[w] > trace.firstStep[w + 1])
      return "steps of workgroup " + std::to_string(w) +
             " end before they start";
  if (trace.firstStep.front() != 0 ||
      trace.firstStep.back() != trace.steps.size())
    return "steps belong to no workgroup";
  for (const TraceStep &step : trace.steps)
    if (uint64_t(step.firstTouch) + step.touches > trace.touches.size())
      return "a step has touches that are not there";
  for (const TraceTouch &touch : trace.touches)
    if (touch.buffer >= trace.kernel.buffers.size() || touch.offset < 0)
      return "a touch of no buffer";
  return "";
}

} // namespace swizzle
