//===- KernelMark.h - What marks a function as a kernel ---------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An attribute, or a calling convention.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LOWERING_KERNELMARK_H
#define SWIZZLE_LOWERING_KERNELMARK_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "swizzle/Lowering/LowerModule.h"
#include <optional>

namespace swizzle {

/// True for a `gpu.func` kernel, for a function that was lowered from one, and
/// for one with a calling convention of kernels.
bool isKernel(mlir::FunctionOpInterface function);

/// The vendor that the mark of a kernel in the llvm dialect names.
std::optional<GpuVendor> vendorOfMark(mlir::FunctionOpInterface kernel);

} // namespace swizzle

#endif // SWIZZLE_LOWERING_KERNELMARK_H
