//===- Check.h - Does a variant do what the original did? -------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs single workgroups of both on the host: what the variant's workgroup i
// writes must be what the original's workgroup f(i) writes, byte by byte.
// Trusts neither the proof of the formula nor the code that was made of it.
//
//   original: workgroup 3 writes tile 3; variant by f(i) = 15 - i on 16 tiles
//     workgroup 12 writes tile 3, the same bytes: passed
//     workgroup 12 writes tile 2: failed, "workgroup 12 ... differs"
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_CODEGEN_HOST_CHECK_H
#define SWIZZLE_CODEGEN_HOST_CHECK_H

#include "swizzle/Codegen/Host/HostKernel.h"
#include "swizzle/Formula/Formula.h"

namespace swizzle {

enum class CheckStatus : uint8_t {
  Passed,
  Failed,    ///< the variant does something else
  Unchecked, ///< the host cannot tell; `message` says why
};

struct CheckOptions {
  HostOptions host;
  /// All workgroups are run if there are no more than this; above, the corners
  /// of the grid, places on its last planes, and a random sample.
  int64_t allUpTo = 256;
  int64_t sample = 24;
  /// The sample ends early, but not before all corners were run, when so many
  /// accesses were made; 32 multiply-adds of matrices count as one.
  int64_t accessBudget = int64_t(1) << 31;
  /// Largest relative difference of what floating-point atomics touched.
  double atomicTolerance = 1e-3;
  /// Looks for races between workgroups of the original, unless the formula
  /// keeps every workgroup in its place.
  bool races = true;
};

/// The first place where variant and original differ.
struct CheckDifference {
  WorkgroupId variant, original;
  std::string buffer;
  int64_t element = 0; ///< index into the buffer, by its elements
  std::string originalValue, variantValue; ///< "not written" where it was not
};

struct CheckResult {
  CheckStatus status = CheckStatus::Unchecked;
  std::string message; ///< one sentence; empty if passed
  std::optional<CheckDifference> difference;
  Grid grid, block;
  int64_t workgroups = 0; ///< that were run and compared
  bool complete = false;  ///< these were all
  bool atomics = false;   ///< floating-point atomics: compared with tolerance
  /// What the verdict does not cover, and what is odd: one sentence each.
  std::vector<std::string> notes;
  uint64_t seed = 0; ///< of the contents and of the sample
  double seconds = 0;
};

/// "passed", "failed", "unchecked".
llvm::StringRef toString(CheckStatus status);

/// The kernel called `name` (`k`, or `module::k`; empty: the only one).
/// Launches in `module` must be outlined.
llvm::Expected<mlir::FunctionOpInterface> findKernel(mlir::ModuleOp module,
                                                     llvm::StringRef name);

/// Checks kernel `name` of `variant` against that of `original`. `formula` is
/// bound to the grid that is launched.
CheckResult check(mlir::ModuleOp original, mlir::ModuleOp variant,
                  llvm::StringRef name, const BoundFormula &formula,
                  const CheckOptions &options = {});

/// Workgroups, and threads of each.
struct CheckedSizes {
  Grid grid, block;
  bool gridIsNominal = false; ///< nobody gave it
};

/// What `check` will launch kernel `name` of `original` with.
llvm::Expected<CheckedSizes> findCheckedSizes(mlir::ModuleOp original,
                                              llvm::StringRef name,
                                              const CheckOptions &options);

} // namespace swizzle

#endif // SWIZZLE_CODEGEN_HOST_CHECK_H
