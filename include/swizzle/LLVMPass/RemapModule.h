//===- RemapModule.h - Remaps the kernels of a module --------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the pass and the C API share: decide about all kernels of a module, then
// rewrite those that are remapped, and tell what was decided.
//
//   ModuleOutcome outcome = remapModule(module, "", settings);
//   outcome.changed                                     true
//   outcome.kernels[0].decision.remap->formula          return gx - 1 - x, y
//   printReport(outcome.kernels, outcome.inputHash)
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LLVMPASS_REMAPMODULE_H
#define SWIZZLE_LLVMPASS_REMAPMODULE_H

#include "swizzle/LLVMPass/Options.h"

namespace llvm {
class Module;
} // namespace llvm

namespace swizzle::llvmpass {

struct ModuleOutcome {
  bool changed = false;
  std::string inputHash; ///< empty unless `isReported`
  /// In the module's order, once for each grid; with `irDifference` only if
  /// `isReported`.
  std::vector<PlannedKernel> kernels;
};

/// Remaps the kernels of `module`; `early` is a copy of it in bitcode as it was
/// when its pipeline began, if there is one. Errors, warnings and remarks go to
/// the module's context. `isReported`: somebody wants to print the outcome.
ModuleOutcome remapModule(llvm::Module &module, llvm::StringRef early,
                          const PassSettings &settings, bool isReported);

/// The block that the pass plans for where nobody gives one: as many threads as
/// the kernels of `module` allow; nullopt if they do not say, or not the same.
std::optional<Grid> guessBlock(llvm::Module &module);

} // namespace swizzle::llvmpass

#endif // SWIZZLE_LLVMPASS_REMAPMODULE_H
