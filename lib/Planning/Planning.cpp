//===- Planning.cpp - From a kernel's facts to a decision -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel is judged first: what cannot be renumbered needs no chip and no
// agent. Whoever advises a formula, it is proved here, on the grid that the
// emitted code will see.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Planning/Planning.h"

#include "Predict.h"
#include "swizzle/Agent/Agents/PlannerAgent.h"
#include "swizzle/Hardware/Completion.h"
#include "swizzle/Hardware/Database.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace swizzle {

namespace {
/// The steps of deciding about one kernel.
class KernelPlanner {
public:
  KernelPlanner(const KernelFacts &facts, const TargetChip &chip,
                const PlanningOptions &options)
      : facts(facts), chip(chip), options(options) {
    if (options.maxSeconds > 0)
      deadline = Deadline::after(options.maxSeconds);
    noteFacts();
  }

  Decision run();
  bool decidesWithoutAsking();
  /// Proves what `advice` says; true, and Remapped, if it is legal.
  bool remapBy(const Advice &advice);
  Decision result() { return std::move(decision); }
  planning::PredictOptions predictOptions() const {
    return {options.simulate == SimulationLevel::Full, deadline};
  }

private:
  const HardwareSpec *hardware() const {
    return chip.hardware ? &*chip.hardware : nullptr;
  }
  void decide(Outcome outcome, StringRef code, const Twine &reason,
              StringRef counterexample = "") {
    decision.outcome = outcome;
    decision.reasonCode = code.str();
    decision.reason = reason.str();
    decision.counterexample = counterexample.str();
  }
  void note(const Twine &text) { decision.notes.push_back(text.str()); }
  void noteFacts();
  bool chipIsMissing();
  void failAgents(StringRef code, const Twine &reason,
                  StringRef counterexample = "");
  Advice ask();
  bool chooseParams(const Formula &formula, Environment &environment);
  void take(Advice advice);
  void addPrediction(const Advice &advice);

  const KernelFacts &facts;
  const TargetChip &chip;
  const PlanningOptions &options;
  Decision decision;
  Deadline deadline;
  bool asksPlannerInstead = false;
  bool searchedParams = false; ///< of a template, by simulation
};
} // namespace

void KernelPlanner::noteFacts() {
  if (!facts.sizes.note.empty())
    note(facts.sizes.note);
  for (const std::string &one : facts.verdict.notes)
    note(one);
  if (!chip.otherTarget.empty())
    note(chip.otherTarget);
  if (facts.blockIsGuarded())
    decision.assumptions.push_back(
        "the block is " + toString(facts.sizes.block) +
        "; any other block takes the identity at run time");
  for (const std::string &one : facts.verdict.assumptions)
    decision.assumptions.push_back(one);
}

bool KernelPlanner::chipIsMissing() {
  if (!chip.problem.empty()) {
    decide(Outcome::Failed, "bad-chip", chip.problem);
    return true;
  }
  if (chip.hardware)
    return false;
  std::vector<std::string> names;
  if (options.formula)
    names = options.formula->hardwareNames();
  if (options.formula && names.empty())
    return false;
  if (!chip.unknownTarget.empty()) {
    decide(Outcome::Kept, "unknown-target",
           "no chip is described for its target '" + chip.unknownTarget +
               "'; chip=NAME takes the nearest one of " +
               join(listChips(), ", ") +
               ", and hardware-file=FILE one of "
               "your own");
    return true;
  }
  std::string user = options.formula
                         ? "the formula, which reads '" + names.front() + "',"
                         : "the " + options.agent;
  decide(Outcome::Failed, "no-chip", toString(makeNoChipError(user)));
  return true;
}

bool KernelPlanner::decidesWithoutAsking() {
  const LaunchSizes &sizes = facts.sizes;
  const KernelVerdict &verdict = facts.verdict;
  if (!sizes.ignoredOption.empty() && options.strict)
    decide(Outcome::Failed, "contradiction", sizes.ignoredOption);
  else if (!sizes.invalid.empty())
    decide(Outcome::Failed, "bad-size", sizes.invalid);
  else if (facts.gridIsEmpty())
    decide(Outcome::Kept, "empty-grid",
           "the grid " + toString(facts.gridToProve()) + " has no workgroup");
  else if (!verdict.legal())
    decide(Outcome::Refused, verdict.code, verdict.message,
           verdict.counterexample);
  // Agents that cannot be asked need no chip.
  else if (!options.formula && !options.problem.empty() &&
           options.onFailure != OnFailure::Planner)
    failAgents(options.problemCode, options.problem);
  else
    return chipIsMissing();
  return true;
}

