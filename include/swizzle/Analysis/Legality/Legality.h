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
//   KernelLegality legality = judgeKernel(kernel, reading, sizes);
//   legality.refusal        {"cross-workgroup-write", ...} with two workgroups
//   legality.readings       the operations to rewrite
//   legality.assumptions    "arg0 and arg1 do not overlap in memory"
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_ANALYSIS_LEGALITY_LEGALITY_H
#define SWIZZLE_ANALYSIS_LEGALITY_LEGALITY_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "swizzle/Analysis/Read/KernelAnalysis.h"
#include "swizzle/Lowering/WorkgroupIds.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace swizzle {

struct KernelLegality {
  std::optional<KernelRefusal> refusal;
  llvm::SmallVector<IdReading> readings;
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

/// Judges `kernel`, of which `reading` was read with `sizes`.
KernelLegality judgeKernel(mlir::FunctionOpInterface kernel,
                           const KernelReading &reading,
                           const LaunchSizes &sizes,
                           const LegalityOptions &options,
                           const ModuleFacts &module);
KernelLegality judgeKernel(mlir::FunctionOpInterface kernel,
                           const KernelReading &reading,
                           const LaunchSizes &sizes,
                           const LegalityOptions &options = {});

} // namespace swizzle

#endif // SWIZZLE_ANALYSIS_LEGALITY_LEGALITY_H
