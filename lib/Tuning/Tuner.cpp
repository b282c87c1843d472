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

#include "Asking.h"
#include "History/HistoryText.h"
#include "History/Objective.h"
#include "History/Standings.h"
#include "Search/Finals.h"
#include "Search/Trial.h"
#include "swizzle/Agent/Core/ContextRecord.h"
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
  bool wasOpening() const;
  std::optional<Answer> ask();
  void noteFailure(Player &player, const RecordedAnswer &record);
  void tryAll(const Answer &answer);
  void record(Attempt attempt);
  void settle();
  void wordBottleneck();
  void playFinalRound();
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
  Standings standings;
  std::vector<Player> players;
  TuningResult result;
  std::string turn;     ///< the agent whose answer is being tried
  std::string lastLoss; ///< why an agent that failed is out
  size_t next = 0;      ///< player whose turn it is
  unsigned asked = 0;   ///< agents that were, in this round
  const Agent *lastAsked = nullptr;
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
  if (built.code == kBudgetCode) {
    finish(budget.beforeEvaluating().value_or(TuningEnd::Cancelled));
    return Error::success();
  }
  if (built.status != AttemptStatus::Profiled)
    return createStringError("the kernel as it is cannot be built: " +
                             built.message);
  Expected<Metrics> measured = evaluator.measure(result.best, Fidelity::Decide);
  if (!measured) {
    if (!measured.errorIsA<BudgetError>())
      return createStringError("the kernel as it is cannot be profiled: " +
                               toString(measured.takeError()));
    TuningEnd end = TuningEnd::Cancelled;
    handleAllErrors(measured.takeError(),
                    [&](const BudgetError &error) { end = error.end; });
    finish(end);
    return Error::success();
  }
  result.baseline = result.bestMeasurement = std::move(*measured);
  result.isProfiled = true;
  context.baseline = result.baseline;
  wordBottleneck();
  return Error::success();
}

Error TuningLoop::chooseTheObjective() {
  Expected<ObjectiveChoice> choice = chooseObjective(
      options.objective, context, result.baseline, options.margin);
  if (!choice)
    return choice.takeError();
  context.objective = result.objective = choice->objective;
  context.objectiveReason = result.objectiveReason = choice->reason;
  standings = Standings(choice->objective, options.margin, result.baseline);
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
    tried.add(*variant, attempt.number);
    if (context.best && attempt.number == context.best)
      result.best = std::move(*variant);
  }
  remeasureBest();
  settle();
}

/// The best of an earlier run is believed as far as it can be measured again.
void TuningLoop::remeasureBest() {
  if (!result.best.attempt)
    return;
  Variant candidate = std::move(result.best);
  result.best = Variant();
  result.best.key = kIdentityKey.str();
  if (evaluator.build(candidate).status != AttemptStatus::Profiled)
    return;
  Expected<Metrics> measured = evaluator.measure(candidate, Fidelity::Decide);
  if (!measured) {
    note("the best of the history cannot be profiled again: " +
         toString(measured.takeError()));
    return;
  }
  standings.add({candidate.attempt, std::move(*measured), false,
                 std::move(candidate), ""});
}

