//===- Legality.h - May this kernel's workgroups be renumbered? -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The half of the legality theorem that concerns the kernel, not the formula:
// every reading of a workgroup id is known (complete), workgroups do not
// communicate (independent), and no remap of ours is there already (once).
// Established by an allow-list: an operation that is not on it is refused.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_ANALYSIS_LEGALITY_H
#define SWIZZLE_ANALYSIS_LEGALITY_H

#include "mlir/IR/Location.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "swizzle/Kernel/KernelModel.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace swizzle {

/// One operation that reads a workgroup id, in the kernel or in a callee.
struct IdReading {
  mlir::Operation *op = nullptr;
  unsigned axis = 0;
  bool global = false; ///< gpu.global_id: id * block + thread
};

/// Why a kernel must be left alone. `code` is stable; docs/legality.md lists
/// all.
struct KernelRefusal {
  std::string code;
  std::string message;
  std::string counterexample; ///< two workgroups and a byte, where there is one
  mlir::Location location;
};

struct KernelLegality {
  std::optional<KernelRefusal> refusal;
  llvm::SmallVector<IdReading> readings;
  /// Callees that read ids, transitively; all must be rewritten (or cloned).
  llvm::SmallVector<mlir::FunctionOpInterface> callees;
  std::vector<std::string>
      assumptions; ///< "writes of arg2 through loaded indices do not race"
  std::vector<std::string>
      notes; ///< "not bit-stable: floating-point atomics", "prints"
  /// A remap by hand that the kernel already contains, in words; empty if none.
  std::string existingRemap;
};

struct LegalityOptions {
  bool strict = false;  ///< assumptions are refusals
  bool compose = false; ///< go on from a remap of ours
};

/// The readings of workgroup ids in the body of `function` itself, without
/// those of its callees.
llvm::SmallVector<IdReading> findIdReadings(mlir::FunctionOpInterface function);

/// The function that `call` reaches; null if it is not in the module (or has no
/// symbol, and then `indirect` is set).
mlir::FunctionOpInterface resolveCallee(mlir::CallOpInterface call,
                                        bool &indirect);

/// Judges `kernel`, whose accesses are `model`.
KernelLegality judgeKernel(mlir::FunctionOpInterface kernel,
                           const KernelModel &model,
                           const LegalityOptions &options = {});

/// Plain loads and stores of `model`: do two workgroups touch one byte that one
/// of them writes? Returns the counterexample, or nullopt if it is shown that
/// they do not. `unknown` is set where the maps cannot tell.
std::optional<std::string> findCrossWorkgroupWrite(const KernelModel &model,
                                                   bool &unknown);

} // namespace swizzle

#endif // SWIZZLE_ANALYSIS_LEGALITY_H
