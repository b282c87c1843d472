//===- Statistics.h - Figures of repeated measurements ----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Timings are skewed: something may delay a run, nothing speeds it up. So the
// median stands for a variant, percentiles for its spread, never the mean.
//
//   Summary summary = summarise({10.0, 10.1, 10.4, 12.0, 10.0});
//   summary.median   // 10.1
//   summary.p80      // 10.4 or more
//   summary.noise    // relative standard error of the median
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_MEASURE_RUN_STATISTICS_H
#define SWIZZLE_MEASURE_RUN_STATISTICS_H

#include <vector>

namespace swizzle {

struct Summary {
  double median = 0, p20 = 0, p80 = 0;
  /// Relative, one sigma, of the median: 1.2533 s / (sqrt(n) median), where s
  /// is estimated by the median absolute deviation. 1 of fewer than three
  /// samples.
  double noise = 1;
};

/// The value at `share` (0 to 1) of the sorted samples, interpolated linearly;
/// 0 of no samples.
double percentile(std::vector<double> samples, double share);

Summary summarise(const std::vector<double> &samples);

} // namespace swizzle

#endif // SWIZZLE_MEASURE_RUN_STATISTICS_H
