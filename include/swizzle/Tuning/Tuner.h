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
// Knows variants only through two callbacks; no IR in sight.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TUNING_TUNER_H
#define SWIZZLE_TUNING_TUNER_H

#include "swizzle/Agent/Agent.h"
#include "swizzle/Formula/Proof.h"
#include <functional>
#include <memory>

namespace swizzle {

/// One proved formula with its parameters set.
struct Variant {
  unsigned attempt = 0;           ///< number, 0: the kernel as it is
  std::optional<Formula> formula; ///< nullopt: the kernel as it is
  ParamValues params;
  std::optional<Proof> proof;
};

/// What building (rewriting, compiling, checking) a variant gave.
struct BuildResult {
  /// `Measured` stands for "built"; else BuildFailed or CheckFailed.
  AttemptStatus status = AttemptStatus::Measured;
  std::string code;    ///< "crash", "timeout", "error", "differs", ...
  std::string message; ///< one sentence
  bool unchecked = false;
};

/// How carefully to measure: search cheaply, decide carefully.
enum class Fidelity : uint8_t { Search, Decide };

using BuildFunction = std::function<BuildResult(const Variant &)>;
using MeasureFunction =
    std::function<llvm::Expected<Measurement>(const Variant &, Fidelity)>;

/// Hard limits; 0: none.
struct TuningBudget {
  unsigned evaluations = 0;
  double seconds = 0;
  int64_t tokens = 0;
  double money = 0;
};

struct TuningOptions {
  unsigned rounds = 4;
  unsigned proposals = 3;
  unsigned patience = 2; ///< rounds without a gain after which the loop ends
  TuningBudget budget;
  Objective objective = Objective::Auto;
  double margin = 0.01; ///< relative gain below which the kernel is left alone
};

/// Why the loop ended.
enum class TuningEnd : uint8_t {
  Rounds,
  Patience,
  Evaluations,
  Seconds,
  Tokens,
  Money,
  NothingToGain, ///< no order can help: not memory-bound, one workgroup, ...
  AgentsDone,
  AgentFailed,
  Cancelled,
};

struct TuningResult {
  Variant best; ///< `attempt == 0`: leave the kernel alone
  Measurement baseline, bestMeasurement;
  Objective objective = Objective::Time;
  std::string objectiveReason;
  std::vector<Attempt> attempts;
  Usage usage;
  unsigned evaluations = 0, rounds = 0;
  TuningEnd end = TuningEnd::Rounds;
  std::string endReason; ///< one sentence
};

llvm::StringRef toString(TuningEnd end);

} // namespace swizzle

#endif // SWIZZLE_TUNING_TUNER_H
