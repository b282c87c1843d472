//===- Trial.cpp - From a proposal to a verdict ---------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing is built before it is proved, nothing measured before it is built,
// and what an agent is told about a failure is what it needs to do better.
//
//===----------------------------------------------------------------------===//

#include "Trial.h"

#include "History/HistoryText.h"
#include "History/Standings.h"

#include "swizzle/Formula/Syntax/Catalogue.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace swizzle::tuning {

namespace {
class TrialRun {
public:
  TrialRun(const Proposal &proposal, Attempt attempt,
           const TrialSetting &setting)
      : proposal(proposal), setting(setting) {
    trial.attempt = std::move(attempt);
  }

  Trial run();

private:
  bool parse();
  bool findPoints();
  void explainNoPoint(const Points &points);
  void measureFinalists();
  bool buildAndMeasure(const Variant &variant);
  void noteSet(TriedSet set);
  void fail(AttemptStatus status, StringRef code, std::string message) {
    trial.attempt.status = status;
    trial.attempt.code = code.str();
    trial.attempt.message = std::move(message);
  }

  const Proposal &proposal;
  const TrialSetting &setting;
  Trial trial;
  std::optional<Formula> formula;
  std::vector<Variant> finalists;
  std::vector<std::string> notes;
};
} // namespace

/// What to answer an agent that names a family instead of writing a formula.
/// The text of its own is what a history, a review and the kernel show.
static std::string refuseReference(StringRef reference) {
  std::string text = ("`" + reference +
                      "` names a family of the catalogue, and a proposal is "
                      "the text of a formula: ")
                         .str();
  Expected<const CatalogueEntry *> entry = findFamily(reference);
  if (!entry)
    return text + toString(entry.takeError());
  return text + "give that family's, as it is or changed:\n" +
         StringRef((*entry)->text).rtrim().str();
}

bool TrialRun::parse() {
  if (StringRef given = StringRef(proposal.formula).trim();
      given.starts_with("@") && !given.contains('\n')) {
    fail(AttemptStatus::Unreadable, "syntax", refuseReference(given));
    return false;
  }
  Expected<Formula> parsed = Formula::parse(proposal.formula);
  if (!parsed) {
    fail(AttemptStatus::Unreadable, "syntax", toString(parsed.takeError()));
    return false;
  }
  formula = std::move(*parsed);
  return true;
}

static std::string withParams(std::string text, const ParamValues &params) {
  return params.empty() ? text : text + " with " + describeParams(params);
}

/// Proves the template's points and searches them; false if none is new and
/// legal.
bool TrialRun::findPoints() {
  Points points(*formula, setting.context, setting.tried);
  points.addSuggested(proposal.params);
  SearchLimits limits;
  limits.points = std::max(1u, setting.options.searchPoints);
  limits.finalists = std::max(1u, setting.options.finalists);
  SearchResult found = searchPoints(points, setting.evaluator, setting.budget,
                                    setting.result.objective, limits);
  finalists = std::move(found.finalists);
  Attempt &attempt = trial.attempt;
  attempt.sets = std::move(found.sets);
  append_range(attempt.sets, points.refused);
  notes = std::move(points.notes);
  if (points.illegal && points.refusal && !formula->params().empty())
    notes.push_back(formatv(
        "{0} of the parameter sets are illegal, {1}: {2}", points.illegal,
        describeParams(points.refusedParams), points.refusal->message));
  if (finalists.empty())
    explainNoPoint(points);
  return !finalists.empty();
}

