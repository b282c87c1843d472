//===- Tuner.cpp - The closed loop ----------------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Round by round: whose turn it is, what it answers, what becomes of that, and
// whether to go on. Every way out passes through `finish`, with the best so
// far.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Tuning/Tuner.h"

#include "HistoryText.h"
#include "Objective.h"
#include "Trial.h"
#include "swizzle/Agent/Core/ContextRecord.h"
#include "swizzle/Agent/Prompt/Prompt.h"
#include "swizzle/Kernel/DescribeLaunch.h"
#include "swizzle/Records/Journal.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace swizzle {

using namespace tuning;

/// Failures in a row after which an agent is not asked any more.
static constexpr unsigned kMaxFailures = 2;

namespace {
/// An agent and how it has been doing.
struct Player {
  Agent *agent;
  unsigned failures = 0; ///< in a row
  bool out = false;
  bool answered = false; ///< ever
};

class TuningLoop {
public:
  TuningLoop(AgentContext context, ArrayRef<Agent *> agents,
             const BuildFunction &build, const MeasureFunction &measure,
             const TuningOptions &options, const TuningHooks &hooks)
      : context(std::move(context)), options(options), hooks(hooks),
        budget(options.budget, hooks),
        evaluator(build, measure, describeLaunch(this->context.model), budget,
                  hooks.journal) {
    for (Agent *agent : agents)
      players.push_back({agent});
  }

  Expected<TuningResult> run();

private:
  Error measureBaseline();
  Error chooseTheObjective();
  void goOnFromHistory();
  void remeasureBest();
  bool playRound();
  std::optional<Answer> ask();
  RecordedAnswer askOne(Player &player);
  void noteFailure(Player &player, const RecordedAnswer &record);
  void tryAll(const Answer &answer);
  void record(Attempt attempt);
  /// Says once what could not be done.
  void note(const Twine &text) {
    if (!is_contained(result.notes, text.str()))
      result.notes.push_back(text.str());
  }
  void finish(TuningEnd end, std::string reason);
  void finish(TuningEnd end) { finish(end, describeEnd(end, options.budget)); }
  void tell(TuningEvent::Kind kind, StringRef agent = "",
            const Attempt *attempt = nullptr);
  void updateTotals();
  TrialSetting setting() {
    return {context, options, evaluator, budget, tried, result};
  }

  AgentContext context;
  const TuningOptions &options;
  const TuningHooks &hooks;
  Budget budget;
  Evaluator evaluator;
  DuplicateIndex tried;
  std::vector<Player> players;
  TuningResult result;
  std::string turn;     ///< the agent whose answer is being tried
  std::string lastLoss; ///< why an agent that failed is out
  size_t next = 0;      ///< player whose turn it is
  unsigned firstRound = 1, stale = 0;
  bool ended = false;
};
} // namespace

void TuningLoop::updateTotals() {
  result.evaluations = budget.evaluations;
  result.usage = budget.usage;
  result.seconds = budget.seconds;
  result.seconds.total = budget.elapsed();
}

void TuningLoop::tell(TuningEvent::Kind kind, StringRef agent,
                      const Attempt *attempt) {
  updateTotals();
  if (hooks.event)
    hooks.event(
        {kind, context.round, agent.str(), attempt, result, options.budget});
}

void TuningLoop::finish(TuningEnd end, std::string reason) {
  if (ended)
    return;
  ended = true;
  result.end = end;
  result.endReason = std::move(reason);
}

//===----------------------------------------------------------------------===//
// Before the first round
//===----------------------------------------------------------------------===//

Error TuningLoop::measureBaseline() {
  result.best.key = kIdentityKey.str();
  BuildResult built = evaluator.build(result.best);
  if (built.status != AttemptStatus::Measured)
    return createStringError("the kernel as it is cannot be built: " +
                             built.message);
  Expected<Metrics> measured =
      evaluator.measure(result.best, Fidelity::Decide);
  if (!measured) {
    if (!measured.errorIsA<BudgetError>())
      return createStringError("the kernel as it is cannot be measured: " +
                               toString(measured.takeError()));
    TuningEnd end = TuningEnd::Cancelled;
    handleAllErrors(measured.takeError(),
                    [&](const BudgetError &error) { end = error.end; });
    finish(end);
    return Error::success();
  }
  result.baseline = result.bestMeasurement = std::move(*measured);
  context.baseline = result.baseline;
  if (!context.baseline.roofline.empty())
    context.bottleneck = describeBottleneck(context.baseline).text;
  return Error::success();
}

Error TuningLoop::chooseTheObjective() {
  Expected<ObjectiveChoice> choice = chooseObjective(
      options.objective, context, result.baseline, options.margin);
  if (!choice)
    return choice.takeError();
  context.objective = result.objective = choice->objective;
  context.objectiveReason = result.objectiveReason = choice->reason;
  if (choice->bailOut)
    finish(TuningEnd::NothingToGain, choice->bailOut->reason);
  return Error::success();
}

