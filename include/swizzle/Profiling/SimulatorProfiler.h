//===- SimulatorProfiler.h - The simulator as a profiler --------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The profiler that is always there: it simulates the model of the kernel on
// the description of a chip, and needs no artifact.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_PROFILING_SIMULATORPROFILER_H
#define SWIZZLE_PROFILING_SIMULATORPROFILER_H

#include "swizzle/Planner/OrderSimulator.h"
#include "swizzle/Profiling/Profiling.h"

namespace swizzle {

/// What is simulated; all of it must outlive the profiler.
struct SimulatedKernel {
  const KernelModel &model;
  const HardwareSpec &hardware;
  /// Grid and hardware constants, for the cost of a formula.
  const Environment &environment;
};

/// Its noise is what the sampling leaves uncertain between two orders; a
/// variant's own arithmetic counts towards its time. `used`, if given, must
/// outlive the profiler too and gets how the last deciding simulation was made.
MeasureFunction makeSimulatorProfiler(const SimulatedKernel &kernel,
                                      const SimulatorEffort &effort = {},
                                      SimulationOptions *used = nullptr);

} // namespace swizzle

#endif // SWIZZLE_PROFILING_SIMULATORPROFILER_H
