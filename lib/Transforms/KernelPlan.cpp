//===- KernelPlan.cpp - Judge, plan and prove -----------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One kernel, from IR to a proved formula or a reason why there is none. The
// kernel is judged first: what cannot be renumbered needs no chip and no agent.
// Whoever proposes the formula, it is proved here, on the grid that the emitted
// code will see.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Transforms/KernelPlan.h"

#include "Prediction.h"
#include "swizzle/Analysis/KernelHash.h"
#include "swizzle/Analysis/KernelText.h"
#include "swizzle/IR/HardwareAttr.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;

namespace swizzle {

/// Proves `plan.formula` in `plan.environment`.
static bool proveFormula(KernelPlan &plan) {
  Verdict verdict = swizzle::prove(*plan.formula, plan.environment);
  if (!verdict.legal()) {
    plan.decide(Outcome::Failed, verdict.refusal->code,
                verdict.refusal->message);
    plan.counterexample = verdict.refusal->counterexample;
    return false;
  }
  plan.proof = *verdict.proof;
  if (plan.guarded) {
    plan.proof->kind = ProofKind::Guarded;
    plan.proof->assumptions.push_back(
        "the grid is " + toString(plan.environment.grid) +
        "; any other grid takes the identity at run time");
  }
  return true;
}

/// Lowers what has been proved, as it will be emitted.
static void lowerFormula(KernelPlan &plan) {
  LoweringOptions options;
  options.gridIsAssumed = plan.guarded;
  llvm::Expected<LoweredFormula> lowered =
      lower(*plan.formula, plan.environment, options);
  if (!lowered) {
    llvm::consumeError(lowered.takeError());
    return;
  }
  plan.scalarCost = estimateCost(*lowered);
  plan.vectorCost = estimateVectorCost(*lowered);
  plan.lowered = std::move(*lowered);
}

namespace {
/// The steps of planning one kernel; each returns false once all is decided.
class KernelPlanner {
public:
  KernelPlanner(FunctionOpInterface kernel, const PlanSettings &settings)
      : kernel(kernel), settings(settings), plan(kernel.getLoc()) {}

  KernelPlan run() {
    name();
    if (readSizes() && judge() && canAsk() && chooseHardware()) {
      if (settings.formula)
        takeFormula();
      else
        askAgent();
    }
    return std::move(plan);
  }

  KernelPlan prepare() {
    name();
    if (readSizes() && judge())
      (void)chooseHardware();
    if (plan.reasonCode.empty() && plan.hardware)
      plan.reuse = reuseOf(plan.model);
    return std::move(plan);
  }

private:
  void name();
  bool readSizes();
  bool judge();
  bool canAsk();
  bool chooseHardware();
  void takeFormula();
  void askAgent();
  void askThePlanner();
  void takeAnswer(AgentOutcome answer);
  AgentContext makeContext();
  void agentFailed(llvm::StringRef code, const llvm::Twine &why,
                   llvm::StringRef counterexample = "");
  bool chooseParams();
  bool prove();

