//===- PlanPass.cpp - Find, prove and record a remap per kernel -----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shell over `planModule`: reads the options, tells what was decided, writes
// the report.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Formula/Syntax/Catalogue.h"
#include "swizzle/Lowering/LowerModule.h"
#include "swizzle/IR/SwizzleDialect.h"
#include "swizzle/Support/WriteFile.h"
#include "swizzle/Transforms/KernelPlan.h"
#include "swizzle/Transforms/Materialize.h"
#include "swizzle/Transforms/Passes.h"
#include "swizzle/Transforms/PlanModule.h"
#include "swizzle/Transforms/Report.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;

namespace swizzle {

#define GEN_PASS_DEF_SWIZZLEPLANPASS
#include "swizzle/Transforms/Passes.h.inc"

namespace {
struct SwizzlePlanPass : impl::SwizzlePlanPassBase<SwizzlePlanPass> {
  using SwizzlePlanPassBase::SwizzlePlanPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    SwizzlePlanPassBase::getDependentDialects(registry);
    registerLoweringDialects(registry);
  }
  void runOnOperation() override;

private:
  /// Reads the options; errors are emitted.
  std::optional<PlanSettings> readSettings();
  /// Reads the options that concern agents, and makes the agents; errors are
  /// emitted. Agents that cannot be made are noted in `settings`.
  bool readAgents(PlanSettings &settings);
  LogicalResult accept(const KernelPlan &plan);
  LogicalResult fail(const Twine &message) {
    return emitError(getOperation().getLoc()) << message;
  }

  std::vector<KernelPlan> plans;
};
} // namespace

std::optional<PlanSettings> SwizzlePlanPass::readSettings() {
  PlanSettings settings;
  settings.chip = chip;
  settings.hardwareFile = hardwareFile;
  settings.agent = agent;
  settings.strict = strict;
  settings.compose = compose;
  auto refuse = [&](const Twine &message) {
    (void)fail(message);
    return std::nullopt;
  };
  if (onFailure == "keep")
    settings.onFailure = OnFailure::Keep;
  else if (onFailure == "planner")
    settings.onFailure = OnFailure::Planner;
  else if (onFailure == "error")
    settings.onFailure = OnFailure::Error;
  else
    return refuse("option 'on-failure' is '" + onFailure +
                  "'; it takes keep, planner or error");
  if (!readAgents(settings))
    return std::nullopt;
  // A pass does not know whether the module goes there.
  if (report == "-")
    return refuse("option 'report' is '-', but standard output is the "
                  "module's; name a file, or /dev/stdout if the module goes to "
                  "a file of its own (-o FILE)");
  if (!formula.empty() && !formulaFile.empty())
    return refuse("options 'formula' and 'formula-file' exclude each other");
  auto takeFormula = [&](llvm::Expected<Formula> parsed) {
    if (!parsed) {
      (void)fail(toString(parsed.takeError()));
      return false;
    }
    settings.formula = std::move(*parsed);
    return true;
  };
  if (!formula.empty() && !takeFormula(readFormulaOption(formula)))
    return std::nullopt;
  if (!formulaFile.empty() && !takeFormula(readFormulaFile(formulaFile)))
    return std::nullopt;
  auto takeGrid = [&](StringRef name, StringRef text,
                      std::optional<Grid> &result) {
    if (text.empty())
      return true;
    llvm::Expected<Grid> grid = parseGrid(text);
    if (!grid) {
      (void)fail("option '" + name + "': " + toString(grid.takeError()));
      return false;
    }
    for (unsigned axis = 0; axis < 3; ++axis)
      if ((*grid)[axis] == 0) {
        (void)fail("option '" + name + "' is '" + text +
                   "'; each extent must be at least 1");
        return false;
      }
    result = *grid;
    return true;
  };
  if (!takeGrid("grid", grid, settings.grid) ||
      !takeGrid("block", block, settings.block))
    return std::nullopt;
  return settings;
}

