//===- Budget.h - What has been spent, and what is left ---------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every limit is hard: it is looked at before anything is spent. Time comes
// from an injected clock; while a journal is replayed it is the time of the run
// that wrote it, so that a resumed run takes the same decisions.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_TUNING_SEARCH_BUDGET_H
#define SWIZZLE_LIB_TUNING_SEARCH_BUDGET_H

#include "swizzle/Tuning/Tuner.h"

namespace swizzle::tuning {

class Budget {
public:
  Budget(const TuningBudget &limits, const TuningHooks &hooks);

  /// Seconds since the loop began, earlier runs of the journal included.
  double elapsed();

  /// Why no agent may be asked, or nothing evaluated; nullopt: go on.
  std::optional<TuningEnd> beforeAsking();
  std::optional<TuningEnd> beforeEvaluating();

  /// What is left; nullopt: no limit.
  std::optional<unsigned> evaluationsLeft() const;
  Allowance allowance();
  /// When the seconds are over, unless time is not the machine's, or the run is
  /// cancelled.
  Deadline deadline();

  bool isCancelled() const { return hooks.cancel && *hooks.cancel; }

  const TuningBudget &limits;
  unsigned evaluations = 0;
  Usage usage;
  PhaseSeconds seconds;
  bool deviceSpent = false; ///< the profiler measures nothing any more

private:
  const TuningHooks &hooks;
  std::optional<double> liveSince; ///< on the clock, once replay is over
  double before = 0;               ///< seconds of earlier runs
};

/// "the budget of 12 evaluations is spent", for an end that a budget causes.
std::string describeEnd(TuningEnd end, const TuningBudget &limits);

} // namespace swizzle::tuning

#endif // SWIZZLE_LIB_TUNING_SEARCH_BUDGET_H
