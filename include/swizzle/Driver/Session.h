//===- Session.h - A module that is being tuned -----------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From MLIR to the loop and back: finds the kernels of a module, tells
// agents about them, writes variants out for compilers and checks, and rewrites
// the module in the end by the same functions as the pass. Whatever a journal,
// a database or an agent says about a formula, it is proved here again before
// it is applied.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_DRIVER_SESSION_H
#define SWIZZLE_DRIVER_SESSION_H

#include "swizzle/Transforms/PlanKernel.h"
#include "swizzle/Transforms/PlanModule.h"
#include "swizzle/Tuning/Report.h"

namespace swizzle {

class TuningSession {
public:
  /// Judges the kernels of `module` that `kernel` names (`k` or `module::k`;
  /// empty: all). Fails if there is none, or if a chip is missing.
  static llvm::Expected<std::unique_ptr<TuningSession>>
  create(mlir::ModuleOp module, const PlanSettings &settings,
         llvm::StringRef kernel);

  /// The kernels, in the order of the text; one whose decision has a
  /// `reasonCode` is decided already.
  llvm::ArrayRef<PlannedKernel> kernels() const { return planned; }

  /// The module with every launch outlined and nothing remapped, as text.
  std::string printOriginal();
  /// The same with `variant` applied to one kernel. Fails if it is refused, or
  /// if what is emitted differs from the formula.
  llvm::Expected<std::string> printVariant(size_t index,
                                           const Variant &variant);

  /// Notes what the loop found for a kernel.
  llvm::Error decide(size_t index, const Variant &best);
  /// Rewrites the module: proves, inserts, materialises and compares what is
  /// emitted. On failure the module is not to be used.
  llvm::Error rewrite();

  const std::string &inputHash() const { return hash; }
  const PlanSettings &planSettings() const { return settings; }

private:
  TuningSession(mlir::ModuleOp module, const PlanSettings &settings)
      : module(module), settings(settings) {}
  llvm::Error apply(mlir::ModuleOp target,
                    llvm::ArrayRef<PlannedKernel> decided);

  mlir::ModuleOp module;
  PlanSettings settings;
  mlir::OwningOpRef<mlir::ModuleOp> outlined;
  std::string hash;
  std::vector<PlannedKernel> planned;
};

} // namespace swizzle

#endif // SWIZZLE_DRIVER_SESSION_H
