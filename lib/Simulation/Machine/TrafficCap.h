//===- TrafficCap.h - What memory is asked for at most --------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Extrapolated traffic grows with the steps that were left out; data does not.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_SIMULATION_MACHINE_TRAFFICCAP_H
#define SWIZZLE_LIB_SIMULATION_MACHINE_TRAFFICCAP_H

#include "Machine.h"
#include "swizzle/Metrics/Metrics.h"

namespace swizzle::simulation {

/// If all that a launch touches fits into each of the caches before memory,
/// each of them fetches it once and writes it back once, at most: caps the
/// bytes of `metrics` by that. Does nothing if the size of a buffer is unknown.
void capTraffic(Metrics &metrics, const KernelModel &model,
                const Machine &machine);

} // namespace swizzle::simulation

#endif // SWIZZLE_LIB_SIMULATION_MACHINE_TRAFFICCAP_H