/// What agents could not do is done without them, as the options say.
void KernelPlanner::failAgents(StringRef code, const Twine &reason,
                               StringRef counterexample) {
  decision.remap.reset();
  decision.prediction.reset();
  std::string agent = asksPlannerInstead ? "planner" : options.agent;
  bool planner = agent == "planner";
  // Who has asked for no agent shall not read of one.
  if (planner && code == "agent-failed")
    code = "planner-failed";
  std::string message =
      (planner ? "the planner failed (" + code + "): " + reason
               : "agent '" + agent + "' failed (" + code + "): " + reason)
          .str();
  if (options.onFailure != OnFailure::Planner || planner)
    return decide(options.onFailure == OnFailure::Error ? Outcome::Failed
                                                        : Outcome::Kept,
                  code, message, counterexample);
  note(message + "; the planner was asked instead");
  asksPlannerInstead = true;
  take(ask());
}

/// The first advice that is no miss, or the last one.
Advice KernelPlanner::ask() {
  AgentContext context = makeContext(facts, *chip.hardware, options.briefing);
  context.fullDetail = options.simulate == SimulationLevel::Full;
  context.figuresOfKept = options.figuresOfKept;
  if (deadline)
    context.allowance.seconds = deadline.secondsLeft();
  decision.reuse = context.reuse;
  if (asksPlannerInstead)
    return askingOnce(makePlannerAgent())(context);
  if (!options.problem.empty())
    return Advice::fail(options.problemCode, options.problem);
  Advice advice = Advice::fail("configuration", "there is nobody to ask");
  for (const Adviser &adviser : options.advisers) {
    if (advice.kind == Advice::Missed)
      note(advice.reason);
    advice = adviser(context);
    if (advice.kind != Advice::Missed)
      break;
  }
  return advice;
}

/// Sets a template's parameters: by simulation where that is possible, else to
/// the first legal combination.
bool KernelPlanner::chooseParams(const Formula &formula,
                                 Environment &environment) {
  if (formula.params().empty() || !environment.params.empty())
    return true;
  if (chip.hardware && options.simulate == SimulationLevel::Off) {
    note("the parameters are the first legal ones: nothing is simulated "
         "(simulate=off)");
  } else if (chip.hardware) {
    auto best = planning::searchParams(
        formula, environment, {facts.model, *chip.hardware}, predictOptions());
    if (!best) {
      note("the parameters are the first legal ones, as none can be "
           "simulated: " +
           toString(best.takeError()));
    } else if (*best) {
      environment.params = std::move(**best);
      searchedParams = true;
      return true;
    }
  }
  TemplateVerdict found = firstLegal(formula, environment);
  if (!found.verdict.legal()) {
    const Refusal &refusal = *found.verdict.refusal;
    decide(Outcome::Failed, refusal.code, refusal.message,
           refusal.counterexample);
    return false;
  }
  environment.params = std::move(found.params);
  return true;
}

/// Proves the formula and lowers it as it will be emitted. False, and Failed
/// with the refusal's code, if it is refused.
bool KernelPlanner::remapBy(const Advice &advice) {
  Environment environment = makeEnvironment(facts, hardware());
  environment.params = advice.params;
  if (!chooseParams(*advice.formula, environment))
    return false;
  Verdict verdict = prove(*advice.formula, environment);
  if (!verdict.legal()) {
    decide(Outcome::Failed, verdict.refusal->code, verdict.refusal->message,
           verdict.refusal->counterexample);
    return false;
  }
  if (facts.gridIsGuarded()) {
    verdict.proof->kind = ProofKind::Guarded;
    verdict.proof->assumptions.push_back(
        "the grid is " + toString(environment.grid) +
        "; any other grid takes the identity at run time");
  }
  ProvedRemap remap{*advice.formula, environment,  std::move(*verdict.proof),
                    std::nullopt,    std::nullopt, std::nullopt};
  LoweringOptions lowering;
  lowering.gridIsAssumed = facts.gridIsGuarded();
  Expected<LoweredFormula> lowered =
      lower(remap.formula, environment, lowering);
  if (lowered) {
    remap.scalarCost = estimateCost(*lowered);
    remap.vectorCost = estimateVectorCost(*lowered);
    remap.lowered = std::move(*lowered);
  } else {
    decide(Outcome::Failed, "not-lowered", toString(lowered.takeError()));
    return false;
  }
  decision.remap = std::move(remap);
  decide(Outcome::Remapped, advice.code, advice.reason);
  return true;
}

