//===- Outline.h - Launch bodies as kernels, some of them -------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A `gpu.launch` whose body shall be remapped becomes a kernel first; one that
// shall not stays a `gpu.launch`, untouched.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_TRANSFORMS_OUTLINE_H
#define SWIZZLE_LIB_TRANSFORMS_OUTLINE_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"

namespace swizzle {

/// All `gpu.launch` ops of `module`, in the order of the text.
llvm::SmallVector<mlir::gpu::LaunchOp> findLaunchOps(mlir::ModuleOp module);

/// Outlines the launches of `module` for which `wanted` (in the order of
/// `findLaunchOps`) is true, and leaves the others as they are. Fills `kernels`
/// with the kernel that each launch became, null for those left.
mlir::LogicalResult
outlineLaunches(mlir::ModuleOp module, llvm::ArrayRef<bool> wanted,
                llvm::SmallVectorImpl<mlir::gpu::GPUFuncOp> &kernels);

} // namespace swizzle

#endif // SWIZZLE_LIB_TRANSFORMS_OUTLINE_H
