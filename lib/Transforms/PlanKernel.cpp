//===- PlanKernel.cpp - Plan one kernel in MLIR ---------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where MLIR ends and plain data begins.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Transforms/PlanKernel.h"

#include "UndoRemap.h"
#include "swizzle/IR/AppliedTag.h"
#include "swizzle/IR/HardwareAttr.h"
#include "swizzle/Planning/Remarks.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace swizzle {

static TargetChip findChipOf(FunctionOpInterface kernel,
                             const PlanSettings &settings) {
  TargetChip chip;
  llvm::Expected<std::optional<ChipChoice>> choice =
      chooseChip(settings.chip, settings.hardwareFile, kernel);
  if (!choice) {
    chip.problem = llvm::toString(choice.takeError());
  } else if (*choice) {
    chip.hardware = std::move((*choice)->hardware);
    chip.source = std::move((*choice)->source);
    chip.otherTarget = describeOtherTarget(kernel, *chip.hardware);
  } else {
    chip.unknownTarget = unknownTarget(kernel);
  }
  return chip;
}

/// The function of `copy`, a clone of the module around `kernel`, that is the
/// clone of it.
static FunctionOpInterface findClone(FunctionOpInterface kernel,
                                     ModuleOp original, ModuleOp copy) {
  int64_t index = -1, count = 0;
  original.walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
    if (function == kernel)
      index = count;
    ++count;
  });
  FunctionOpInterface found;
  count = 0;
  copy.walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
    if (count++ == index)
      found = function;
  });
  return found;
}

LocatedKernel readForPlanning(FunctionOpInterface kernel,
                              const PlanSettings &settings) {
  return readForPlanning(kernel, settings, ModuleFacts(kernel));
}

LocatedKernel readForPlanning(FunctionOpInterface kernel,
                              const PlanSettings &settings,
                              const ModuleFacts &module) {
  TargetChip chip = findChipOf(kernel, settings);
  OwningOpRef<ModuleOp> copy;
  std::optional<CarriedRemap> carried;
  if (settings.compose && settings.replace && !settings.planning.formula &&
      timesRemapped(kernel) == 1) {
    if (auto original = dyn_cast<ModuleOp>(module.root())) {
      copy = cast<ModuleOp>(original->clone());
      FunctionOpInterface clone = findClone(kernel, original, *copy);
      if (auto undone = clone ? undoRemap(clone) : std::nullopt) {
        carried =
            CarriedRemap{std::move(undone->first), std::move(undone->second)};
        kernel = clone;
      }
    }
  }
  FactsOptions options;
  options.grid = settings.grid;
  options.block = settings.block;
  options.registers = settings.registers;
  options.dynamicWorkgroupBytes = settings.dynamicWorkgroupBytes;
  options.strict = settings.planning.strict;
  options.imported = settings.imported;
  options.compose = settings.compose;
  if (chip.hardware)
    options.subgroup = chip.hardware->waveSize;
  // The copy has operations of its own.
  LocatedFacts read =
      carried ? readFacts(kernel, options) : readFacts(kernel, options, module);
  return {std::move(read.facts), std::move(chip), read.location,
          std::move(carried)};
}

static void emitRemarks(Location location, const PlannedKernel &planned) {
  if (!location.getContext()->getRemarkEngine())
    return; // nobody listens
  for (const RemarkText &text : describeInRemarks(planned)) {
    auto options =
        remark::RemarkOpts::name(text.name).category("swizzle").function(
            planned.facts.name);
    auto remark =
        text.kind == RemarkText::Passed   ? remark::passed(location, options)
        : text.kind == RemarkText::Missed ? remark::missed(location, options)
                                          : remark::analysis(location, options);
    if (!text.message.empty())
      remark << StringRef(text.message);
    for (const auto &[key, value] : text.values)
      remark << remark::metric(key, value);
  }
}

LogicalResult emitDecision(Location location, const PlannedKernel &planned,
                           bool askedFor) {
  const Decision &decision = planned.decision;
  std::string kernel = "kernel '" + planned.facts.name + "'";
  if (decision.outcome == Outcome::Failed) {
    InFlightDiagnostic error = emitError(location)
                               << kernel << ": " << decision.reason;
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
  if ((decision.outcome == Outcome::Refused && askedFor) ||
      decision.reasonCode == "unknown-target")
    emitWarning(location) << kernel << " keeps its order: " << decision.reason;
  emitRemarks(location, planned);
  return success();
}

} // namespace swizzle
