//===- Noted.cpp - The formula that a kernel names ------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Noted.h"

#include "swizzle/IR/AppliedTag.h"
#include "swizzle/IR/AppliedText.h"
#include "swizzle/IR/HardwareAttr.h"

using namespace llvm;

namespace swizzle {

/// Texts of former versions have no numbers of the chip.
static Error addChip(mlir::Operation *variant, const Formula &formula,
                     const KernelOptions &options, Environment &environment) {
  auto isKnown = [&](const std::string &name) {
    return environment.hardware.count(name) > 0;
  };
  if (all_of(formula.hardwareNames(), isKnown))
    return Error::success();
  auto choice = chooseChip(options.chip, options.hardwareFile, variant);
  if (!choice)
    return choice.takeError();
  if (*choice) {
    HardwareConstants more = (*choice)->hardware.formulaConstants();
    environment.hardware.insert(more.begin(), more.end());
    environment.chip = (*choice)->hardware.name;
  }
  return Error::success();
}

Expected<std::optional<std::pair<Formula, Environment>>>
readNoted(mlir::Operation *variant, const Grid &grid,
          const KernelOptions &options) {
  if (FormulaAttr applied = readApplied(variant)) {
    auto read = readFormulaAttr(
        applied, {kUnknownExtent, kUnknownExtent, kUnknownExtent});
    if (!read)
      return read.takeError();
    return std::move(*read);
  }
  StringRef text = readAppliedText(variant);
  if (text.empty())
    return std::nullopt;
  auto found = findApplied(text, grid);
  if (found && *found)
    if (Error error =
            addChip(variant, (*found)->first, options, (*found)->second))
      return std::move(error);
  return found;
}

Expected<std::string> whyNotFollowed(mlir::Operation *variant,
                                     const Grid &grid) {
  StringRef text = readAppliedText(variant);
  auto found = findApplied(text, grid);
  if (!found)
    return found.takeError();
  std::string grids = gridsApplied(text);
  if (*found || grids.empty())
    return "";
  return "the variant has another order on grids of " + grids +
         " alone, and nobody says what is launched: give --grid, and --block";
}

} // namespace swizzle
