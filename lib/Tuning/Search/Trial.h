//===- Trial.h - From a proposal to a verdict -------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One proposal goes through the steps of `AttemptStatus`, as far as it gets.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_TUNING_SEARCH_TRIAL_H
#define SWIZZLE_LIB_TUNING_SEARCH_TRIAL_H

#include "Search.h"

namespace swizzle::tuning {

/// What a trial is measured against, and what the loop knows so far.
struct TrialSetting {
  const AgentContext &context;
  const TuningOptions &options;
  Evaluator &evaluator;
  Budget &budget;
  DuplicateIndex &tried;
  const TuningResult &result; ///< baseline, best, attempts so far
};

struct Trial {
  Attempt attempt;
  std::optional<Variant> variant; ///< set if it was measured
  std::string notes; ///< of one that was measured, behind its verdict
  /// True if a budget or Ctrl-C cut the trial short: it has no verdict.
  bool cut = false;
};

/// Parses, proves, searches, builds and measures `proposal`. `attempt` brings
/// number, round and agent. What a measurement is worth among the others is for
/// `Standings`.
Trial tryProposal(const Proposal &proposal, Attempt attempt,
                  const TrialSetting &setting);

} // namespace swizzle::tuning

#endif // SWIZZLE_LIB_TUNING_SEARCH_TRIAL_H
