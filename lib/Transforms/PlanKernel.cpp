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

#include "swizzle/IR/HardwareAttr.h"
#include "swizzle/Planning/Remarks.h"

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
  }
  return chip;
}

LocatedKernel readForPlanning(FunctionOpInterface kernel,
                              const PlanSettings &settings) {
  TargetChip chip = findChipOf(kernel, settings);
  FactsOptions options;
  options.grid = settings.grid;
  options.block = settings.block;
  options.strict = settings.planning.strict;
  options.compose = settings.compose;
  if (chip.hardware)
    options.subgroup = chip.hardware->waveSize;
  LocatedFacts read = readFacts(kernel, options);
  return {std::move(read.facts), std::move(chip), read.location};
}

static void emitRemarks(Location location, const PlannedKernel &planned) {
  if (!location.getContext()->getRemarkEngine())
    return; // nobody listens
  for (const RemarkText &text : describeInRemarks(planned)) {
    auto options = remark::RemarkOpts::name(text.name)
                       .category("swizzle")
                       .function(planned.facts.name);
    auto remark = text.kind == RemarkText::Passed
                      ? remark::passed(location, options)
                  : text.kind == RemarkText::Missed
                      ? remark::missed(location, options)
                      : remark::analysis(location, options);
    for (const auto &[key, value] : text.values)
      remark << remark::metric(key, value);
  }
}

LogicalResult emitDecision(Location location, const PlannedKernel &planned,
                           bool askedFor) {
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
  if (decision.outcome == Outcome::Refused && askedFor)
    emitWarning(location) << kernel << " keeps its order: " << decision.reason;
  emitRemarks(location, planned);
  return success();
}

} // namespace swizzle
