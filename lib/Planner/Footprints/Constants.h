//===- Constants.h - What the footprint model fixes -------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each constant says what it trades off and what supports it; "a choice" means
// that no measurement does. None depends on a kernel or a chip.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_PLANNER_FOOTPRINTS_CONSTANTS_H
#define SWIZZLE_LIB_PLANNER_FOOTPRINTS_CONSTANTS_H

#include <cstddef>
#include <cstdint>

namespace swizzle::planner {

/// The footprint model (CoarseModel.cpp): a sample of lines instead of all.
struct FootprintConstants {
  /// Of an L2, the share that is taken to hold data for certain: the average
  /// footprint is exceeded half of the time, by workgroups that run ahead and
  /// in sets that are used more than others. With 1, the best pieces would be
  /// those that only just do not fit.
  static constexpr double heldShare = 0.75;
  /// Of the workgroups that run together, the share that starts while a line
  /// that the first of them asked memory for is on its way. A choice: a third
  /// by the simulator's rounds where a workgroup has few accesses, all of them
  /// where they go through loops in step.
  static constexpr double startedInFlight = 0.5;
  /// Of the first reads of workgroups that start one after the other, the share
  /// that is merged where all of them could be. Counted on an H100 and an H200:
  /// 0.05 to 0.1 of 7- and 13-point stencils, 0.3 of decoding over pages.
  static constexpr double startedInStep = 0.25;
  /// Workgroups whose lines are looked at, and lines of each. Time against the
  /// error of the sample. A choice.
  static constexpr int64_t centres = 96;
  static constexpr int64_t linesOfOne = 8;
  /// Bounds on that: line accesses walked, uses in all, uses of one line. They
  /// bound the time on kernels with many accesses or lines that all share.
  static constexpr int64_t walkBudget = 24 << 20;
  /// Work units that walking takes at most, of which the above is most but for
  /// kernels whose patterns of lines differ from step to step.
  static constexpr double walkWork = 96e6;
  static constexpr size_t usesBudget = 48 << 10;
  static constexpr size_t usesOfOne = 2048;
  /// Lines that one workgroup's sample should have. As `linesOfOne`.
  static constexpr int64_t sampledLines = 48;
  /// Intervals along an axis up to this length are followed workgroup by
  /// workgroup; of longer ones a few stand for all. Exactness against time.
  static constexpr int64_t shortInterval = 16;
  /// Places along an axis that are all looked at where numbers that are loaded
  /// depend on it. Exactness against time.
  static constexpr int64_t scatteredPlaces = 128;
};

} // namespace swizzle::planner

#endif // SWIZZLE_LIB_PLANNER_FOOTPRINTS_CONSTANTS_H
