//===- Evaluator.h - Build and measure, each order once ---------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls `build` and `measure` once for each order: what this run or the journal
// knows is not done again. Counts, times and records what is done, and refuses
// what a budget forbids.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_TUNING_SEARCH_EVALUATOR_H
#define SWIZZLE_LIB_TUNING_SEARCH_EVALUATOR_H

#include "Budget.h"
#include <map>
#include <set>

namespace swizzle::tuning {

class Evaluator {
public:
  Evaluator(const BuildFunction &build, const MeasureFunction &measure,
            LaunchDescription launch, Budget &budget, KernelJournal *journal);

  /// What building gave. A build that a budget forbids is a `RunFailed` with
  /// code "budget".
  BuildResult build(const Variant &variant);

  /// What measuring gave. Fails with the profiler's message, or with a
  /// `BudgetError`.
  llvm::Expected<Metrics> measure(const Variant &variant, Fidelity fidelity);

  /// What measuring the order `key` gave, in this run; null if it was not
  /// measured, or could not be.
  const Metrics *known(const std::string &key, Fidelity fidelity) const;

private:
  std::shared_ptr<const Artifact> artifactOf(const Variant &variant);

  const BuildFunction &buildVariant;
  const MeasureFunction &measureVariant;
  const LaunchDescription launch;
  Budget &budget;
  KernelJournal *journal;
  Variant asItIs;
  double carefulSeconds = 0; ///< of all but a search's figures
  std::map<std::string, BuildResult> builds;
  std::set<std::string> rememberedBuilds; ///< by a journal, without artifacts
  std::map<std::pair<std::string, Fidelity>,
           std::pair<std::optional<Metrics>, std::string>>
      measurements;
};

/// A budget does not allow what was asked for.
class BudgetError : public llvm::ErrorInfo<BudgetError> {
public:
  static char ID;
  explicit BudgetError(TuningEnd end) : end(end) {}
  void log(llvm::raw_ostream &os) const override {
    os << "not evaluated: " << toString(end);
  }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
  TuningEnd end;
};

} // namespace swizzle::tuning

#endif // SWIZZLE_LIB_TUNING_SEARCH_EVALUATOR_H
