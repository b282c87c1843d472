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
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_ANALYSIS_KERNELS_H
#define SWIZZLE_ANALYSIS_KERNELS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace swizzle {

/// True for a `gpu.func` kernel, and for a function that was lowered from one.
bool isKernel(mlir::FunctionOpInterface function);

/// `module::k`, or `k` outside of any `gpu.module`.
std::string kernelPath(mlir::FunctionOpInterface kernel);

/// The kernels of `module`, in the order of the text.
llvm::SmallVector<mlir::FunctionOpInterface> findKernels(mlir::ModuleOp module);

/// Those called `name` (`k`, or `module::k`); all of them if it is empty. Fails
/// where there is none, and says which there are.
llvm::Expected<llvm::SmallVector<mlir::FunctionOpInterface>>
selectKernels(mlir::ModuleOp module, llvm::StringRef name);

} // namespace swizzle

#endif // SWIZZLE_ANALYSIS_KERNELS_H
