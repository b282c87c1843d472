//===- Simulate.h - The simulator as a profiler -----------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The profiler that is always there: `measure` by simulation of the kernel's
// model.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TUNING_SIMULATE_H
#define SWIZZLE_TUNING_SIMULATE_H

#include "swizzle/Planner/OrderSimulator.h"
#include "swizzle/Tuning/Tuner.h"

namespace swizzle {

/// A profiler that simulates `context.model` on `context.hardware`. Both must
/// outlive it. Its noise is what the sampling leaves uncertain between two
/// orders; a variant's own arithmetic counts towards its time. `used`, if
/// given, must outlive it too and gets how the last deciding simulation was
/// made.
MeasureFunction makeSimulator(const AgentContext &context,
                              const SimulatorEffort &effort = {},
                              SimulationOptions *used = nullptr);

} // namespace swizzle

#endif // SWIZZLE_TUNING_SIMULATE_H
