//===- Roofline.h - Time from counts -------------------------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How long each resource would take alone, and which one sets the time.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_SIMULATION_MACHINE_ROOFLINE_H
#define SWIZZLE_LIB_SIMULATION_MACHINE_ROOFLINE_H

#include "Machine.h"
#include "UnitWork.h"
#include "swizzle/Metrics/Metrics.h"

namespace swizzle::simulation {

/// Clocks that workgroups wait for what they read, one wait after the other, of
/// all of them together: if the shared cache had all of it, and besides for what
/// comes from memory.
struct Latency {
  double leastClocks = 0, moreClocks = 0;

  friend Latency operator*(double factor, Latency one) {
    return {factor * one.leastClocks, factor * one.moreClocks};
  }
};

/// What the resources other than the caches behind the nearest and memory have
/// to do.
struct Work {
  double workgroups = 0;
  double slots = 1; ///< for workgroups that run at a time
  /// Share of the compute units that have workgroups, on average over the
  /// launch: the others do nothing.
  double busyUnits = 1;
  double waves = 0;        ///< of the whole launch
  double nearestBytes = 0; ///< asked of the nearest caches, in whole lines
  /// Asked of the shared cache while it was on its way from memory for others.
  double waitingBytes = 0;
  /// Asked of it, and merged with another's request before they got there.
  double mergedBytes = 0;
  /// What crosses between the partitions of the shared cache.
  double crossingBytes = 0;
  /// What memory could move while it opens rows.
  double scatterBytes = 0;
  double flops = 0, tensorFlops = 0;
  Latency latency;
  UnitWork units;               ///< of the whole launch
  double remapInstructions = 0; ///< per wave
};

/// Fills in `roofline`, `scatterUs` and `timeUs` of `metrics` from its bytes
/// and `work`.
void predictTime(Metrics &metrics, const Work &work, const Machine &machine);

} // namespace swizzle::simulation

#endif // SWIZZLE_LIB_SIMULATION_MACHINE_ROOFLINE_H
