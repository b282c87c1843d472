//===- CheckInput.h - What can be simulated ---------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Refuses what the simulator has no meaning for, or would never be done with.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_SIMULATION_CHECKINPUT_H
#define SWIZZLE_LIB_SIMULATION_CHECKINPUT_H

#include "swizzle/Simulation/Simulator.h"

namespace swizzle::simulation {

/// Lines that one access of a workgroup may touch: all of them are listed
/// before any is simulated, 4 MiB of lines in some 0.3 s.
inline constexpr double kMostLinesOfAccess = 1 << 22;

/// Fails if `model`, or a recording of it, cannot be simulated in this order
/// with these options; says what is wrong, and what is allowed.
llvm::Error checkInput(const KernelModel &model, const Trace *trace,
                       llvm::ArrayRef<uint32_t> permutation,
                       const SimulationOptions &options);

} // namespace swizzle::simulation

#endif // SWIZZLE_LIB_SIMULATION_CHECKINPUT_H
