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

std::optional<DatabaseRecord> makeRecord(const AgentContext &context,
                                         const TuningResult &result) {
  if (result.end == TuningEnd::Cancelled)
    return std::nullopt;
  std::set<std::string> measured; // agents
  for (const Attempt &attempt : result.attempts) {
    if (result.best.attempt && attempt.number == result.best.attempt)
      return makeDatabaseRecord(context, &attempt);
    if (attempt.status == AttemptStatus::Profiled)
      measured.insert(attempt.agent);
  }
  DatabaseRecord none = makeDatabaseRecord(context, /*best=*/nullptr);
  if (result.searched || result.end == TuningEnd::NothingToGain)
    none.agent = "planner";
  else if (!measured.empty())
    none.agent = llvm::join(measured, ",") + ", " +
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