/// What to say of a proposal that has no new and legal order.
void TrialRun::explainNoPoint(const Points &points) {
  Attempt &attempt = trial.attempt;
  if (points.met) {
    const KnownOrder &order = points.met->order;
    attempt.sameAs = order.attempt;
    attempt.params = points.met->params;
    std::string message = "same permutation as " + nameOrder(order);
    const Metrics *measured = nullptr;
    for (const Attempt &earlier : setting.result.attempts)
      if (order.attempt && earlier.number == order.attempt) {
        // What became of an attempt is told of the set that it is judged by.
        if (earlier.params != order.params)
          continue;
        message += ": " + toString(earlier.status).str() +
                   (earlier.code.empty() ? "" : ", " + earlier.code);
        if (earlier.measurement)
          measured = &*earlier.measurement;
      }
    // Of exactly this order: the attempt's own figures may be another set's.
    if (!measured)
      measured = setting.evaluator.known(points.met->key, Fidelity::Decide);
    if (measured) {
      attempt.measurement = *measured;
      message += ": " + describeChange(setting.result.baseline, *measured);
    }
    fail(AttemptStatus::Duplicate, "duplicate", message);
  } else if (points.refusal) {
    attempt.params = points.refusedParams;
    attempt.counterexample = points.refusal->counterexample;
    fail(AttemptStatus::Illegal, points.refusal->code,
         withParams(points.refusal->message, points.refusedParams));
  } else {
    fail(AttemptStatus::Infeasible, "infeasible",
         "no parameter set that was looked at satisfies the requirements");
  }
}

/// Keeps what is known of a set of parameters in place of what was known
/// before.
void TrialRun::noteSet(TriedSet set) {
  if (set.params.empty())
    return;
  std::vector<TriedSet> &sets = trial.attempt.sets;
  auto known = find_if(
      sets, [&](const TriedSet &one) { return one.params == set.params; });
  if (known == sets.end())
    sets.push_back(std::move(set));
  else
    *known = std::move(set);
}

/// True if the variant was measured; else the attempt says why not.
bool TrialRun::buildAndMeasure(const Variant &variant) {
  Attempt &attempt = trial.attempt;
  attempt.params = variant.params;
  BuildResult built = setting.evaluator.build(variant);
  attempt.unchecked |= built.unchecked;
  TriedSet set;
  set.params = variant.params;
  if (built.status != AttemptStatus::Profiled) {
    trial.cut = built.code == kBudgetCode;
    fail(built.status, built.code, built.message);
    set.error = toString(built.status).str() + ": " + built.message;
    if (!trial.cut)
      noteSet(std::move(set));
    return false;
  }
  if (!built.message.empty())
    notes.push_back(built.message);
  Expected<Metrics> measured =
      setting.evaluator.measure(variant, Fidelity::Decide);
  if (!measured) {
    trial.cut = measured.errorIsA<BudgetError>();
    fail(AttemptStatus::RunFailed, trial.cut ? StringRef(kBudgetCode) : "error",
         toString(measured.takeError()));
    set.error = attempt.message;
    if (!trial.cut)
      noteSet(std::move(set));
    return false;
  }
  noteSet(describeSet(variant.params, *measured, Fidelity::Decide));
  if (!attempt.measurement ||
      isPreferred(*measured, *attempt.measurement, setting.result.objective)) {
    attempt.measurement = std::move(*measured);
    trial.variant = variant;
    trial.variant->attempt = attempt.number;
  }
  return true;
}

/// Measures the finalists carefully; the best one is the attempt's variant.
void TrialRun::measureFinalists() {
  for (const Variant &variant : finalists) {
    setting.tried.add(variant, trial.attempt.number);
    if (!buildAndMeasure(variant) && trial.cut)
      break;
  }
  if (!trial.variant)
    return;
  trial.cut = false;
  Attempt &attempt = trial.attempt;
  attempt.status = AttemptStatus::Profiled;
  attempt.code.clear();
  attempt.message.clear();
  attempt.params = trial.variant->params;
}

Trial TrialRun::run() {
  Attempt &attempt = trial.attempt;
  attempt.formula = proposal.formula;
  attempt.critique = proposal.critique;
  attempt.limits = proposal.limits;
  attempt.change = proposal.change;
  attempt.expectation = proposal.expectation;
  unsigned before = setting.budget.evaluations;
  if (parse() && findPoints())
    measureFinalists();
  attempt.evaluations = setting.budget.evaluations - before;
  std::string text = join(notes, "; ");
  if (attempt.status == AttemptStatus::Profiled)
    trial.notes = std::move(text);
  else if (!text.empty())
    attempt.message += (attempt.message.empty() ? "" : "; ") + text;
  return std::move(trial);
}

Trial tryProposal(const Proposal &proposal, Attempt attempt,
                  const TrialSetting &setting) {
  return TrialRun(proposal, std::move(attempt), setting).run();
}

} // namespace swizzle::tuning
