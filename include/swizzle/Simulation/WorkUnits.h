//===- WorkUnits.h - What simulating costs ----------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A budget that is counted in seconds gives another result on every machine. So
// work is counted, in units of one line access in full detail that hits, some
// 10 ns. The prices turn counts into a bound on time, and are rough.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_SIMULATION_WORKUNITS_H
#define SWIZZLE_SIMULATION_WORKUNITS_H

namespace swizzle {

struct WorkPrices {
  /// A line access that is not in the sample.
  static constexpr double unsampledLine = 0.04;
  /// One that goes behind the L2, in addition.
  static constexpr double behindL2 = 1.5;
  /// A step of a workgroup: finding the access that comes next.
  static constexpr double step = 1.5;
  /// One that touches nothing, in addition: conditions that each hold for some
  /// threads hold together for none, which all of them are evaluated to find.
  static constexpr double emptyStep = 15;
  /// Of `steps` steps, `empty` of which touch nothing.
  static constexpr double ofSteps(double steps, double empty) {
    return step * steps + emptyStep * empty;
  }
  /// Finding whether a guard holds for all threads of a workgroup, some or
  /// none.
  static constexpr double guard = 0.6;
  /// An instruction of many that touch nothing.
  static constexpr double idle = 1;
  /// A round in which resident workgroups go on, however few.
  static constexpr double round = 7;
  /// A lane of a pattern of lines that was not remembered, and each access that
  /// it makes: its address is evaluated from the model.
  static constexpr double lane = 8;
  static constexpr double laneAccess = 1;
  /// A line that is listed rather than looked up in a cache.
  static constexpr double listedLine = 0.3;
};

} // namespace swizzle

#endif // SWIZZLE_SIMULATION_WORKUNITS_H