//===----------------------------------------------------------------------===//
// Asking
//===----------------------------------------------------------------------===//

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
  for (size_t i = 0; i < players.size(); ++i) {
    Player &player = players[next];
    next = (next + 1) % players.size();
    if (player.out)
      continue;
    if (std::optional<TuningEnd> end = budget.beforeAsking()) {
      finish(*end);
      return std::nullopt;
    }
    ++asked;
    lastAsked = player.agent;
    turn = player.agent->name();
    tell(TuningEvent::Asking, turn);
    std::vector<std::string> notes;
    RecordedAnswer record = askAgent(
        *player.agent, {context, budget, hooks, options.attachPicture}, notes);
    for (const std::string &one : notes)
      note(one);
    budget.usage += record.usage;
    budget.seconds.agent += record.seconds;
    if (record.answer) {
      player.failures = 0;
      player.answered = true;
      player.out = record.answer->finished;
      if (player.agent->role() == AgentRole::Searches) {
        result.searched = true;
        if (record.answer->proposals.empty())
          context.searchReason = result.searchReason = record.answer->reason;
      }
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

/// What limits the kernel, as it is and under the best so far.
void TuningLoop::wordBottleneck() {
  if (context.baseline.roofline.empty())
    return;
  context.bottleneck = describeBottleneck(context.baseline).text;
  if (result.best.attempt && !result.bestMeasurement.roofline.empty())
    context.bottleneck += "; under the best so far, " +
                          nameAttempt(result.best.attempt) + ": " +
                          describeBottleneck(result.bestMeasurement).text;
}

/// Takes the best of all that were profiled, and brings every verdict up to
/// date.
void TuningLoop::settle() {
  if (const Standings::Entry *best = standings.best()) {
    result.best = best->variant;
    result.best.attempt = best->attempt;
    result.bestMeasurement = best->metrics;
  } else {
    result.best = Variant();
    result.best.key = kIdentityKey.str();
    result.bestMeasurement = result.baseline;
  }
  context.best = result.best.attempt;
  for (Attempt &attempt : result.attempts) {
    attempt.best = context.best && attempt.number == context.best;
    if (const Standings::Entry *entry = standings.find(attempt.number)) {
      attempt.measurement = entry->metrics;
      std::tie(attempt.code, attempt.message) = standings.verdictOf(*entry);
      if (!entry->notes.empty())
        attempt.message += "; " + entry->notes;
    } else if (attempt.code == "best") {
      attempt.code = "better"; // an earlier run's
    }
  }
  context.history = result.attempts;
  wordBottleneck();
}

void TuningLoop::record(Attempt attempt) {
  attempt.number =
      result.attempts.empty() ? 1 : result.attempts.back().number + 1;
  attempt.round = context.round;
  result.attempts.push_back(std::move(attempt));
  settle();
  if (hooks.journal)
    hooks.journal->keep(result.attempts.back());
  tell(TuningEvent::Tried, result.attempts.back().agent,
       &result.attempts.back());
}

/// Looks once more, and closer, at what may be written out.
void TuningLoop::playFinalRound() {
  std::string problem =
      playFinals(standings, evaluator, result.baseline, options.finalists);
  if (!problem.empty())
    return note(problem);
  const Metrics *baseline = standings.confirmedBaseline();
  if (!baseline)
    return;
  result.baseline = *baseline;
  for (const Standings::Entry &entry : standings.all())
    if (entry.confirmed)
      result.confirmed.push_back(entry.attempt);
  settle();
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
    if (trial.variant)
      standings.add({trial.variant->attempt, *trial.attempt.measurement, false,
                     std::move(*trial.variant), std::move(trial.notes)});
    Metrics before = result.bestMeasurement;
    unsigned bestBefore = result.best.attempt;
    record(std::move(trial.attempt));
    std::optional<double> gain =
        gainOf(result.bestMeasurement, before, result.objective);
    // One that is as good, but for what breaks ties, is no reason to go on.
    if (result.best.attempt != bestBefore && gain &&
        *gain > noiseBetween(result.bestMeasurement, before))
      stale = 0;
  }
}

/// True if a search of its own has just answered as the first of the round, and
/// others are there to go on from what it found.
bool TuningLoop::wasOpening() const {
  return asked == 1 && lastAsked->role() == AgentRole::Searches &&
         any_of(players, [](const Player &player) { return !player.out; });
}

/// False once the loop has ended.
bool TuningLoop::playRound() {
  ++stale;
  asked = 0;
  std::optional<Answer> answer;
  do {
    answer = ask();
    if (answer)
      tryAll(*answer);
  } while (!ended && answer && wasOpening());
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
  if (result.end != TuningEnd::Cancelled)
    playFinalRound();
  tell(TuningEvent::Ended);
  if (hooks.journal)
    hooks.journal->keep(RecordedEnd{
        toString(result.end).str(), result.endReason, result.best.attempt,
        result.rounds, result.evaluations, result.usage, result.seconds.total});
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
