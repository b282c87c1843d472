//===- ProbeDispatch.h - Where workgroups run -------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Starts workgroups that note the die and the compute unit that they run on and
// the time at which they began, and makes a chip's description of what they
// say:
//
//   DispatchTrace trace;
//   std::string wrong = probeDispatch(*driver, 1000, trace);
//   trace.starts[0].unit               // what workgroup 0 ran on
//   wrong = takeDispatch(trace, chip); // chip.dispatchOrder, chip.dispatchChunk
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_MEASURE_PROBE_PROBEDISPATCH_H
#define SWIZZLE_MEASURE_PROBE_PROBEDISPATCH_H

#include "swizzle/Hardware/HardwareSpec.h"
#include "swizzle/Measure/Device/GpuDriver.h"

namespace swizzle {

struct WorkgroupStart {
  int64_t die = 0;  ///< the XCD, by the hardware's number; 0: one die
  int64_t unit = 0; ///< the SM or CU of the die, by the hardware's number
  int64_t nanoseconds = 0; ///< after the first workgroup's start
};

struct DispatchTrace {
  std::vector<WorkgroupStart> starts; ///< by workgroup id
};

/// One launch of `workgroups` workgroups that stay for some microseconds.
/// Returns what is wrong, "" if nothing is.
std::string probeDispatch(GpuDriver &driver, int64_t workgroups,
                          DispatchTrace &trace);

/// Sets `chip`'s dispatch order and chunk. The hardware's numbers may have
/// gaps; dies and the units of a die are numbered anew, in the same order.
/// Returns what is wrong: other dies or units than `chip` has, or dies that are
/// not dealt to in turns.
std::string takeDispatch(const DispatchTrace &trace, HardwareSpec &chip);

/// {"schema": "swizzle-dispatch/1", "device": ..., "die": [...], "unit": [...],
///  "start_ns": [...]}; no "die" where there is one.
std::string writeDispatch(const GpuDriver &driver, const DispatchTrace &trace);

} // namespace swizzle

#endif // SWIZZLE_MEASURE_PROBE_PROBEDISPATCH_H
