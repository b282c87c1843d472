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

#include "HistoryText.h"
#include "Objective.h"

#include "swizzle/Formula/Syntax/Catalogue.h"

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
  void measureFinalists();
  bool buildAndMeasure(const Variant &variant);
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
  finalists = searchPoints(points, setting.evaluator, setting.budget,
                           setting.result.objective, limits);
  notes = std::move(points.notes);
  if (points.illegal && points.refusal && !formula->params().empty())
    notes.push_back(formatv(
        "{0} of the parameter sets are illegal, {1}: {2}", points.illegal,
        describeParams(points.refusedParams), points.refusal->message));
  if (!finalists.empty())
    return true;
  Attempt &attempt = trial.attempt;
  if (points.sameAs) {
    attempt.sameAs = *points.sameAs;
    attempt.params = points.sameParams;
    std::string message = "same permutation as " + nameAttempt(*points.sameAs);
    for (const Attempt &earlier : setting.result.attempts)
      if (*points.sameAs && earlier.number == *points.sameAs) {
        attempt.measurement = earlier.measurement;
        message += ": " + toString(earlier.status).str() +
                   (earlier.code.empty() ? "" : ", " + earlier.code);
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
  return false;
}

/// True if the variant was measured; else the attempt says why not.
bool TrialRun::buildAndMeasure(const Variant &variant) {
  Attempt &attempt = trial.attempt;
  attempt.params = variant.params;
  BuildResult built = setting.evaluator.build(variant);
  attempt.unchecked |= built.unchecked;
  if (built.status != AttemptStatus::Measured) {
    trial.cut = built.code == "budget";
    fail(built.status, built.code, built.message);
    return false;
  }
  if (!built.message.empty())
    notes.push_back(built.message);
  Expected<Metrics> measured =
      setting.evaluator.measure(variant, Fidelity::Decide);
  if (!measured) {
    trial.cut = measured.errorIsA<BudgetError>();
    fail(AttemptStatus::RunFailed, trial.cut ? "budget" : "error",
         toString(measured.takeError()));
    return false;
  }
  std::optional<double> gain =
      trial.attempt.measurement
          ? gainOf(*measured, *attempt.measurement, setting.result.objective)
          : std::nullopt;
  if (!attempt.measurement || (gain && *gain > 0)) {
    attempt.measurement = std::move(*measured);
    trial.variant = variant;
    trial.variant->attempt = attempt.number;
  }
  return true;
}

/// Measures the finalists carefully; the best one is the attempt's variant.
void TrialRun::measureFinalists() {
  for (const Variant &variant : finalists) {
    setting.tried.add(variant.key, trial.attempt.number);
    if (!buildAndMeasure(variant) && trial.cut)
      break;
  }
  if (!trial.variant)
    return;
  trial.cut = false;
  Attempt &attempt = trial.attempt;
  attempt.status = AttemptStatus::Measured;
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
  for (const std::string &note : notes)
    attempt.message += (attempt.message.empty() ? "" : "; ") + note;
  return std::move(trial);
}

Trial tryProposal(const Proposal &proposal, Attempt attempt,
                  const TrialSetting &setting) {
  return TrialRun(proposal, std::move(attempt), setting).run();
}

//===----------------------------------------------------------------------===//
// The verdict
//===----------------------------------------------------------------------===//

/// Code and sentence for a measured trial.
static std::pair<const char *, std::string>
describeVerdict(const Metrics &measured, const TrialSetting &setting) {
  const TuningResult &result = setting.result;
  Objective objective = result.objective;
  std::optional<double> overBase = gainOf(measured, result.baseline, objective);
  std::optional<double> overBest =
      gainOf(measured, result.bestMeasurement, objective);
  if (!overBase || !overBest)
    return {"incomparable", "cannot be compared with the kernel as it is"};
  if (isSlower(measured, result.baseline, setting.options.margin))
    return {"slower", "takes longer than the kernel as it is"};
  double noise = noiseBetween(measured, result.bestMeasurement);
  double needed =
      result.best.attempt ? noise : std::max(noise, setting.options.margin);
  if (*overBest > needed)
    return {"best", "the best so far"};
  double baseNoise =
      std::max(noiseBetween(measured, result.baseline), setting.options.margin);
  if (*overBase > baseNoise)
    return {"better", "better than the kernel as it is, not than " +
                          nameAttempt(result.best.attempt)};
  if (*overBase < -baseNoise)
    return {"worse", "worse than the kernel as it is"};
  return {"no-gain", formatv("no gain: {0:F2} % is within the noise or the "
                             "margin ({1:F2} %)",
                             100 * *overBase, 100 * baseNoise)};
}

bool judge(Trial &trial, const TrialSetting &setting) {
  Attempt &attempt = trial.attempt;
  if (attempt.status != AttemptStatus::Measured || !trial.variant)
    return false;
  auto [code, verdict] = describeVerdict(*attempt.measurement, setting);
  attempt.code = code;
  attempt.message =
      attempt.message.empty() ? verdict : verdict + "; " + attempt.message;
  attempt.best = attempt.code == "best";
  return attempt.best;
}

} // namespace swizzle::tuning
