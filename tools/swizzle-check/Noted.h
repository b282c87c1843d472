//===- Noted.h - The formula that a kernel names ----------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In MLIR it is an attribute, in LLVM IR a text with a formula for each grid.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TOOLS_SWIZZLE_CHECK_NOTED_H
#define SWIZZLE_TOOLS_SWIZZLE_CHECK_NOTED_H

#include "../common/KernelOptions.h"

namespace swizzle {

/// The formula by which `variant` says that launches of `grid` are remapped,
/// and the numbers that it was made with, the grid among them. What it leaves
/// out of the chip's is that of the chip that `options` name, or of the target.
/// Nullopt if it names none.
llvm::Expected<std::optional<std::pair<Formula, Environment>>>
readNoted(mlir::Operation *variant, const Grid &grid,
          const KernelOptions &options);

/// Why a launch of `grid`, which nobody asked for, would not follow the order
/// that `variant` names; empty if it would, or if none is named. Fails if what
/// is noted cannot be read.
llvm::Expected<std::string> whyNotFollowed(mlir::Operation *variant,
                                           const Grid &grid);

} // namespace swizzle

#endif // SWIZZLE_TOOLS_SWIZZLE_CHECK_NOTED_H