  FunctionOpInterface kernel;
  const PlanSettings &settings;
  KernelReading reading;
  KernelPlan plan;
};
} // namespace

void KernelPlanner::name() {
  plan.name = kernel.getName().str();
  if (auto module = kernel->getParentOfType<gpu::GPUModuleOp>())
    plan.module = module.getName().str();
}

/// Reads the launch sizes and settles which grid the formula is proved on.
bool KernelPlanner::readSizes() {
  plan.sizes = findLaunchSizes(kernel, settings.grid, settings.block);
  // A chip that cannot be read is reported by `chooseHardware`.
  if (auto choice = chooseChip(settings.chip, settings.hardwareFile, kernel)) {
    if (*choice)
      plan.sizes.subgroup = (*choice)->hardware.waveSize;
  } else {
    llvm::consumeError(choice.takeError());
  }
  const LaunchSizes &sizes = plan.sizes;
  if (!sizes.note.empty())
    plan.notes.push_back(sizes.note);
  if (!sizes.ignoredOption.empty() && settings.strict) {
    plan.decide(Outcome::Failed, "contradiction", sizes.ignoredOption);
    return false;
  }
  reading = readKernel(kernel, sizes);
  plan.model = reading.model;
  Grid grid = sizes.grid;
  if (sizes.gridIsAssumption()) {
    plan.guarded = grid.isStatic();
    // Half an assumption cannot be guarded: then nothing is known.
    if (!plan.guarded)
      grid = Grid(kUnknownExtent, kUnknownExtent, kUnknownExtent);
    else
      plan.model.gridKnown = {true, true, true};
  }
  plan.environment.grid = grid;
  if (plan.blockIsGuarded())
    plan.assumptions.push_back("the block is " + toString(sizes.block) +
                               "; any other block takes the identity at run "
                               "time");
  for (unsigned axis = 0; axis < 3; ++axis)
    if (grid[axis] == 0) {
      plan.decide(Outcome::Kept, "empty-grid",
                  "the grid " + toString(grid) + " has no workgroup");
      return false;
    }
  return true;
}

bool KernelPlanner::judge() {
  LegalityOptions options;
  options.strict = settings.strict;
  options.compose = settings.compose;
  KernelLegality legality = judgeKernel(kernel, reading, plan.sizes, options);
  for (std::string &note : legality.notes)
    plan.notes.push_back(std::move(note));
  if (!legality.existingRemap.empty())
    plan.notes.push_back("a remap by hand is part of the kernel: " +
                         legality.existingRemap);
  for (std::string &assumption : legality.assumptions)
    plan.assumptions.push_back(std::move(assumption));
  if (!legality.refusal)
    return true;
  const KernelRefusal &refusal = *legality.refusal;
  plan.decide(Outcome::Refused, refusal.code, refusal.message);
  plan.counterexample = refusal.counterexample;
  plan.location = refusal.location;
  return false;
}

/// Agents that cannot be asked need no chip.
bool KernelPlanner::canAsk() {
  const AgentSettings &agents = settings.agents;
  if (settings.formula || agents.problem.empty() ||
      settings.onFailure == OnFailure::Planner)
    return true;
  agentFailed(agents.problemCode, agents.problem);
  return false;
}

bool KernelPlanner::chooseHardware() {
  llvm::Expected<std::optional<ChipChoice>> choice =
      chooseChip(settings.chip, settings.hardwareFile, kernel);
  if (!choice) {
    plan.decide(Outcome::Failed, "bad-chip", toString(choice.takeError()));
    return false;
  }
  if (*choice) {
    plan.hardware = (*choice)->hardware;
    plan.chipSource = (*choice)->source;
    plan.environment.hardware = plan.hardware->formulaConstants();
    plan.environment.chip = plan.hardware->name;
    return true;
  }
  if (settings.formula && settings.formula->hardwareNames().empty())
    return true;
  std::string user = settings.formula
                         ? "the formula, which reads '" +
                               settings.formula->hardwareNames().front() + "',"
                         : "the " + settings.agent;
  plan.decide(Outcome::Failed, "no-chip", toString(makeNoChipError(user)));
  return false;
}

bool KernelPlanner::prove() { return proveFormula(plan); }

/// Sets a template's parameters: by simulation where that is possible, else to
/// the first legal combination.
bool KernelPlanner::chooseParams() {
  if (plan.formula->params().empty())
    return true;
  if (plan.hardware) {
    if (std::optional<ParamValues> best = searchParams(
            *plan.formula, plan.environment, plan.model, *plan.hardware)) {
      plan.environment.params = *best;
      return true;
    }
  }
  TemplateVerdict found = firstLegal(*plan.formula, plan.environment);
  if (!found.verdict.legal()) {
    plan.decide(Outcome::Failed, found.verdict.refusal->code,
                found.verdict.refusal->message);
    plan.counterexample = found.verdict.refusal->counterexample;
    return false;
  }
  plan.environment.params = found.params;
  return true;
}

void KernelPlanner::takeFormula() {
  plan.formula = settings.formula;
  if (!chooseParams() || !prove())
    return;
  lowerFormula(plan);
  if (plan.hardware) {
    plan.reuse = reuseOf(plan.model);
    plan.prediction = predict(*plan.formula, plan.environment, plan.model,
                              *plan.hardware, plan.scalarCost.value_or(0));
  }
  plan.decide(Outcome::Remapped, "explicit", "the formula given is legal");
}

/// What agents are told about the kernel.
AgentContext KernelPlanner::makeContext() {
  AgentContext context;
  context.module = plan.module;
  context.kernel = plan.name;
  context.kernelText = kernelText(kernel);
  context.kernelHash = hashKernel(kernel, plan.sizes.block);
  context.model = plan.model;
  context.hardware = *plan.hardware;
  context.environment = plan.environment;
  context.hint = settings.agents.hint;
  context.mode = settings.agents.mode;
  context.manual = settings.agents.manual;
  return context;
}

/// What an agent could not do is done without it, as the option says.
void KernelPlanner::agentFailed(llvm::StringRef code, const llvm::Twine &why,
                                llvm::StringRef counterexample) {
  plan.formula.reset();
  plan.environment.params.clear();
  plan.prediction.reset();
  std::string message =
      ("agent '" + settings.agent + "' failed (" + code + "): " + why).str();
  switch (settings.onFailure) {
  case OnFailure::Planner:
    plan.notes.push_back(message + "; the planner was asked instead");
    return askThePlanner();
  case OnFailure::Keep:
    plan.decide(Outcome::Kept, code, message);
    break;
  case OnFailure::Error:
    plan.decide(Outcome::Failed, code, message);
    break;
  }
  plan.counterexample = counterexample.str();
}

void KernelPlanner::askAgent() {
  const AgentSettings &agents = settings.agents;
  if (agents.plannerOnly)
    return askThePlanner();
  if (!agents.problem.empty())
    return agentFailed(agents.problemCode, agents.problem);
  AgentContext context = makeContext();
  if (agents.usesDatabase) {
    AgentOutcome answer = lookUp(agents.database, context);
    // On a miss the agents behind the database have their turn.
    if (answer.kind != AgentOutcome::Failed || agents.agents.empty() ||
        answer.code != "database-miss")
      return takeAnswer(std::move(answer));
    plan.notes.push_back(answer.reason);
  }
  plan.reuse = context.reuse = reuseOf(plan.model);
  takeAnswer(runLoop(context, agents));
}

/// Proves what was answered and acts on it.
void KernelPlanner::takeAnswer(AgentOutcome answer) {
  for (std::string &note : answer.notes)
    plan.notes.push_back(std::move(note));
  switch (answer.kind) {
  case AgentOutcome::Failed:
    return agentFailed(answer.code, answer.reason, answer.counterexample);
  case AgentOutcome::Keep:
    plan.prediction = std::move(answer.prediction);
    return plan.decide(Outcome::Kept, answer.code, answer.reason);
  case AgentOutcome::Found:
    break;
  }
  plan.formula = std::move(answer.formula);
  plan.environment.params = std::move(answer.params);
  if (!prove()) {
    std::string code = plan.reasonCode, counterexample = plan.counterexample;
    plan.counterexample.clear();
    return agentFailed(code, answer.source + " is not legal: " + plan.reason,
                       counterexample);
  }
  lowerFormula(plan);
  plan.prediction = std::move(answer.prediction);
  if (!plan.prediction) {
    plan.reuse = reuseOf(plan.model);
    plan.prediction = predict(*plan.formula, plan.environment, plan.model,
                              *plan.hardware, plan.scalarCost.value_or(0));
  }
  plan.decide(Outcome::Remapped, answer.code, answer.reason);
}

void KernelPlanner::askThePlanner() {
  PlannedOrder proposal = askPlanner(plan.model, *plan.hardware);
  plan.reuse = std::move(proposal.reuse);
  plan.prediction = std::move(proposal.prediction);
  plan.description = std::move(proposal.description);
  if (!proposal.formula) {
    plan.decide(proposal.failed && settings.onFailure == OnFailure::Error
                    ? Outcome::Failed
                    : Outcome::Kept,
                proposal.reasonCode, proposal.reason);
    return;
  }
  plan.formula = std::move(proposal.formula);
  plan.environment.params = std::move(proposal.params);
  if (!prove()) {
    // A proposal that is not legal is refused, whoever made it.
    if (settings.onFailure != OnFailure::Error)
      plan.outcome = Outcome::Kept;
    return;
  }
  lowerFormula(plan);
  plan.decide(Outcome::Remapped, proposal.reasonCode, proposal.reason);
}

KernelPlan prepareKernel(FunctionOpInterface kernel,
                         const PlanSettings &settings) {
  return KernelPlanner(kernel, settings).prepare();
}

bool takeProposal(KernelPlan &plan, const Formula &formula,
                  const ParamValues &params, StringRef code,
                  const Twine &reason) {
  plan.formula = formula;
  plan.environment.params = params;
  if (!proveFormula(plan))
    return false;
  lowerFormula(plan);
  plan.decide(Outcome::Remapped, code, reason);
  return true;
}

KernelPlan planKernel(FunctionOpInterface kernel,
                      const PlanSettings &settings) {
  return KernelPlanner(kernel, settings).run();
}

} // namespace swizzle