/// Proves what was tried before this run again, so that nobody repeats it.
void TuningLoop::goOnFromHistory() {
  result.attempts = context.history;
  for (const Attempt &attempt : context.history) {
    firstRound = std::max(firstRound, attempt.round + 1);
    if (attempt.status < AttemptStatus::BuildFailed)
      continue;
    Expected<Formula> formula = Formula::parse(attempt.formula);
    if (!formula) {
      note("attempt #" + Twine(attempt.number) +
           " of the history cannot be read, and may be repeated: " +
           toString(formula.takeError()));
      continue;
    }
    Environment environment = context.environment;
    environment.params = attempt.params;
    Refusal refusal;
    std::optional<Variant> variant =
        proveVariant(*formula, environment, context.model.grid, refusal);
    if (!variant)
      continue;
    variant->attempt = attempt.number;
    tried.add(variant->key, attempt.number);
    if (context.best && attempt.number == context.best)
      result.best = std::move(*variant);
  }
  remeasureBest();
}

/// The best of an earlier run is believed as far as it can be measured again.
void TuningLoop::remeasureBest() {
  context.best = result.best.attempt;
  if (!result.best.attempt)
    return;
  Variant candidate = std::move(result.best);
  result.best = Variant();
  result.best.key = kIdentityKey.str();
  context.best = 0;
  if (evaluator.build(candidate).status != AttemptStatus::Measured)
    return;
  Expected<Metrics> measured =
      evaluator.measure(candidate, Fidelity::Decide);
  if (!measured) {
    note("the best of the history cannot be measured again: " +
         toString(measured.takeError()));
    return;
  }
  std::optional<double> gain =
      gainOf(*measured, result.baseline, result.objective);
  if (!gain || *gain <= std::max(options.margin,
                                 noiseBetween(*measured, result.baseline)))
    return;
  context.best = candidate.attempt;
  result.best = std::move(candidate);
  result.bestMeasurement = std::move(*measured);
}

//===----------------------------------------------------------------------===//
// Asking
//===----------------------------------------------------------------------===//

/// Errors that asking again cannot mend.
static bool isPermanent(AgentErrorKind kind) {
  switch (kind) {
  case AgentErrorKind::Authentication:
  case AgentErrorKind::NotFound:
  case AgentErrorKind::SpendLimit:
  case AgentErrorKind::Redirect:
  case AgentErrorKind::Tls:
  case AgentErrorKind::ReplayMiss:
  case AgentErrorKind::DatabaseMiss:
  case AgentErrorKind::Configuration:
    return true;
  default:
    return false;
  }
}

/// The player's answer or error, from the journal or from the agent itself.
RecordedAnswer TuningLoop::askOne(Player &player) {
  std::string name = player.agent->name();
  if (hooks.journal)
    if (const RecordedAnswer *recorded =
            hooks.journal->takeAnswer(context.round, name)) {
      if (hooks.replayed)
        hooks.replayed(recorded->usage);
      return *recorded;
    }
  RecordedAnswer record;
  record.round = context.round;
  record.agent = name;
  context.allowance = budget.allowance();
  context.picture.clear();
  if (options.attachPicture) {
    // A grid too large to be drawn is no reason not to ask.
    Expected<std::string> picture = renderPicture(context);
    if (picture)
      context.picture = std::move(*picture);
    else
      note("no picture is attached: " + toString(picture.takeError()));
  }
  double start = budget.elapsed();
  Expected<Answer> answer = player.agent->propose(context);
  record.elapsed = budget.elapsed();
  record.seconds = record.elapsed - start;
  if (answer) {
    record.usage = answer->usage;
    record.answer = std::move(*answer);
  } else {
    handleAllErrors(
        answer.takeError(),
        [&](const AgentError &error) {
          record.errorKind = error.kind;
          record.errorMessage = error.message;
          record.usage = error.usage;
        },
        [&](const ErrorInfoBase &error) {
          record.errorMessage = error.message();
        });
  }
  // A cancelled question was not answered: it is asked again on resuming.
  bool cancelled =
      !record.answer && record.errorKind == AgentErrorKind::Cancelled;
  if (hooks.journal && !cancelled)
    hooks.journal->keep(record);
  return record;
}

void TuningLoop::noteFailure(Player &player, const RecordedAnswer &record) {
  if (++player.failures >= kMaxFailures || isPermanent(record.errorKind))
    player.out = true;
  if (player.out)
    lastLoss = record.agent + " is not asked again: " + record.errorMessage;
  Attempt attempt;
  attempt.status = AttemptStatus::NoAnswer;
  attempt.agent = record.agent;
  attempt.code = toString(record.errorKind).str();
  attempt.message = record.errorMessage;
  this->record(std::move(attempt));
}