bool SwizzlePlanPass::readAgents(PlanSettings &settings) {
  AgentSettings &agents = settings.agents;
  agents.iterations = iterations;
  agents.proposals = proposals;
  agents.hint = hint;
  auto refuse = [&](const Twine &message) {
    (void)fail(message);
    return false;
  };
  auto objectiveNamed = [](StringRef name) -> std::optional<Objective> {
    for (Objective one : {Objective::Auto, Objective::Time,
                          Objective::L2HitRate, Objective::DramBytes})
      if (toString(one) == name)
        return one;
    return std::nullopt;
  };
  std::optional<Objective> wanted = objectiveNamed(objective);
  if (!wanted)
    return refuse("option 'objective' is '" + objective +
                  "'; it takes auto, time, l2-hit-rate or dram-bytes (nothing "
                  "here measures energy)");
  agents.objective = *wanted;
  StringRef told(context);
  if (told == "none") {
    agents.mode = ContextMode::None;
  } else if (told.consume_front("manual:")) {
    auto manual = llvm::MemoryBuffer::getFile(told, /*IsText=*/true);
    if (!manual)
      return refuse("option 'context': cannot read the manual '" + told +
                    "': " + manual.getError().message());
    agents.mode = ContextMode::Manual;
    agents.manual = (*manual)->getBuffer().str();
  } else if (told != "filtered") {
    return refuse("option 'context' is '" + context +
                  "'; it takes filtered, none or manual:FILE");
  }
  if (iterations == 0 || proposals == 0)
    return refuse("options 'iterations' and 'proposals' must be at least 1");

  AgentOptions options;
  auto set = [&](StringRef name, StringRef value) {
    if (value.empty())
      return true;
    if (llvm::Error error = setAgentOption(options, name, value))
      return refuse("option '" + name + "': " + toString(std::move(error)));
    return true;
  };
#define SWIZZLE_AGENT_OPTION(NAME, FIELD)                                      \
  if (!set(NAME, FIELD))                                                       \
    return false;
#include "AgentOptions.def"

  SmallVector<StringRef> names;
  StringRef(agent).split(names, ',');
  for (StringRef &name : names)
    name = name.trim();
  agents.plannerOnly = names.size() == 1 && names[0] == "planner";
  if (agents.plannerOnly || settings.formula || !formula.empty() ||
      !formulaFile.empty())
    return true;
  // The database is looked up directly: a build shall not wait for a search.
  ArrayRef<StringRef> others = names;
  if (names[0] == "database" && !options.database.empty()) {
    agents.usesDatabase = true;
    agents.database = options.database;
    others = others.drop_front();
    // A slip in a build file shall not switch all remaps off unheard.
    if (!llvm::sys::fs::exists(options.database))
      emitWarning(getOperation().getLoc())
          << "there is no tuning database '" << options.database
          << "': no kernel will be found in it";
  }
  if (others.empty())
    return true;
  llvm::Expected<std::vector<std::unique_ptr<Agent>>> made =
      makeAgents(llvm::join(others, ","), options);
  if (made) {
    for (std::unique_ptr<Agent> &one : *made)
      agents.agents.push_back(std::move(one));
    return true;
  }
  llvm::handleAllErrors(
      made.takeError(),
      [&](const AgentError &error) {
        agents.problemCode = toString(error.kind).str();
        agents.problem = error.message;
      },
      [&](const llvm::ErrorInfoBase &error) {
        agents.problemCode = "agent-failed";
        agents.problem = error.message();
      });
  return true;
}

/// Takes note of `plan`; fails if it asks for an error.
LogicalResult SwizzlePlanPass::accept(const KernelPlan &plan) {
  if (plan.outcome == Outcome::Failed) {
    InFlightDiagnostic error = emitError(plan.location)
                               << "kernel '" << plan.name
                               << "': " << plan.reason;
    if (StringRef more = addedTo(plan.reason, plan.counterexample);
        !more.empty())
      error.attachNote() << more;
    return error;
  }
  // Remarks are seen by who asks for them; an option or a formula that has no
  // effect, by who gave it.
  if (!plan.sizes.ignoredOption.empty())
    emitWarning(plan.location)
        << "kernel '" << plan.name << "': " << plan.sizes.ignoredOption;
  if (plan.outcome == Outcome::Refused &&
      (!formula.empty() || !formulaFile.empty()))
    emitWarning(plan.location)
        << "kernel '" << plan.name << "' keeps its order: " << plan.reason;
  emitRemarks(plan);
  return success();
}

void SwizzlePlanPass::runOnOperation() {
  plans.clear();
  std::optional<PlanSettings> settings = readSettings();
  if (!settings)
    return signalPassFailure();
  if (!settings->agents.problem.empty() && !settings->formula) {
    std::string message = "agent '" + settings->agent +
                          "' cannot be asked: " + settings->agents.problem;
    if (settings->onFailure == OnFailure::Error) {
      (void)fail(message);
      return signalPassFailure();
    }
    emitWarning(getOperation().getLoc())
        << message
        << (settings->onFailure == OnFailure::Planner
                ? "; the planner is asked instead"
                : "; all kernels stay as they are");
  }
  std::string inputHash;
  if (!report.empty())
    inputHash = hashOf(getOperation());
  auto decide = [&](FunctionOpInterface kernel) {
    return planKernel(kernel, *settings);
  };
  auto accept = [&](const KernelPlan &plan) { return this->accept(plan); };
  if (failed(planModule(getOperation(), decide, accept, plans)))
    return signalPassFailure();
  auto &lowered = getAnalysis<LoweredRemaps>();
  for (KernelPlan &plan : plans)
    if (plan.outcome == Outcome::Remapped && plan.lowered)
      lowered.insert(
          getFormulaAttr(&getContext(), *plan.formula, plan.environment),
          plan.environment.grid, plan.guarded, std::move(*plan.lowered));
  markAnalysesPreserved<LoweredRemaps>();
  if (report.empty())
    return;
  if (llvm::Error error =
          writeFileWhole(report, printReport(plans, inputHash))) {
    (void)fail("cannot write the report '" + report +
               "': " + toString(std::move(error)));
    signalPassFailure();
  }
}

} // namespace swizzle
