//===- ReadFacts.h - From IR to the facts of planning -----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one way from a kernel in MLIR to what planning needs to know of it.
//
//   FactsOptions options;
//   options.grid = Grid(64, 64, 1);           // where the IR does not say
//   LocatedFacts read = readFacts(kernel, options);
//   read.facts.verdict.legal()    true: workgroups may run in any order
//   read.location                 where remarks about the kernel belong
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_ANALYSIS_DESCRIBE_READFACTS_H
#define SWIZZLE_ANALYSIS_DESCRIBE_READFACTS_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "swizzle/Analysis/Read/ModuleFacts.h"
#include "swizzle/Kernel/KernelFacts.h"
#include <optional>

namespace swizzle {

/// An integer attribute on an argument of a kernel that is read: what somebody
/// says that launches pass. As much of an assumption as a nominal value.
inline constexpr llvm::StringLiteral kClaimedArgument = "swizzle.claimed";

/// The same of a tensor map, an array: bytes of an element, then of each
/// dimension, outermost first, how many elements it has, how many lie between
/// two of them, and how many a box has.
inline constexpr llvm::StringLiteral kClaimedTensorMap = "swizzle.tensor_map";

struct FactsOptions {
  /// Assumed where the IR does not say; never override it.
  std::optional<Grid> grid, block;
  /// Lanes of a subgroup on the chip, 0 if no chip is known.
  int64_t subgroup = 0;
  int64_t registers = 0;             ///< of a thread, if somebody knows
  int64_t dynamicWorkgroupBytes = 0; ///< that launches add
  bool strict = false;               ///< assumptions are refusals
  bool compose = false;              ///< go on from a remap of ours
  /// The module was made by swizzle/Import: it may hold functions that stand
  /// for inline PTX, whose names nobody else may use.
  bool imported = false;
};

struct LocatedFacts {
  KernelFacts facts;
  mlir::Location location; ///< what `facts.location` says in words
};

/// Reads and judges `kernel`. Never fails, and does not change the IR.
LocatedFacts readFacts(mlir::FunctionOpInterface kernel,
                       const FactsOptions &options, const ModuleFacts &module);
LocatedFacts readFacts(mlir::FunctionOpInterface kernel,
                       const FactsOptions &options);

} // namespace swizzle

#endif // SWIZZLE_ANALYSIS_DESCRIBE_READFACTS_H
