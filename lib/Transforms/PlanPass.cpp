//===- PlanPass.cpp - Find, prove and record a remap per kernel -----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shell over swizzle/Planning: reads the options, hands each kernel over,
// tells what was decided, writes the report.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Formula/Syntax/Catalogue.h"
#include "swizzle/IR/SwizzleDialect.h"
#include "swizzle/Lowering/LowerModule.h"
#include "swizzle/Planning/Report.h"
#include "swizzle/Support/WriteFile.h"
#include "swizzle/Transforms/Materialize.h"
#include "swizzle/Transforms/Passes.h"
#include "swizzle/Transforms/PlanKernel.h"
#include "swizzle/Transforms/PlanModule.h"
#include "swizzle/Tuning/Advisers.h"
#include "swizzle/Tuning/Config.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;

namespace swizzle {

#define GEN_PASS_DEF_SWIZZLEPLANPASS
#include "swizzle/Transforms/Passes.h.inc"

/// How many variants the loop inside of a compilation may simulate, unless the
/// file of agents says otherwise.
static constexpr unsigned kEvaluations = 64;

namespace {
struct SwizzlePlanPass : impl::SwizzlePlanPassBase<SwizzlePlanPass> {
  using SwizzlePlanPassBase::SwizzlePlanPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    SwizzlePlanPassBase::getDependentDialects(registry);
    registerLoweringDialects(registry);
  }
  LogicalResult initializeOptions(
      StringRef options,
      function_ref<LogicalResult(const Twine &)> report) override;
  void runOnOperation() override;

private:
  /// Reads the options; errors are emitted.
  std::optional<PlanSettings> readSettings();
  /// Reads the options that concern agents, and makes the agents; errors are
  /// emitted. Agents that cannot be made are noted in `settings`.
  bool readAgents(PlanSettings &settings);
  void makeAgentsOf(TuningConfig config, PlanningOptions &planning);
  FailureOr<PlannedKernel> planKernel(FunctionOpInterface kernel,
                                      const PlanSettings &settings);
  LogicalResult tell(Location location, const PlannedKernel &planned);
  LogicalResult warnOfAgents(const PlanningOptions &planning);
  LogicalResult fail(const Twine &message) {
    return emitError(getOperation().getLoc()) << message;
  }
};
} // namespace

