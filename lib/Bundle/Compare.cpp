//===- Compare.cpp - Is one measured time less than another ---------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With a relative error of n, a ratio r is surely below 1 if r (1 + 2 n) is:
// if the gain 1 / r - 1 is more than 2 n.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Bundle/Compare.h"

#include <algorithm>
#include <cmath>

namespace swizzle {

double neededGain(double noise, double margin) {
  return std::max(margin, kSigmas * noise);
}

bool isFaster(const TimeRatio &time, double margin) {
  return time.gain() > neededGain(time.noise, margin);
}

/// The original's time in the turns of `row`.
static double originalBeside(const JobResult &original, const JobResult &row) {
  bool told = row.measurement && row.measurement->originalUs > 0;
  return told ? row.measurement->originalUs : original.metrics.timeUs;
}

double disagreementOf(const JobResult &original, const JobResult &row) {
  return originalBeside(original, row) / original.metrics.timeUs - 1;
}

TimeRatio compareWithOriginal(const JobResult &original, const JobResult &row) {
  TimeRatio time;
  time.ratio = row.metrics.timeUs / originalBeside(original, row);
  time.noise = std::hypot(row.metrics.noise.value_or(1),
                          original.metrics.noise.value_or(1),
                          disagreementOf(original, row));
  return time;
}

} // namespace swizzle
