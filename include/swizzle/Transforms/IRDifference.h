//===- IRDifference.h - What a remap changes in the IR ----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For reports: the lines of a kernel that a remap adds and changes.
//
//   KernelTexts before = printKernels(module);
//   ... remaps are inserted into the module ...
//   before["m::gemm"]                          gpu.func @gemm(...) kernel {...}
//   differencesFrom(before, module)["m::gemm"] "+  %0 = arith.remui ...", ...
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TRANSFORMS_IRDIFFERENCE_H
#define SWIZZLE_TRANSFORMS_IRDIFFERENCE_H

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <string>
#include <vector>

namespace swizzle {

/// The text of each kernel, by its path; large constants are elided.
using KernelTexts = std::map<std::string, std::string>;

/// Launches count as the kernels that they are outlined to. Of a module that
/// cannot be outlined, nothing.
KernelTexts printKernels(mlir::ModuleOp module);

/// What is different in `after`, kernel by kernel (`differenceOfLines`); remaps
/// that are not materialised yet count as the arithmetic that they become.
/// `after` stays as it is.
std::map<std::string, std::vector<std::string>>
differencesFrom(const KernelTexts &before, mlir::ModuleOp after);

} // namespace swizzle

#endif // SWIZZLE_TRANSFORMS_IRDIFFERENCE_H
