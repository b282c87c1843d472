//===- CompareModel.h - The model against the kernel ---------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Records what sampled workgroups touch and compares it with what the kernel
// model says that they touch: the oracle of the analysis on real kernels.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_CODEGEN_HOST_COMPAREMODEL_H
#define SWIZZLE_CODEGEN_HOST_COMPAREMODEL_H

#include "swizzle/Codegen/Host/Check.h"

namespace swizzle {

struct ModelComparison {
  /// Unchecked too if the model leaves accesses out (`notModelled`).
  CheckStatus status = CheckStatus::Unchecked;
  std::string message; ///< the first difference, or why it is unchecked
  int64_t workgroups = 0;
  int64_t accesses = 0; ///< recorded, of single threads
};

/// Compares the corners of the grid and `options.sample` workgroups at random;
/// no more of them once `options.accessBudget` accesses were recorded. Compared
/// are the elements that each subgroup touches, and how often; not their order,
/// which lowering may change within a thread.
ModelComparison compareWithModel(mlir::ModuleOp module, llvm::StringRef name,
                                 const CheckOptions &options);

} // namespace swizzle

#endif // SWIZZLE_CODEGEN_HOST_COMPAREMODEL_H
