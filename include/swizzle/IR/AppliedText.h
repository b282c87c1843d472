//===- AppliedText.h - What LLVM IR says of its remaps ----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel in LLVM IR may be remapped for several grids, each by a formula of
// its own. An attribute of it is a text, so that is what they are noted as:
//
//   "swizzle.applied"="64x64: return y, x; ?x?: return x % num_xcds, y, num_xcds = 8"
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_IR_APPLIEDTEXT_H
#define SWIZZLE_IR_APPLIEDTEXT_H

#include "swizzle/Formula/Formula.h"

namespace swizzle {

/// One remap: the grid that it is for, the formula, and the numbers that this
/// reads. To be joined by "; ".
std::string printApplied(const Formula &formula,
                         const Environment &environment);

/// The remap that launches of `grid` get by `text`; its environment has the
/// grid that it was made for. Nullopt if it is for other grids; fails if `text`
/// is no list of remaps.
llvm::Expected<std::optional<std::pair<Formula, Environment>>>
findApplied(llvm::StringRef text, const Grid &grid);

/// The grids that the remaps of `text` are for, as they stand there, joined by
/// "+"; empty if it is no list of remaps.
std::string gridsApplied(llvm::StringRef text);

} // namespace swizzle

#endif // SWIZZLE_IR_APPLIEDTEXT_H
