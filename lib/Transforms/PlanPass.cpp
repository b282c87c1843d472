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

#include "Outline.h"
#include "swizzle/Analysis/Kernels.h"
#include "swizzle/IR/SwizzleDialect.h"
#include "swizzle/Lowering/LowerModule.h"
#include "swizzle/Planning/Report.h"
#include "swizzle/Support/Deadline.h"
#include "swizzle/Support/WriteFile.h"
#include "swizzle/Transforms/IRDifference.h"
#include "swizzle/Transforms/Materialize.h"
#include "swizzle/Transforms/Passes.h"
#include "swizzle/Transforms/PlanKernel.h"
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
};
} // namespace

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
  texts.agentConfig = agentConfig;
  texts.onFailure = onFailure;
  texts.simulate = simulate;
  texts.maxSeconds = maxSeconds;
  texts.grid = grid;
  texts.block = block;
  texts.report = report;
  texts.strict = strict;
  llvm::Expected<PassOptions> read = readPassOptions(texts);
  if (!read)
    return emitError(getOperation().getLoc()) << toString(read.takeError());
  for (const std::string &warning : read->warnings)
    emitWarning(getOperation().getLoc()) << warning;
  PlanSettings settings;
  settings.chip = chip;
  settings.hardwareFile = hardwareFile;
  settings.grid = read->grid;
  settings.block = read->block;
  settings.compose = compose;
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
    Decision decision = plan(read.facts, read.chip, settings->planning);
    PlannedKernel planned{std::move(read.facts), std::move(read.chip),
                          std::move(decision)};
    if (failed(emitDecision(read.location, planned, askedFor)))
      return failure();
    return planned;
  };
  std::vector<PlannedKernel> planned;
  if (failed(planModule(getOperation(), decide, planned)))
    return failure();
  auto &lowered = getAnalysis<LoweredRemaps>();
  for (const PlannedKernel &one : planned)
    if (const std::optional<ProvedRemap> &remap = one.decision.remap;
        remap && remap->lowered)
      lowered.insert(
          getFormulaAttr(&getContext(), remap->formula, remap->environment),
          remap->environment.grid, one.facts.gridIsGuarded(), *remap->lowered);
  markAnalysesPreserved<LoweredRemaps>();
  if (report.empty())
    return success();
  auto differences = differencesFrom(before, getOperation());
  for (PlannedKernel &one : planned)
    one.irDifference = differences[fullName(one.facts.module, one.facts.name)];
  if (llvm::Error error =
          writeFileWhole(report, printReport(planned, inputHash)))
    return emitError(getOperation().getLoc())
           << "cannot write the report '" << report
           << "': " << toString(std::move(error));
  return success();
}

} // namespace swizzle
