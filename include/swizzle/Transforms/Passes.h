//===- Passes.h - Passes and pipelines --------------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declarations of the passes of Passes.td and of the pipeline
// `hw-aware-swizzle`.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TRANSFORMS_PASSES_H
#define SWIZZLE_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassOptions.h"
#include <string>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace swizzle {

#define GEN_PASS_DECL
#include "swizzle/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "swizzle/Transforms/Passes.h.inc"

/// Adds the passes of `hw-aware-swizzle`: `swizzle-plan`,
/// `swizzle-materialize`.
void buildHwAwareSwizzle(mlir::OpPassManager &manager,
                         const SwizzlePlanPassOptions &options);

/// Registers the pipeline `hw-aware-swizzle`, whose options are those of
/// `swizzle-plan`.
void registerPipelines();

} // namespace swizzle

#endif // SWIZZLE_TRANSFORMS_PASSES_H