std::optional<PlanSettings> SwizzlePlanPass::readSettings() {
  PlanSettings settings;
  settings.chip = chip;
  settings.hardwareFile = hardwareFile;
  settings.compose = compose;
  PlanningOptions &planning = settings.planning;
  planning.strict = strict;
  auto refuse = [&](const Twine &message) {
    (void)fail(message);
    return std::nullopt;
  };
  if (onFailure == "keep")
    planning.onFailure = OnFailure::Keep;
  else if (onFailure == "planner")
    planning.onFailure = OnFailure::Planner;
  else if (onFailure == "error")
    planning.onFailure = OnFailure::Error;
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
    planning.formula = std::move(*parsed);
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

LogicalResult SwizzlePlanPass::initializeOptions(
    StringRef options, function_ref<LogicalResult(const Twine &)> report) {
  return SwizzlePlanPassBase::initializeOptions(
      options, [&](const Twine &message) {
        // What was an option, and is a key of the file.
        std::string text = StringRef(message.str()).trim().str();
        for (const ConfigField &field : configFields())
          if (StringRef(text).ends_with(("option " + field.name).str())) {
            text += (": '" + field.name +
                     "' is a key of the file that agent-config names")
                        .str();
            break;
          }
        return report(text);
      });
}

bool SwizzlePlanPass::readAgents(PlanSettings &settings) {
  auto refuse = [&](const Twine &message) {
    (void)fail(message);
    return false;
  };
  TuningConfig config;
  config.tuning.budget.evaluations = kEvaluations;
  if (!agentConfig.empty()) {
    llvm::Expected<ConfigTexts> texts = readConfigFile(agentConfig, config);
    if (!texts)
      return refuse("option 'agent-config': " + toString(texts.takeError()));
  }
  const std::pair<StringRef, StringRef> typed[] = {
      {"agent", agent},     {"model", model},   {"base-url", baseUrl},
      {"command", command}, {"rounds", rounds}, {"rounds", iterations},
      {"database", database}};
  for (auto [name, value] : typed)
    if (!value.empty())
      if (llvm::Error error = setConfigField(config, name, value))
        return refuse("option '" + name + "': " + toString(std::move(error)));
  if (config.tuning.objective == Objective::Energy)
    return refuse("the key 'objective' is 'energy', which nothing here "
                  "measures");
  PlanningOptions &planning = settings.planning;
  planning.agent = config.agents;
  planning.briefing = config.briefing;
  if (formula.empty() && formulaFile.empty())
    makeAgentsOf(std::move(config), planning);
  return true;
}

/// Makes the agents that `agent` names; what is wrong with them is noted.
void SwizzlePlanPass::makeAgentsOf(TuningConfig config,
                                   PlanningOptions &planning) {
  AgentOptions &options = config.agent;
  // What a miss means is up to `on-failure`, and to who comes next.
  options.databaseMiss = "error";
  // A slip in a build file shall not switch all remaps off unheard.
  if (StringRef(config.agents).contains("database") && !options.database.empty() &&
      !llvm::sys::fs::exists(options.database))
    emitWarning(getOperation().getLoc())
        << "there is no tuning database '" << options.database
        << "': no kernel will be found in it";
  llvm::Expected<std::vector<std::unique_ptr<Agent>>> made =
      makeAgents(config.agents, options);
  if (made) {
    planning.advisers = makeAdvisers(std::move(*made), config.tuning);
    return;
  }
  Advice failure = Advice::fail(made.takeError());
  planning.problemCode = std::move(failure.code);
  planning.problem = std::move(failure.reason);
}

/// Agents that cannot be asked are said once, not once a kernel.
LogicalResult SwizzlePlanPass::warnOfAgents(const PlanningOptions &planning) {
  if (planning.problem.empty() || planning.formula)
    return success();
  std::string message = "agent '" + planning.agent +
                        "' cannot be asked: " + planning.problem;
  if (planning.onFailure == OnFailure::Error)
    return fail(message);
  emitWarning(getOperation().getLoc())
      << message
      << (planning.onFailure == OnFailure::Planner
              ? "; the planner is asked instead"
              : "; all kernels stay as they are");
  return success();
}

/// Tells what was decided; fails if that is an error.
LogicalResult SwizzlePlanPass::tell(Location location,
                                    const PlannedKernel &planned) {
  const Decision &decision = planned.decision;
  std::string kernel = "kernel '" + planned.facts.name + "'";
  if (decision.outcome == Outcome::Failed) {
    InFlightDiagnostic error =
        emitError(location) << kernel << ": " << decision.reason;
    if (StringRef more = addedTo(decision.reason, decision.counterexample);
        !more.empty())
      error.attachNote() << more;
    return error;
  }
  // Remarks are seen by who asks for them; an option or a formula that has no
  // effect, by who gave it.
  if (!planned.facts.sizes.ignoredOption.empty())
    emitWarning(location) << kernel << ": "
                          << planned.facts.sizes.ignoredOption;
  if (decision.outcome == Outcome::Refused &&
      (!formula.empty() || !formulaFile.empty()))
    emitWarning(location) << kernel << " keeps its order: " << decision.reason;
  emitRemarks(location, planned);
  return success();
}

FailureOr<PlannedKernel>
SwizzlePlanPass::planKernel(FunctionOpInterface kernel,
                            const PlanSettings &settings) {
  LocatedKernel read = readForPlanning(kernel, settings);
  Decision decision = plan(read.facts, read.chip, settings.planning);
  PlannedKernel planned{std::move(read.facts), std::move(read.chip),
                        std::move(decision)};
  if (failed(tell(read.location, planned)))
    return failure();
  return planned;
}

void SwizzlePlanPass::runOnOperation() {
  std::optional<PlanSettings> settings = readSettings();
  if (!settings || failed(warnOfAgents(settings->planning)))
    return signalPassFailure();
  std::string inputHash;
  if (!report.empty())
    inputHash = hashOf(getOperation());
  std::vector<PlannedKernel> planned;
  auto decide = [&](FunctionOpInterface kernel) {
    return planKernel(kernel, *settings);
  };
  if (failed(planModule(getOperation(), decide, planned)))
    return signalPassFailure();
  auto &lowered = getAnalysis<LoweredRemaps>();
  for (const PlannedKernel &one : planned)
    if (const std::optional<ProvedRemap> &remap = one.decision.remap;
        remap && remap->lowered)
      lowered.insert(
          getFormulaAttr(&getContext(), remap->formula, remap->environment),
          remap->environment.grid, one.facts.gridIsGuarded(), *remap->lowered);
  markAnalysesPreserved<LoweredRemaps>();
  if (report.empty())
    return;
  if (llvm::Error error =
          writeFileWhole(report, printReport(planned, inputHash))) {
    (void)fail("cannot write the report '" + report +
               "': " + toString(std::move(error)));
    signalPassFailure();
  }
}

} // namespace swizzle
