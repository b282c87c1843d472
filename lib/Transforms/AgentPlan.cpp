//===- AgentPlan.cpp - What agents say about one kernel -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hit in the database costs a lookup and a proof. The loop measures by
// simulation, with the same effort for every variant of a kernel; what building
// would check is checked by whoever applies the formula.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Transforms/AgentPlan.h"

#include "swizzle/Agent/Core/DatabaseAgent.h"
#include "swizzle/Tuning/Simulate.h"
#include "swizzle/Tuning/Tuner.h"

using namespace llvm;

namespace swizzle {

/// How many variants the loop inside the pass may simulate.
static constexpr unsigned kEvaluations = 64;

static AgentOutcome fail(StringRef code, const Twine &reason) {
  AgentOutcome outcome;
  outcome.code = code.str();
  outcome.reason = reason.str();
  return outcome;
}

/// The class of an agent's error and its message.
static AgentOutcome fail(Error error) {
  std::string code = "agent-failed", message;
  handleAllErrors(
      std::move(error),
      [&](const AgentError &one) {
        code = toString(one.kind).str();
        message = one.message;
      },
      [&](const ErrorInfoBase &one) { message = one.message(); });
  return fail(code, message);
}

AgentOutcome lookUp(const std::string &path, const AgentContext &context) {
  std::unique_ptr<Agent> agent =
      makeDatabaseAgent(path, OnMiss::Error, nullptr);
  Expected<Answer> answer = agent->propose(context);
  if (!answer)
    return fail(answer.takeError());
  AgentOutcome outcome;
  if (answer->proposals.empty()) {
    outcome.kind = AgentOutcome::Keep;
    outcome.code = "database";
    outcome.reason = answer->reason;
    return outcome;
  }
  Proposal &proposal = answer->proposals.front();
  outcome.source = "the formula of the database '" + path + "'";
  Expected<Formula> formula = Formula::parse(proposal.formula);
  if (!formula)
    return fail("unreadable", outcome.source + " cannot be read: " +
                                  toString(formula.takeError()));
  outcome.kind = AgentOutcome::Found;
  outcome.formula = std::move(*formula);
  if (!proposal.params.empty())
    outcome.params = proposal.params.front();
  outcome.code = "database";
  outcome.reason = proposal.change;
  if (!proposal.expectation.empty())
    outcome.reason += ": " + proposal.expectation;
  return outcome;
}

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
static AgentOutcome explainNothing(const TuningResult &result) {
  const Attempt *last =
      result.attempts.empty() ? nullptr : &result.attempts.back();
  bool judged = any_of(result.attempts, [](const Attempt &attempt) {
    return attempt.status == AttemptStatus::Measured ||
           attempt.status == AttemptStatus::Duplicate;
  });
  if (last && !judged) {
    // Nobody got as far as a measurement: that is a failure, not advice.
    StringRef code = last->code;
    AgentOutcome outcome =
        fail(code.empty() ? toString(last->status) : code,
             toString(last->status) + (last->message.empty() ? "" : ": ") +
                 last->message);
    outcome.counterexample = last->counterexample;
    return outcome;
  }
  if (result.end == TuningEnd::AgentFailed)
    return fail("agent-failed", result.endReason);
  AgentOutcome outcome;
  outcome.kind = AgentOutcome::Keep;
  outcome.code =
      result.end == TuningEnd::NothingToGain ? "nothing-to-gain" : "no-gain";
  outcome.reason = "nothing that was proposed is predicted to be better: " +
                   result.endReason;
  if (result.end == TuningEnd::NothingToGain)
    outcome.reason = result.endReason;
  return outcome;
}

AgentOutcome runLoop(const AgentContext &context,
                     const AgentSettings &settings) {
  SimulationOptions used;
  TuningOptions options;
  options.rounds = std::max(1u, settings.iterations);
  options.proposals = std::max(1u, settings.proposals);
  options.objective = settings.objective;
  options.budget.evaluations = kEvaluations;
  std::vector<Agent *> agents;
  for (const std::shared_ptr<Agent> &agent : settings.agents)
    agents.push_back(agent.get());
  Expected<TuningResult> result = tune(
      context, agents, [](const Variant &) { return BuildResult(); },
      makeSimulator(context, {}, &used), options);
  if (!result)
    return fail(result.takeError());
  AgentOutcome outcome;
  if (result->best.attempt == 0 || !result->best.formula) {
    outcome = explainNothing(*result);
  } else {
    outcome.kind = AgentOutcome::Found;
    outcome.code = "improved";
    outcome.formula = result->best.formula;
    outcome.params = result->best.params;
    for (const Attempt &attempt : result->attempts)
      if (attempt.number == result->best.attempt) {
        outcome.source = "the formula of " + attempt.agent;
        outcome.reason = "proposed by " + attempt.agent + ", attempt " +
                         std::to_string(attempt.number) + " of " +
                         std::to_string(result->attempts.size());
      }
    outcome.prediction = Prediction{used, result->baseline.metrics,
                                    result->bestMeasurement.metrics};
  }
  for (const Attempt &attempt : result->attempts)
    outcome.notes.push_back(describeAttempt(attempt));
  return outcome;
}

} // namespace swizzle
