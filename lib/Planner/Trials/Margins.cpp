//===- Margins.cpp - What an order must gain ------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An order is taken for a gain that is no artefact of how it was simulated, and
// that does not rest on what is known least. Where none is, somebody is told
// why.
//
//===----------------------------------------------------------------------===//

#include "../Wording.h"
#include "Constants.h"
#include "Evaluation.h"
#include "swizzle/Planner/Planner.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

namespace swizzle::planner {

using Constants = EvaluationConstants;

/// Time besides what scattered memory takes, of as much work as `like` is.
static double timeInWholeBlocks(const Metrics &metrics, const Metrics &like) {
  double scale =
      metrics.lineAccesses > 0 ? like.lineAccesses / metrics.lineAccesses : 1;
  return (metrics.timeUs - metrics.scatterUs) * scale;
}

double marginFor(double margin, const Metrics &before, const Metrics &after) {
  bool restsOnScatter = timeInWholeBlocks(before, before) <
                        (1 + margin) * timeInWholeBlocks(after, before);
  return restsOnScatter ? std::max(margin, Constants::scatterMargin) : margin;
}

/// The standard error of the gain that comes of which lines were sampled, by
/// leaving out one group of them after the other (jackknife). What all orders
/// have in common cancels. All lines together are certain.
static double errorOfGain(const SimulationOptions &detail,
                          const Metrics &before, const Metrics &after) {
  size_t count = before.timesWithoutGroups.size();
  if (count < 2 || after.timesWithoutGroups.size() != count)
    return 0;
  double sum = 0, squares = 0;
  for (size_t i = 0; i < count; ++i) {
    double gain = before.timesWithoutGroups[i] / after.timesWithoutGroups[i];
    sum += gain;
    squares += gain * gain;
  }
  double mean = sum / double(count);
  double variance = std::max(0.0, squares / double(count) - mean * mean);
  double unseen = 1 - std::ldexp(1.0, -int(detail.sampleShift));
  return std::sqrt(variance * double(count - 1) * unseen);
}

double leastGain(double margin, const SimulationOptions &detail,
                 const Metrics &before, const Metrics &after) {
  margin =
      std::max(marginFor(margin, before, after),
               Constants::errorsOfGain * errorOfGain(detail, before, after));
  if (detail.prefix < 1)
    margin += Constants::windowError;
  return margin + std::hypot(before.noise.value_or(0), after.noise.value_or(0));
}

/// Why more than `margin` is asked for, to go on a sentence with; empty where it
/// is not.
static const char *whyMore(double margin, const SimulationOptions &detail,
                           const Metrics &before, const Metrics &after) {
  if (marginFor(margin, before, after) > margin)
    return ", which is asked for where memory that is less scattered is all "
           "that there is to gain";
  if (Constants::errorsOfGain * errorOfGain(detail, before, after) > margin)
    return ", which few lines of a sample may feign";
  if (detail.prefix < 1)
    return ", which a part of the launch may feign";
  return before.noise || after.noise ? ", which leaving out steps may feign"
                                     : "";
}

std::string tooLittle(double gain, double margin,
                      const SimulationOptions &detail, const Metrics &before,
                      const Metrics &after) {
  double least = leastGain(margin, detail, before, after);
  return llvm::formatv("{0}, less than {1:P1}{2}", gainBelow(least, gain),
                       least, whyMore(margin, detail, before, after));
}

std::string Evaluation::whyNone() const {
  const Trial *best = nullptr;
  bool isAnyWorthIt = false;
  for (const Trial &trial : trials) {
    if (!trial.final)
      continue;
    isAnyWorthIt |= isWorthIt(trial);
    if (!best || gain(trial) > gain(*best))
      best = &trial;
  }
  double most = best ? std::max(gain(*best), 0.0) : 0;
  if (!best || most < options.margin)
    return llvm::formatv("none of {0} simulated orders is {1:P1} faster; the "
                         "best one gains {2}",
                         trials.size(), options.margin,
                         gainBelow(options.margin, most));
  if (unproved)
    return llvm::formatv("none of the {0} simulated orders that are faster is "
                         "proved a permutation of every grid; give the grid, "
                         "where there is one",
                         trials.size());
  if (!isAnyWorthIt)
    return llvm::formatv(
        "the best of {0} simulated orders gains {1}", trials.size(),
        tooLittle(most, options.margin, lastDetail, before(), best->metrics));
  return llvm::formatv("the best of {0} simulated orders is {1:P1} faster, "
                       "which is less than its time changes with caches 10 % "
                       "smaller or larger, or with another skew",
                       trials.size(), most);
}

} // namespace swizzle::planner
