//===- Preference.cpp - Which of several orders is preferred --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of orders that were simulated: see Evaluation.h.
//
//===----------------------------------------------------------------------===//

#include "Evaluation.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <tuple>

namespace swizzle::planner {

using Constants = EvaluationConstants;

bool comesFirst(const Trial *trial, const Trial *other) {
  auto key = [](const Trial &one) {
    return std::make_tuple(one.cost, one.order.nest.levels.size(),
                           one.order.sizeOfPieces());
  };
  auto keyOfOne = key(*trial), keyOfOther = key(*other);
  return keyOfOne != keyOfOther ? keyOfOne < keyOfOther
                                : trial->name < other->name;
}

bool isQuicker(const Trial *trial, const Trial *other) {
  return trial->forecast.timeUs != other->forecast.timeUs
             ? trial->forecast.timeUs < other->forecast.timeUs
             : comesFirst(trial, other);
}

/// True if `value` is less than `other` by a share of more than `margin`, and
/// by more than the sensitivity. The vectors have the same variants in the same
/// order, or one is empty.
static bool isLess(double value, llvm::ArrayRef<double> variants, double other,
                   llvm::ArrayRef<double> otherVariants, double margin) {
  if (value * (1 + margin) >= other)
    return false;
  // Above the standard deviation, and in the same direction.
  double count = 0, sum = 0, squares = 0;
  for (auto [variant, otherVariant] : llvm::zip(variants, otherVariants)) {
    double difference =
        (otherVariant - variant) / std::max(otherVariant + variant, 1e-30);
    ++count;
    sum += difference;
    squares += difference * difference;
  }
  return count == 0 || (sum > 0 && 2 * sum * sum > count * squares);
}

bool Evaluation::isFaster(const Forecast &forecast, const Forecast &other,
                          double margins) const {
  return isLess(forecast.timeUs, forecast.times, other.timeUs, other.times,
                margins * options.margin);
}

bool Evaluation::isLeaner(const Forecast &forecast,
                          const Forecast &other) const {
  return isLess(forecast.dramBytes, forecast.drams, other.dramBytes,
                other.drams, Constants::leannessMargin * options.margin);
}

/// True if `trial` is not so much slower than the fastest that nothing else
/// counts.
bool Evaluation::mayBeEqual(const Trial &fastest, const Trial &trial) const {
  return !isFaster(fastest.forecast, trial.forecast, Constants::calmMargin);
}

bool Evaluation::losesMore(const Forecast &forecast,
                           const Forecast &other) const {
  return forecast.latencyUs > other.latencyUs + Constants::latencyMargin *
                                                    options.margin *
                                                    other.timeUs;
}

const Trial *Evaluation::preferred(llvm::ArrayRef<const Trial *> among) const {
  if (among.empty())
    return nullptr;
  const Trial *fastest = *llvm::min_element(among, isQuicker);
  const Trial *calmest = fastest;
  for (const Trial *trial : among)
    if (trial->forecast.timeUs <= (1 + Constants::calmMargin * options.margin) *
                                      fastest->forecast.timeUs &&
        trial->forecast.latencyUs < calmest->forecast.latencyUs)
      calmest = trial;
  std::vector<const Trial *> calm, fast, lean;
  llvm::copy_if(among, std::back_inserter(calm), [&](const Trial *trial) {
    return mayBeEqual(*fastest, *trial) &&
           !losesMore(trial->forecast, calmest->forecast);
  });
  fastest = *llvm::min_element(calm, isQuicker);
  llvm::copy_if(calm, std::back_inserter(fast), [&](const Trial *trial) {
    return !isFaster(fastest->forecast, trial->forecast, Constants::tieMargin);
  });
  const Trial *leanest = *llvm::min_element(fast, [](auto *a, auto *b) {
    return a->forecast.dramBytes < b->forecast.dramBytes;
  });
  llvm::copy_if(fast, std::back_inserter(lean), [&](const Trial *trial) {
    return !isLeaner(leanest->forecast, trial->forecast);
  });
  return *llvm::min_element(lean, comesFirst);
}

bool Evaluation::isNoSlower(const Metrics &metrics,
                            const Metrics &other) const {
  Forecast one = forecastOf(metrics, other), two = forecastOf(other, other);
  double margin = Constants::rivalMargin * options.margin;
  return losesMore(one, two) ? one.timeUs <= (1 - margin) * two.timeUs
                             : one.timeUs <= (1 + margin) * two.timeUs;
}

} // namespace swizzle::planner
