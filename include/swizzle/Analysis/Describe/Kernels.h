//===- Kernels.h - The kernels of a module, by name -------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What counts as a kernel, and what a user may call it. Launches are no kernels
// yet: they have to be outlined first.
//
//   gpu.func @k() kernel                 marked
//   llvm.func amdgpu_kernelcc @k()       marked, by its calling convention
//   func.func @k() { gpu.block_id x }    by its use, if nothing is marked
//   func.func @k() { func.call @f() }    none, unless the user names it
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_ANALYSIS_DESCRIBE_KERNELS_H
#define SWIZZLE_ANALYSIS_DESCRIBE_KERNELS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "swizzle/Lowering/KernelMark.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace swizzle {

/// `module::k`, or `k` outside of any `gpu.module`.
std::string kernelPath(mlir::FunctionOpInterface kernel);

/// The kernels of `module`, in the order of the text. Where nothing is marked
/// as one and nothing is launched, these are the public functions of the func
/// dialect that read a workgroup id, return nothing and are not called: what
/// `isKernelByUse` says of them is an assumption.
llvm::SmallVector<mlir::FunctionOpInterface> findKernels(mlir::ModuleOp module);

/// True if it is only concluded, or claimed by somebody, that `function` is a
/// kernel.
inline bool isKernelByUse(mlir::FunctionOpInterface function) {
  return !isKernel(function);
}

/// True if a user may mean `function` by `name`: `k`, or `module::k`.
bool isCalled(mlir::FunctionOpInterface function, llvm::StringRef name);

/// Those called `name`; all of them if it is empty. A function that nothing
/// marks as a kernel is one if it is named. Fails where there is none, and says
/// which there are.
llvm::Expected<llvm::SmallVector<mlir::FunctionOpInterface>>
selectKernels(mlir::ModuleOp module, llvm::StringRef name);

/// Why `findKernels` finds nothing in `module`, and what to do about it: one
/// sentence.
std::string explainNoKernels(mlir::ModuleOp module);

} // namespace swizzle

#endif // SWIZZLE_ANALYSIS_DESCRIBE_KERNELS_H