/// The answer of the next agent in turn that has one; nullopt: none has, or
/// the loop ends.
std::optional<Answer> TuningLoop::ask() {
  for (size_t asked = 0; asked < players.size(); ++asked) {
    Player &player = players[next];
    next = (next + 1) % players.size();
    if (player.out)
      continue;
    if (std::optional<TuningEnd> end = budget.beforeAsking()) {
      finish(*end);
      return std::nullopt;
    }
    turn = player.agent->name();
    tell(TuningEvent::Asking, turn);
    RecordedAnswer record = askOne(player);
    budget.usage += record.usage;
    budget.seconds.agent += record.seconds;
    if (record.answer) {
      player.failures = 0;
      player.answered = true;
      player.out = record.answer->finished;
      return std::move(record.answer);
    }
    if (record.errorKind == AgentErrorKind::Cancelled) {
      finish(TuningEnd::Cancelled);
      return std::nullopt;
    }
    noteFailure(player, record);
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Trying
//===----------------------------------------------------------------------===//

void TuningLoop::record(Attempt attempt) {
  attempt.number =
      result.attempts.empty() ? 1 : result.attempts.back().number + 1;
  attempt.round = context.round;
  if (hooks.journal)
    hooks.journal->keep(attempt);
  result.attempts.push_back(attempt);
  context.history = result.attempts;
  tell(TuningEvent::Tried, attempt.agent, &result.attempts.back());
}

/// Tries what was proposed, one after the other, up to the number asked for.
void TuningLoop::tryAll(const Answer &answer) {
  for (const Proposal &proposal :
       ArrayRef(answer.proposals).take_front(std::max(1u, options.proposals))) {
    if (std::optional<TuningEnd> end = budget.beforeEvaluating()) {
      finish(*end);
      return;
    }
    Attempt attempt;
    attempt.agent = turn;
    attempt.number =
        result.attempts.empty() ? 1 : result.attempts.back().number + 1;
    Trial trial = tryProposal(proposal, std::move(attempt), setting());
    if (trial.cut) {
      finish(budget.beforeEvaluating().value_or(TuningEnd::Evaluations));
      return;
    }
    if (judge(trial, setting())) {
      stale = 0;
      context.best = trial.attempt.number;
      result.bestMeasurement = *trial.attempt.measurement;
      result.best = std::move(*trial.variant);
    }
    record(std::move(trial.attempt));
  }
}

/// False once the loop has ended.
bool TuningLoop::playRound() {
  ++stale;
  std::optional<Answer> answer = ask();
  if (answer)
    tryAll(*answer);
  if (ended)
    return false;
  ++result.rounds;
  tell(TuningEvent::RoundDone);
  if (all_of(players, [](const Player &player) { return player.out; })) {
    bool any = any_of(players, [](const Player &p) { return p.answered; });
    if (any)
      finish(TuningEnd::AgentsDone,
             answer && !answer->reason.empty()
                 ? turn + " has nothing more to offer: " + answer->reason
             : lastLoss.empty()
                 ? "no agent has anything more to offer"
                 : "no agent has anything more to offer; " + lastLoss);
    else
      finish(TuningEnd::AgentFailed, "no agent has an answer; " + lastLoss);
  } else if (options.patience && stale >= options.patience) {
    finish(TuningEnd::Patience, "no gain in " + std::to_string(stale) +
                                    (stale == 1 ? " round" : " rounds"));
  }
  return !ended;
}

Expected<TuningResult> TuningLoop::run() {
  if (Error error = measureBaseline())
    return std::move(error);
  if (!ended) {
    if (Error error = chooseTheObjective())
      return std::move(error);
    if (hooks.journal)
      // As a database would tell it of a kernel that nothing was found for.
      hooks.journal->keep(RecordedKernel{
          makeDatabaseRecord(context, /*best=*/nullptr),
          context.objectiveReason, context.baseline, context.environment.grid,
          context.model.grid, context.environment.hardware});
    tell(TuningEvent::Baseline);
    goOnFromHistory();
  }
  context.rounds = firstRound - 1 + options.rounds;
  context.proposals = options.proposals;
  for (unsigned i = 0; !ended && i < options.rounds; ++i) {
    context.round = firstRound + i;
    if (!playRound())
      break;
  }
  finish(TuningEnd::Rounds,
         options.rounds == 1
             ? std::string("the round is done")
             : "all " + std::to_string(options.rounds) + " rounds are done");
  tell(TuningEvent::Ended);
  if (hooks.journal)
    hooks.journal->keep(RecordedEnd{toString(result.end).str(),
                                    result.endReason, result.best.attempt,
                                    result.rounds, result.evaluations,
                                    result.usage, result.seconds.total});
  return std::move(result);
}

Expected<TuningResult> tune(AgentContext context, ArrayRef<Agent *> agents,
                            const BuildFunction &build,
                            const MeasureFunction &measure,
                            const TuningOptions &options,
                            const TuningHooks &hooks) {
  if (agents.empty())
    return createStringError("the loop needs at least one agent");
  return TuningLoop(std::move(context), agents, build, measure, options, hooks)
      .run();
}

} // namespace swizzle
