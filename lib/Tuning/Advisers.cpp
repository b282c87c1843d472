//===- Advisers.cpp - Who is asked, and how -------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loop inside of a compilation measures by simulation, with the same effort
// for every variant of a kernel; what building would check is checked by
// whoever applies the formula.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Tuning/Advisers.h"

#include "swizzle/Profiling/SimulatorProfiler.h"
#include "swizzle/Tuning/Tuner.h"

#include <cmath>

using namespace llvm;

namespace swizzle {

/// "#2 by openai: illegal (duplicate): ...", for the remarks.
static std::string describeAttempt(const Attempt &attempt) {
  std::string text = "attempt #" + std::to_string(attempt.number) + " by " +
                     attempt.agent + ": " + toString(attempt.status).str();
  if (!attempt.code.empty())
    text += " (" + attempt.code + ")";
  if (!attempt.message.empty())
    text += ": " + attempt.message;
  return text;
}

/// Why a loop that found nothing better ended, as a failure of the agents or
/// as their advice.
static Advice explainNothing(const TuningResult &result) {
  // What a search of its own says stands, whoever else has failed.
  if (!result.searchReason.empty()) {
    Advice advice;
    advice.kind = Advice::Keep;
    advice.code = "no-gain";
    advice.reason = result.searchReason;
    return advice;
  }
  const Attempt *last =
      result.attempts.empty() ? nullptr : &result.attempts.back();
  bool judged = any_of(result.attempts, [](const Attempt &attempt) {
    return attempt.status == AttemptStatus::Profiled ||
           attempt.status == AttemptStatus::Duplicate;
  });
  if (last && !judged) {
    // Nobody got as far as a measurement: that is a failure, not advice.
    StringRef code = last->code;
    Advice advice =
        Advice::fail(code.empty() ? toString(last->status) : code,
                     toString(last->status) +
                         (last->message.empty() ? "" : ": ") + last->message);
    advice.counterexample = last->counterexample;
    return advice;
  }
  if (result.end == TuningEnd::AgentFailed)
    return Advice::fail("agent-failed", result.endReason);
  Advice advice;
  advice.kind = Advice::Keep;
  advice.code =
      result.end == TuningEnd::NothingToGain ? "nothing-to-gain" : "no-gain";
  advice.reason =
      "nothing that was proposed is better by simulation: " + result.endReason;
  if (result.end == TuningEnd::NothingToGain)
    advice.reason = result.endReason;
  return advice;
}

static Advice runLoop(ArrayRef<std::shared_ptr<Agent>> agents,
                      TuningOptions options, const AgentContext &context) {
  SimulationOptions used;
  SimulatorEffort effort;
  if (context.fullDetail)
    effort.search = effort.decide = HUGE_VAL;
  double &seconds = options.budget.seconds;
  if (context.allowance.seconds)
    seconds = seconds > 0 ? std::min(seconds, *context.allowance.seconds)
                          : *context.allowance.seconds;
  std::vector<Agent *> players;
  for (const std::shared_ptr<Agent> &agent : agents)
    players.push_back(agent.get());
  Expected<TuningResult> result = tune(
      context, players, [](const Variant &) { return BuildResult(); },
      makeSimulatorProfiler(
          {context.model, context.hardware, context.environment}, effort,
          &used),
      options);
  if (!result)
    return Advice::fail(result.takeError());
  Advice advice;
  if (result->best.attempt == 0 || !result->best.formula) {
    advice = explainNothing(*result);
  } else {
    advice.kind = Advice::Found;
    advice.code = "improved";
    advice.formula = result->best.formula;
    advice.params = result->best.params;
    for (const Attempt &attempt : result->attempts)
      if (attempt.number == result->best.attempt) {
        advice.source = "the formula of the " + attempt.agent;
        advice.reason = "proposed by " + attempt.agent + ", attempt " +
                        std::to_string(attempt.number) + " of " +
                        std::to_string(result->attempts.size());
      }
    if (result->end == TuningEnd::Seconds)
      advice.reason += ", the best so far: " + result->endReason;
    advice.prediction = Prediction{describeDetail(used), result->baseline,
                                   result->bestMeasurement};
  }
  for (const Attempt &attempt : result->attempts)
    advice.notes.push_back(describeAttempt(attempt));
  append_range(advice.notes, result->notes);
  return advice;
}

std::vector<Adviser> makeAdvisers(std::vector<std::unique_ptr<Agent>> agents,
                                  const TuningOptions &options) {
  std::vector<Adviser> advisers;
  std::vector<std::shared_ptr<Agent>> players;
  for (std::unique_ptr<Agent> &agent : agents) {
    bool leads = players.empty() && agent->role() == AgentRole::Remembers;
    if (leads)
      advisers.push_back(askingOnce(std::move(agent)));
    else
      players.push_back(std::move(agent));
  }
  if (players.size() == 1 && players[0]->role() == AgentRole::Searches)
    advisers.push_back(askingOnce(std::move(players[0])));
  else if (!players.empty())
    advisers.push_back([players, options](const AgentContext &context) {
      return runLoop(players, options, context);
    });
  return advisers;
}

} // namespace swizzle
