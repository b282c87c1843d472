//===- Completion.h - What stands in for unknown numbers --------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A description of a chip leaves numbers open; who calculates needs all of
// them. What is open is taken from the usual chip of the vendor,
// hardware/usual/VENDOR.json, or follows from the chip's other numbers.
// Everything that stood in is told.
//
// The result is for models alone: formulas and prompts see the description as
// it is.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_HARDWARE_COMPLETION_H
#define SWIZZLE_HARDWARE_COMPLETION_H

#include "swizzle/Hardware/HardwareSpec.h"

namespace swizzle {

struct CompleteChip {
  /// Has a shared level; capacities, lines, sectors, ways and bandwidths of all
  /// levels; the partitions of the shared one; how hits are counted; clock,
  /// rates of memory and arithmetic; what fits on a compute unit; and all
  /// fitted constants. Levels of unknown size that no usual chip has are left
  /// out. Sizes that stand in are `effectiveBytes`: `bytes` is what was
  /// reported. Sources are left out.
  HardwareSpec chip;
  /// What stood in, one line each, for people.
  std::vector<std::string> assumed;
};

/// `chip` with all that a model needs.
CompleteChip completeChip(const HardwareSpec &chip);

/// The line of level `index` of the completed chip, if models need one: its
/// own, else that of the shared level, else that of the vendor's usual chip.
std::optional<int64_t> completeLine(const HardwareSpec &chip, size_t index);

/// The shared level of the completed chip.
CacheLevel completeSharedLevel(const HardwareSpec &chip);

/// The usual chip of `vendor`, of one compute unit; that of all others if there
/// is none.
const HardwareSpec &usualChip(std::string_view vendor);

} // namespace swizzle

#endif // SWIZZLE_HARDWARE_COMPLETION_H
