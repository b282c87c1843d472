//===- Compare.h - Is one measured time less than another -------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever decides between measured times decides by this. A time is compared
// as its ratio to the original's in the same turns, which clocks and other work
// move alike; never as microseconds of another moment.
//
//   original   100 us, and once more, at another time, 80 us
//   variant     90 us beside the original's 80 us: a ratio of 1.125, a loss,
//               whatever 90 is beside 100
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_BUNDLE_COMPARE_H
#define SWIZZLE_BUNDLE_COMPARE_H

#include "swizzle/Bundle/Job.h"

namespace swizzle {

/// How many standard errors a gain must exceed: by chance, one order in forty
/// that gains nothing does.
inline constexpr double kSigmas = 2;

/// A time over the one that it is compared with.
struct TimeRatio {
  double ratio = 1;
  double noise = 1; ///< relative standard error

  /// The speed-up less one: 0.25 of a ratio of 0.8.
  double gain() const { return 1 / ratio - 1; }
};

/// What a gain must be more than: the margin, and `kSigmas` times the noise.
double neededGain(double noise, double margin);

/// True if it is faster by more than that.
bool isFaster(const TimeRatio &time, double margin);

/// What `row` took beside what the original took in the same turns. Noise is
/// that of both, and by how much the original's time in these turns differs
/// from that of its own row, which another process may have measured. Both rows
/// have figures.
TimeRatio compareWithOriginal(const JobResult &original, const JobResult &row);

/// By how much the original's time in the turns of `row` differs from that of
/// its own row, over the latter.
double disagreementOf(const JobResult &original, const JobResult &row);

} // namespace swizzle

#endif // SWIZZLE_BUNDLE_COMPARE_H
