//===- History.h - What has been tried so far ------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One `Attempt` for everything that an agent proposed, whatever became of it:
// an answer that did not parse and a variant that won are both worth telling
// the agent about. Plain data, shared by the agents, the loop, its journal and
// its report.
//
//   #2, round 1, openai: "return gx - 1 - x, y"   Profiled, "no-gain"
//   #3, round 1, openai: "return x // 2, y"       Illegal, "duplicate"
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_RECORDS_HISTORY_H
#define SWIZZLE_RECORDS_HISTORY_H

#include "swizzle/Formula/Formula.h"
#include "swizzle/Metrics/Metrics.h"
#include "llvm/ADT/StringRef.h"

#include <vector>

namespace swizzle {

/// The figure that shall improve.
enum class Objective : uint8_t { Auto, Time, L2HitRate, DramBytes, Energy };

/// What became of an attempt. The order is that of the steps it went through.
enum class AttemptStatus : uint8_t {
  NoAnswer,    ///< the agent failed; `code` is its error's class
  Unreadable,  ///< the formula does not parse
  Illegal,     ///< not a permutation, or not proved one
  Infeasible,  ///< no parameter set satisfies the requirements
  Duplicate,   ///< the same permutation as an earlier attempt
  BuildFailed, ///< the compiler refused, crashed or ran out of time
  CheckFailed, ///< what it computes differs from the original
  RunFailed,   ///< the profiler could not measure it
  Profiled,
};

/// The code of a build that nobody waited for: no verdict on the variant.
inline constexpr llvm::StringLiteral kBudgetCode = "budget";

/// What building (rewriting, compiling, checking) a variant gave.
struct BuildVerdict {
  /// `Profiled` stands for "built"; else BuildFailed or CheckFailed.
  AttemptStatus status = AttemptStatus::Profiled;
  std::string code;    ///< "crash", "timeout", "error", "differs", ...
  std::string message; ///< one sentence
  bool unchecked = false;
  double checkSeconds = 0; ///< the part of the time that the check took
};

/// One parameter set of a template, as far as it got: figures, or why there are
/// none.
struct TriedSet {
  ParamValues params;
  Fidelity fidelity = Fidelity::Search; ///< of the figures
  double timeUs = 0;
  std::optional<double> dramBytes, l2HitRate;
  std::optional<double> noise; ///< relative error of the figures
  std::string bound;           ///< what sets the time, as `boundKey`; or empty
  std::string error;           ///< not empty: nothing was measured

  bool measured() const { return error.empty(); }
};

/// The figures of `metrics`, as a history keeps them of each set.
TriedSet describeSet(const ParamValues &params, const Metrics &metrics,
                     Fidelity fidelity);

struct Attempt {
  unsigned number = 0; ///< from 1, over all rounds
  unsigned round = 0;  ///< from 1
  std::string agent;   ///< who proposed it

  std::string formula; ///< text as proposed
  ParamValues params;  ///< the set that was tried, or that won the search

  AttemptStatus status = AttemptStatus::Unreadable;
  /// Finer than `status`: a refusal's code, "crash", "timeout", "slower", ...
  std::string code;
  std::string message; ///< one sentence; may quote the formula with a caret
  std::string counterexample; ///< of an illegal formula, where there is one
  unsigned sameAs = 0;        ///< number of the equal attempt; 0: the identity

  std::optional<Metrics> measurement;
  bool best = false; ///< of all; no two attempts are
  /// Of a template: each parameter set that was looked at, and those of the
  /// agent's that could not be.
  std::vector<TriedSet> sets;
  unsigned evaluations = 0; ///< simulations or runs that it took
  /// True if the host check could not run it: "unchecked: op X" in `message`.
  bool unchecked = false;

  // What the agent said about it.
  std::string critique, limits, change, expectation;
};

/// The objective's figure in `metrics`, such that smaller is better (a hit
/// rate as its miss rate); nullopt if the profiler could not tell it.
std::optional<double> costOf(const Metrics &metrics, Objective objective);

llvm::StringRef toString(Objective objective);
llvm::StringRef toString(AttemptStatus status);

} // namespace swizzle

#endif // SWIZZLE_RECORDS_HISTORY_H
