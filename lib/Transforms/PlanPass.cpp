//===- PlanPass.cpp - Find, prove and record a remap per kernel -----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shell: reads the options, has each kernel planned (PlanModule.h), and hands
// on what others need, the report (ModuleReport.h) and the lowered formulas.
//
//===----------------------------------------------------------------------===//

#include "swizzle/IR/HardwareAttr.h"
#include "swizzle/IR/SwizzleDialect.h"
#include "swizzle/Lowering/LowerModule.h"
#include "swizzle/Transforms/Materialize.h"
#include "swizzle/Transforms/ModuleReport.h"
#include "swizzle/Transforms/Passes.h"
#include "swizzle/Transforms/PlanModule.h"
#include "swizzle/Tuning/PassOptions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

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
  PassOptionTexts optionTexts() const;
  FailureOr<PlanSettings> readSettings();
  LogicalResult run();
  LogicalResult fail(const Twine &message) {
    return emitError(getOperation().getLoc()) << message;
  }
};
} // namespace

PassOptionTexts SwizzlePlanPass::optionTexts() const {
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
  texts.registers = registers;
  texts.dynamicWorkgroupBytes = dynamicWorkgroupBytes;
  texts.report = report;
  texts.hardwareFile = hardwareFile;
  texts.strict = strict;
  return texts;
}

/// Reads the options; errors and warnings are emitted.
FailureOr<PlanSettings> SwizzlePlanPass::readSettings() {
  if (!iterations.empty())
    emitWarning(getOperation().getLoc())
        << "option 'iterations' is called 'rounds' now";
  if (tag != "on" && tag != "off")
    return fail("option 'tag' is '" + tag + "'; it takes on or off");
  llvm::Expected<PassOptions> read =
      readPassOptions(optionTexts(), [&](std::vector<FileRole> files) {
        return checkFiles(getOperation(), std::move(files));
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
  settings.registers = read->registers;
  settings.dynamicWorkgroupBytes = read->dynamicWorkgroupBytes;
  settings.compose = settings.replace = compose;
  settings.planning = std::move(read->planning);
  return settings;
}

LogicalResult SwizzlePlanPass::run() {
  FailureOr<PlanSettings> settings = readSettings();
  if (failed(settings))
    return failure();
  ModuleReport told(getOperation(), report);
  std::vector<PlannedKernel> planned;
  if (failed(planModule(getOperation(), *settings, planned, kernel)))
    return failure();
  if (tag == "off")
    getOperation().walk([](RemapOp remap) { remap.setUntagged(true); });
  auto &lowered = getAnalysis<LoweredRemaps>();
  for (const PlannedKernel &one : planned)
    lowered.insert(one);
  markAnalysesPreserved<LoweredRemaps>();
  return told.publish(planned);
}

} // namespace swizzle
