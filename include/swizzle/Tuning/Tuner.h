//===- Tuner.h - The closed loop -------------------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Agents propose, the loop parses, proves, builds, measures, and tells the
// agents what happened, until a budget is spent or nothing better is found.
// Knows variants only through two callbacks; no IR in sight:
//
//   build(variant)                    → verdict, artifact
//   measure(variant, artifact, launch) → metrics
//
//   auto result = tune(context, {planner, model}, build, measure, options);
//   result->best.formula       // nullopt: the kernel as it is
//   result->attempts           // what each agent proposed, and its verdict
//   result->endReason          // "no gain in 2 rounds"
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TUNING_TUNER_H
#define SWIZZLE_TUNING_TUNER_H

#include "swizzle/Agent/Core/Agent.h"
#include "swizzle/Profiling/Profiling.h"

namespace swizzle {

struct BuildResult : BuildVerdict {
  /// What was compiled; null if nothing was.
  std::shared_ptr<const Artifact> artifact;
};

using BuildFunction = std::function<BuildResult(const Variant &)>;

/// Hard limits; 0: none. Each is looked at before anything is spent.
struct TuningBudget {
  unsigned evaluations = 0; ///< simulations and runs, of either fidelity
  double seconds = 0;
  int64_t tokens = 0; ///< sent and received
  double money = 0;
};

struct TuningOptions {
  unsigned rounds = 4;
  unsigned proposals = 3;
  unsigned patience = 2; ///< rounds without a gain after which the loop ends
  TuningBudget budget;
  Objective objective = Objective::Auto;
  double margin = 0.01; ///< relative gain below which the kernel is left alone
  /// Parameter sets of one template that are looked at cheaply, at most (all
  /// that an agent lists are), and how many of them are then profiled carefully
  /// beside the first. Before the end as many attempts are profiled once more.
  unsigned searchPoints = 24;
  unsigned finalists = 3;
  bool attachPicture = false; ///< of the mapping, to what an agent is told
};

/// Why the loop ended.
enum class TuningEnd : uint8_t {
  Rounds,
  Patience,
  Evaluations,
  Seconds,
  DeviceSeconds, ///< the profiler has no time left on its device
  Tokens,
  Money,
  NothingToGain, ///< no order can help: not memory-bound, one workgroup, ...
  AgentsDone,
  AgentFailed,
  Cancelled,
  JournalFailed, ///< the journal cannot be written
};

/// Where the time went. Time that an earlier, interrupted run spent counts.
struct PhaseSeconds {
  double agent = 0, build = 0, check = 0, measure = 0;
  double total = 0;
  /// The loop's own: proofs, duplicates, journal.
  double loop() const { return total - agent - build - check - measure; }
};

struct TuningResult {
  Variant best; ///< `attempt == 0`: leave the kernel alone
  /// In equal detail: `bestMeasurement` over `baseline` is the gain.
  Metrics baseline, bestMeasurement;
  /// False if a budget was spent before the kernel as it is was profiled: both
  /// say nothing then.
  bool isProfiled = false;
  Objective objective = Objective::Time;
  std::string objectiveReason;
  std::vector<Attempt> attempts;
  /// Attempts whose figures, as well as those of `baseline`, were made anew at
  /// the end, in more detail. The best is one of them, unless this is empty:
  /// figures had no error, or a budget was spent, which a note says.
  std::vector<unsigned> confirmed;
  bool searched = false; ///< a search of its own (the planner) answered
  /// Why that one would leave the kernel as it is; empty: it would not.
  std::string searchReason;
  Usage usage;
  unsigned evaluations = 0, rounds = 0;
  PhaseSeconds seconds;
  TuningEnd end = TuningEnd::Rounds;
  std::string endReason; ///< one sentence
  /// What could not be done beside the attempts: a picture that was not drawn,
  /// an attempt of an earlier run that cannot be read any more.
  std::vector<std::string> notes;
};

/// What the loop is doing, for a terminal or a program that watches.
struct TuningEvent {
  enum Kind : uint8_t {
    Baseline,  ///< `result.baseline` was profiled
    Asking,    ///< `agent` is being asked, in `round`
    Tried,     ///< `attempt` has its verdict
    RoundDone, ///< `round` is over
    Ended,     ///< `result.end` says why
  };
  Kind kind = Baseline;
  unsigned round = 0;
  std::string agent;
  const Attempt *attempt = nullptr;
  const TuningResult &result; ///< so far
  const TuningBudget &budget;
};

class KernelJournal;

/// How the loop touches the world beside its two callbacks; all may be empty.
struct TuningHooks {
  std::function<void(const TuningEvent &)> event;
  /// True once the loop shall end with the best so far; what runs then is cut
  /// short. May be null.
  const std::atomic<bool> *cancel = nullptr;
  /// What an earlier run spent, as its answers are replayed.
  std::function<void(const Usage &)> replayed;
  /// Seconds since some fixed moment; by default a steady clock.
  std::function<double()> clock;
  /// Remembers answers and evaluations, and gives back those it has.
  KernelJournal *journal = nullptr;
};

/// Runs the loop on one kernel. `context` has everything but history, objective
/// and baseline; if its history is not empty, the loop goes on from there: each
/// of its formulas is proved again, and the best is profiled again. Fails if
/// the kernel as it is cannot be built or profiled, or if the objective is one
/// that this profiler cannot tell. Whatever else goes wrong is an attempt with
/// a reason.
llvm::Expected<TuningResult>
tune(AgentContext context, llvm::ArrayRef<Agent *> agents,
     const BuildFunction &build, const MeasureFunction &measure,
     const TuningOptions &options = {}, const TuningHooks &hooks = {});

llvm::StringRef toString(TuningEnd end);

} // namespace swizzle

#endif // SWIZZLE_TUNING_TUNER_H
