//===- PlanPass.cpp - Find, prove and record a remap per kernel -----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shell over swizzle/Planning: reads the options, hands each kernel over,
// tells what was decided, and writes the report unless its host does.
//
//===----------------------------------------------------------------------===//

#include "Outline.h"
#include "swizzle/Analysis/Kernels.h"
#include "swizzle/IR/HardwareAttr.h"
#include "swizzle/IR/SwizzleDialect.h"
#include "swizzle/Lowering/LowerModule.h"
#include "swizzle/Planning/Report.h"
#include "swizzle/Support/Deadline.h"
#include "swizzle/Support/WriteFile.h"
#include "swizzle/Transforms/IRDifference.h"
#include "swizzle/Transforms/Materialize.h"
#include "swizzle/Transforms/Passes.h"
#include "swizzle/Transforms/PlanKernel.h"
#include "swizzle/Transforms/PlanListener.h"
#include "swizzle/Transforms/PlanModule.h"
#include "swizzle/Tuning/PassOptions.h"
#include "swizzle/Tuning/Report.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/BuiltinOps.h"

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
  LogicalResult initializeOptions(
      StringRef options,
      function_ref<LogicalResult(const Twine &)> report) override {
    return SwizzlePlanPassBase::initializeOptions(
        options, [&](const Twine &message) {
          return report(explainMovedOption(message.str()));
        });
  }
  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  FailureOr<PlanSettings> readSettings();
  LogicalResult run();
  llvm::Error checkFiles(std::vector<FileRole> files);
  LogicalResult publish(const std::vector<PlannedKernel> &planned,
                        StringRef inputHash);
  const PlanListener *listener() {
    auto *dialect = getContext().getLoadedDialect<SwizzleDialect>();
    return dialect ? dialect->getRegisteredInterface<PlanListener>() : nullptr;
  }
  LogicalResult fail(const Twine &message) {
    return emitError(getOperation().getLoc()) << message;
  }
};
} // namespace

/// The file that the module was read from, as far as its location tells.
static std::string inputOf(ModuleOp module) {
  auto location = dyn_cast<FileLineColLoc>(module.getLoc());
  return location ? location.getFilename().str() : "";
}

/// Refuses files that are read and written, or written twice.
llvm::Error SwizzlePlanPass::checkFiles(std::vector<FileRole> files) {
  if (const PlanListener *host = listener())
    return host->check(std::move(files));
  files.insert(files.begin(), {"the input", inputOf(getOperation()), false});
  return checkDistinct(files);
}

/// Reads the options; errors and warnings are emitted.
FailureOr<PlanSettings> SwizzlePlanPass::readSettings() {
  PassOptionTexts texts;
  texts.formula = formula;
  texts.formulaFile = formulaFile;
  texts.agent = agent;
  texts.model = model;
  texts.baseUrl = baseUrl;
  texts.command = command;
  texts.database = database;
  texts.rounds = rounds.empty() ? iterations : rounds;
  if (!iterations.empty())
    emitWarning(getOperation().getLoc())
        << "option 'iterations' is called 'rounds' now";
  if (tag != "on" && tag != "off")
    return fail("option 'tag' is '" + tag + "'; it takes on or off");
  texts.agentConfig = agentConfig;
  texts.onFailure = onFailure;
  texts.simulate = simulate;
  texts.maxSeconds = maxSeconds;
  texts.grid = grid;
  texts.block = block;
  texts.report = report;
  texts.hardwareFile = hardwareFile;
  texts.strict = strict;
  llvm::Expected<PassOptions> read =
      readPassOptions(texts, [&](std::vector<FileRole> files) {
        return checkFiles(std::move(files));
      });
  if (!read)
    return fail(toString(read.takeError()));
  // Also where no kernel needs it.
  if (!chip.empty() || !hardwareFile.empty())
    if (auto choice = chooseChip(chip, hardwareFile, getOperation()); !choice)
      return fail(toString(choice.takeError()));
  for (const std::string &warning : read->warnings)
    emitWarning(getOperation().getLoc()) << warning;
  PlanSettings settings;
  settings.chip = chip;
  settings.hardwareFile = hardwareFile;
  settings.grid = read->grid;
  settings.block = read->block;
  settings.compose = settings.replace = compose;
  settings.planning = std::move(read->planning);
  return settings;
}

LogicalResult SwizzlePlanPass::run() {
  FailureOr<PlanSettings> settings = readSettings();
  if (failed(settings))
    return failure();
  std::string inputHash;
  KernelTexts before;
  if (!report.empty()) {
    inputHash = hashOf(getOperation());
    before = printKernels(getOperation());
  }
  bool askedFor = !formula.empty() || !formulaFile.empty();
  Deadline deadline;
  double &seconds = settings->planning.maxSeconds;
  if (seconds > 0)
    deadline = Deadline::after(seconds);
  size_t left = findKernels(getOperation()).size() +
                findLaunchOps(getOperation()).size();
  auto decide = [&](FunctionOpInterface kernel) -> FailureOr<PlannedKernel> {
    // Each kernel gets its share of the time that is left.
    if (deadline)
      seconds = std::max(1e-9, deadline.secondsLeft() /
                                   double(std::max<size_t>(1, left)));
    left -= left > 0;
    LocatedKernel read = readForPlanning(kernel, *settings);
    Decision decision = plan(read.facts, read.chip, settings->planning,
                             read.carried ? &*read.carried : nullptr);
    PlannedKernel planned{std::move(read.facts), std::move(read.chip),
                          std::move(decision)};
    if (failed(emitDecision(read.location, planned, askedFor)))
      return failure();
    return planned;
  };
  std::vector<PlannedKernel> planned;
  if (failed(planModule(getOperation(), decide, planned, kernel)))
    return failure();
  if (tag == "off")
    getOperation().walk([](RemapOp remap) { remap.setUntagged(true); });
  if (planned.empty())
    emitWarning(getOperation().getLoc())
        << "no kernel was found: " << explainNoKernels(getOperation());
  auto &lowered = getAnalysis<LoweredRemaps>();
  for (const PlannedKernel &one : planned)
    if (const std::optional<ProvedRemap> &remap = one.decision.remap;
        remap && remap->lowered)
      lowered.insert(
          getFormulaAttr(&getContext(), remap->formula, remap->environment),
          remap->environment.grid, one.facts.gridIsGuarded(), *remap->lowered);
  markAnalysesPreserved<LoweredRemaps>();
  if (!report.empty()) {
    auto differences = differencesFrom(before, getOperation());
    for (PlannedKernel &one : planned)
      one.irDifference = differences[fullName(one.facts.module, one.facts.name)];
  }
  return publish(planned, inputHash);
}

/// Hands what was decided to the host, or writes the report.
LogicalResult
SwizzlePlanPass::publish(const std::vector<PlannedKernel> &planned,
                         StringRef inputHash) {
  auto refuse = [&](llvm::Error error) {
    return fail("cannot write the report '" + report +
                "': " + toString(std::move(error)));
  };
  if (!report.empty())
    if (llvm::Error error = checkWritable(report))
      return refuse(std::move(error));
  if (const PlanListener *host = listener()) {
    host->planned(planned, report, inputHash);
    return success();
  }
  if (report.empty())
    return success();
  if (llvm::Error error =
          writeFileWhole(report, printReport(planned, inputHash)))
    return refuse(std::move(error));
  return success();
}

} // namespace swizzle
