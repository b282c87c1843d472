//===- Outcome.cpp - What a run amounts to --------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Outcome.h.
//
//===----------------------------------------------------------------------===//

#include "Outcome.h"

#include "swizzle/Agent/Core/ContextRecord.h"
#include "swizzle/Bundle/Compare.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

namespace swizzle {

bool goesFirst(llvm::ArrayRef<std::unique_ptr<Agent>> agents) {
  return llvm::any_of(agents,
                      [](const std::unique_ptr<Agent> &agent) {
                        return agent->role() == AgentRole::Proposes;
                      }) &&
         llvm::none_of(agents, [](const std::unique_ptr<Agent> &agent) {
           return agent->role() == AgentRole::Searches;
         });
}

/// The attempt of this number, or nullptr.
static const Attempt *findAttempt(const TuningResult &result, unsigned number) {
  auto it = llvm::find_if(result.attempts, [&](const Attempt &attempt) {
    return number && attempt.number == number;
  });
  return it != result.attempts.end() ? &*it : nullptr;
}

/// What a GPU decided, by the time alone, with figures of its own: what was
/// simulated before is no part of it.
static std::optional<DatabaseRecord>
recordOfMeasured(const AgentContext &context, const TuningResult &result,
                 const MeasuredFinalists &measured) {
  DatabaseRecord record =
      makeDatabaseRecord(context, findAttempt(result, measured.attempt));
  if (record.formula.empty()) {
    std::set<std::string> agents;
    size_t count = 0;
    for (const Attempt &attempt : result.attempts)
      if (const JobResult *row = measured.find(attempt.number);
          row && row->failure.empty()) {
        agents.insert(attempt.agent);
        ++count;
      }
    if (!count) // no order could be measured
      return std::nullopt;
    record.agent =
        llvm::join(agents, ",") + ", " + std::to_string(count) + " measured";
  }
  record.objective = Objective::Time;
  const Metrics &original = measured.original().metrics;
  record.origin = original.from.origin;
  record.device = original.from.device;
  record.baseline = figuresOf(original);
  // The gain is the one that decided: over the original in the same turns.
  const JobResult &chosen = *measured.find(measured.attempt);
  Metrics best = chosen.metrics;
  if (measured.attempt)
    best.timeUs = compareWithOriginal(measured.original(), chosen).ratio *
                  original.timeUs;
  record.best = figuresOf(best);
  return record;
}

std::optional<DatabaseRecord>
makeRecord(const AgentContext &context, const TuningResult &result,
           const std::optional<MeasuredFinalists> &measured) {
  if (result.end == TuningEnd::Cancelled)
    return std::nullopt;
  if (measured && measured->rows.size() > 1)
    return recordOfMeasured(context, result, *measured);
  if (const Attempt *best = findAttempt(result, result.best.attempt))
    return makeDatabaseRecord(context, best);
  std::set<std::string> profiled; // agents
  for (const Attempt &attempt : result.attempts)
    if (attempt.status == AttemptStatus::Profiled)
      profiled.insert(attempt.agent);
  DatabaseRecord none = makeDatabaseRecord(context, /*best=*/nullptr);
  if (result.searched || result.end == TuningEnd::NothingToGain)
    none.agent = "planner";
  else if (!profiled.empty())
    none.agent = llvm::join(profiled, ",") + ", " +
                 std::to_string(result.evaluations) + " evaluations";
  else
    return std::nullopt;
  return none;
}

int statusOf(llvm::ArrayRef<KernelTuning> tunings, bool plannerAdded) {
  constexpr int unanswered = 3;
  // Nobody answered in any round, and that was not for want of a budget.
  auto gotNoAnswer = [&](const TuningResult &result) {
    bool hadItsRounds = result.end == TuningEnd::AgentFailed ||
                        result.end == TuningEnd::AgentsDone ||
                        result.end == TuningEnd::Rounds ||
                        result.end == TuningEnd::Patience;
    bool anyFailed = false, anyAnswered = false;
    for (const Attempt &attempt : result.attempts) {
      bool failed = attempt.status == AttemptStatus::NoAnswer;
      anyFailed |= failed;
      anyAnswered |= !failed && !(plannerAdded && attempt.agent == "planner");
    }
    return hadItsRounds && anyFailed && !anyAnswered;
  };
  bool anyFailed = false;
  for (const KernelTuning &tuning : tunings) {
    if (!tuning.result)
      continue;
    if (!gotNoAnswer(*tuning.result))
      return 0;
    anyFailed = true;
  }
  return anyFailed ? unanswered : 0;
}

} // namespace swizzle
