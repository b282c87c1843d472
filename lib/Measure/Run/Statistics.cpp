//===- Statistics.cpp - Figures of repeated measurements ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The standard error of a median of normal samples is sqrt(pi / 2) times that
// of their mean; 1.4826 times the median absolute deviation estimates their
// sigma (P. J. Rousseeuw, C. Croux, Alternatives to the median absolute
// deviation, 1993). Where more than half of the samples are the same, as those
// of a coarse clock are, that is 0, and 1.2533 times the mean deviation is
// taken (B. Iglewicz, D. C. Hoaglin, How to detect and handle outliers, 1993).
//
//===----------------------------------------------------------------------===//

#include "swizzle/Measure/Run/Statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace swizzle {

double percentile(std::vector<double> samples, double share) {
  if (samples.empty())
    return 0;
  std::sort(samples.begin(), samples.end());
  double at = share * double(samples.size() - 1);
  size_t below = size_t(at);
  size_t above = std::min(below + 1, samples.size() - 1);
  return samples[below] +
         (at - double(below)) * (samples[above] - samples[below]);
}

Summary summarise(const std::vector<double> &samples) {
  constexpr double kSigmaOfDeviation = 1.4826, kErrorOfMedian = 1.2533,
                   kSigmaOfMeanDeviation = 1.2533;
  Summary summary;
  summary.median = percentile(samples, 0.5);
  summary.p20 = percentile(samples, 0.2);
  summary.p80 = percentile(samples, 0.8);
  if (samples.size() < 3 || summary.median <= 0)
    return summary;
  std::vector<double> deviations;
  for (double sample : samples)
    deviations.push_back(std::abs(sample - summary.median));
  double sigma = kSigmaOfDeviation * percentile(deviations, 0.5);
  if (sigma == 0)
    sigma = kSigmaOfMeanDeviation *
            std::accumulate(deviations.begin(), deviations.end(), 0.0) /
            double(deviations.size());
  summary.noise = kErrorOfMedian * sigma /
                  (std::sqrt(double(samples.size())) * summary.median);
  return summary;
}

} // namespace swizzle