void KernelPlanner::addPrediction(const Advice &advice) {
  decision.prediction = advice.prediction;
  if (decision.prediction || !decision.remap || !chip.hardware)
    return;
  if (options.simulate == SimulationLevel::Off ||
      (!options.simulate && advice.isKnown && !searchedParams)) {
    note("nothing was simulated, so no speed-up is claimed (simulate=fast "
         "simulates)");
    return;
  }
  const ProvedRemap &remap = *decision.remap;
  Expected<Prediction> prediction = planning::predict(
      remap.formula, remap.environment, {facts.model, *chip.hardware},
      remap.scalarCost.value_or(0), predictOptions());
  if (prediction)
    decision.prediction = std::move(*prediction);
  else
    note("the order cannot be simulated: " + toString(prediction.takeError()));
}

/// Acts on what was advised.
void KernelPlanner::take(Advice advice) {
  for (std::string &one : advice.notes)
    note(one);
  switch (advice.kind) {
  case Advice::Failed:
  case Advice::Missed:
    return failAgents(advice.code, advice.reason, advice.counterexample);
  case Advice::Keep:
    addPrediction(advice);
    return decide(Outcome::Kept, advice.code, advice.reason);
  case Advice::Found:
    break;
  }
  if (!remapBy(advice)) {
    // An explicit formula that is illegal is an error whatever the options say.
    if (options.formula)
      return;
    Decision refused = decision;
    return failAgents(refused.reasonCode,
                      advice.source + " is not legal: " + refused.reason,
                      refused.counterexample);
  }
  addPrediction(advice);
}

Decision KernelPlanner::run() {
  if (decidesWithoutAsking())
    return std::move(decision);
  if (!options.formula) {
    take(ask());
    return std::move(decision);
  }
  if (chip.hardware && !facts.model.body.empty())
    decision.reuse = analyseReuse(
        facts.model, *completeSharedLevel(*chip.hardware).lineBytes);
  Advice advice;
  advice.kind = Advice::Found;
  advice.formula = options.formula;
  advice.isKnown = true;
  advice.code = "explicit";
  advice.reason = "the formula given is legal";
  take(std::move(advice));
  return std::move(decision);
}

/// True if `carried` is simulated to be no slower than what was decided.
static bool isAsGood(const CarriedRemap &carried, const KernelFacts &facts,
                     const HardwareSpec &hardware,
                     const planning::PredictOptions &options,
                     Decision &decision) {
  Expected<LoweredFormula> lowered =
      lower(carried.formula, carried.environment, {});
  int64_t cost = 0;
  if (lowered)
    cost = estimateCost(*lowered);
  else
    decision.notes.push_back("what the kernel carries counts as free: " +
                             toString(lowered.takeError()));
  Expected<Prediction> before =
      planning::predict(carried.formula, carried.environment,
                        {facts.model, hardware}, cost, options);
  if (!before) {
    decision.notes.push_back("what the kernel carries cannot be simulated: " +
                             toString(before.takeError()));
    return false;
  }
  double now = decision.prediction->after.timeUs, then = before->after.timeUs;
  decision.notes.push_back(
      formatv("the remap that the kernel carries is simulated to take {0:F1} "
              "us, the new one {1:F1} us",
              then, now)
          .str());
  return then <= now;
}

Decision plan(const KernelFacts &facts, const TargetChip &chip,
              const PlanningOptions &options, const CarriedRemap *carried) {
  KernelPlanner planner(facts, chip, options);
  Decision decision = planner.run();
  if (!carried || !decision.remap)
    return decision;
  decision.replaces = true;
  if (decision.prediction && chip.hardware &&
      isAsGood(*carried, facts, *chip.hardware, planner.predictOptions(),
               decision)) {
    decision.remap.reset();
    decision.outcome = Outcome::Kept;
    decision.reasonCode = "no-gain";
    decision.reason = decision.notes.back();
  }
  return decision;
}

Decision decideWithoutAsking(const KernelFacts &facts, const TargetChip &chip,
                             const PlanningOptions &options) {
  KernelPlanner planner(facts, chip, options);
  (void)planner.decidesWithoutAsking();
  return planner.result();
}

Decision proveRemap(const KernelFacts &facts, const TargetChip &chip,
                    const Formula &formula, const ParamValues &params,
                    StringRef code, StringRef reason) {
  Advice advice;
  advice.kind = Advice::Found;
  advice.formula = formula;
  advice.params = params;
  advice.code = code.str();
  advice.reason = reason.str();
  PlanningOptions options;
  KernelPlanner planner(facts, chip, options);
  (void)planner.remapBy(advice);
  return planner.result();
}

} // namespace swizzle
