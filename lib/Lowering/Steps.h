//===- Steps.h - The steps of lowering a GPU module -------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What upstream's passes leave to do before, between and after them.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_LOWERING_STEPS_H
#define SWIZZLE_LIB_LOWERING_STEPS_H

#include "swizzle/Lowering/LowerKernel.h"
#include "llvm/ADT/SetVector.h"

namespace swizzle {

/// `kernel` and all symbols that it needs, from the table that it stands in.
llvm::SetVector<mlir::Operation *> closureOf(mlir::FunctionOpInterface kernel);

/// A function among `symbols`, or called by one, that has the name of one of
/// our markers.
mlir::Operation *findMarker(const llvm::SetVector<mlir::Operation *> &symbols);

/// Bits that LLVM's translation of `op`, which reads a register, yields, if
/// they are more than its type has and somebody uses them as that; else 0.
unsigned bitsBeyondType(mlir::Operation *op);

/// Clones `kernel`, which needs `symbols`, into a module in `holder`, ready to
/// be lowered for `vendor`.
mlir::gpu::GPUModuleOp
cloneKernel(mlir::FunctionOpInterface kernel,
            const llvm::SetVector<mlir::Operation *> &symbols, GpuVendor vendor,
            mlir::OwningOpRef<mlir::ModuleOp> &holder);

/// Calls of libdevice that are one instruction of PTX become LLVM's intrinsics.
/// Upstream's conversion refuses to meet those, so this comes after it.
void useMathIntrinsics(mlir::gpu::GPUModuleOp gpuModule);

/// Expands every other function that upstream has an expansion for.
mlir::LogicalResult expandMath(mlir::gpu::GPUModuleOp gpuModule);

/// Counts of bits, absolute values of integers and truncations become LLVM's
/// intrinsics, which the vendors' conversions leave out, and powers of integers
/// functions beside the kernel.
mlir::LogicalResult lowerCommonMath(mlir::gpu::GPUModuleOp gpuModule);

/// Operations that no pass of upstream lowers in a kernel become ones that some
/// pass does: copies of strided memory, masked regions, vectors of several
/// rows, products by atomics.
mlir::LogicalResult prepare(mlir::gpu::GPUModuleOp gpuModule);

/// What the first lane of a subgroup does alone becomes a condition. What it
/// takes from other lanes or hands to them would go by workgroup memory that
/// each subgroup has for itself, and stays.
mlir::LogicalResult lowerFirstLanes(mlir::gpu::GPUModuleOp gpuModule);

/// Reductions over a subgroup become shuffles, of 32 bits each, its number
/// arithmetic on thread ids, its size the constant that it is for this target.
mlir::LogicalResult lowerSubgroups(mlir::gpu::GPUModuleOp gpuModule,
                                   const LoweringTarget &target);

} // namespace swizzle

#endif // SWIZZLE_LIB_LOWERING_STEPS_H
