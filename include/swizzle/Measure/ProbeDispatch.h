//===- ProbeDispatch.h - Where workgroups run -------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Starts workgroups that note the compute unit and the time at which they began:
//
//   DispatchTrace trace;
//   std::string wrong = probeDispatch(*driver, 1000, trace);
//   trace.starts[0].unit     // the compute unit of workgroup 0
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_MEASURE_PROBEDISPATCH_H
#define SWIZZLE_MEASURE_PROBEDISPATCH_H

#include "swizzle/Measure/GpuDriver.h"

namespace swizzle {

struct WorkgroupStart {
  int64_t unit = 0;        ///< the SM
  int64_t nanoseconds = 0; ///< after the first workgroup's start
};

struct DispatchTrace {
  std::vector<WorkgroupStart> starts; ///< by workgroup id
};

/// One launch of `workgroups` workgroups that stay for some microseconds.
/// Returns what is wrong, "" if nothing is.
std::string probeDispatch(GpuDriver &driver, int64_t workgroups,
                          DispatchTrace &trace);

/// {"schema": "swizzle-dispatch/1", "device": ..., "unit": [...],
///  "start_ns": [...]}.
std::string writeDispatch(const GpuDriver &driver, const DispatchTrace &trace);

} // namespace swizzle

#endif // SWIZZLE_MEASURE_PROBEDISPATCH_H
