//===- PlanModule.h - Decide about all kernels, then rewrite ----*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The callable form of `swizzle-plan`, for whoever decides about kernels in
// another way than the pass does: the tuner asks agents and profilers first.
//
//   std::vector<PlannedKernel> planned;
//   planModule(module, [&](FunctionOpInterface kernel) {
//     return decideAbout(kernel); // a PlannedKernel, or failure
//   }, planned);
//   // each kernel whose decision has a remap begins with `swizzle.remap`
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_TRANSFORMS_PLANMODULE_H
#define SWIZZLE_TRANSFORMS_PLANMODULE_H

#include "swizzle/Planning/Decision.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace swizzle {

/// Decides about one kernel, without changing the IR. Failure, which it has
/// emitted, ends the planning.
using DecideFunction = llvm::function_ref<mlir::FailureOr<PlannedKernel>(
    mlir::FunctionOpInterface)>;

/// Decides about each kernel of `module`, those in `gpu.launch` included, and
/// then puts a `swizzle.remap` into each that is to be remapped. With `wanted`
/// ("k", "module::k"), nothing but the kernels of that name is looked at; none
/// is an error. Nothing is changed if a decision fails. Errors are emitted.
mlir::LogicalResult planModule(mlir::ModuleOp module, DecideFunction decide,
                               std::vector<PlannedKernel> &planned,
                               llvm::StringRef wanted = "");

/// A copy of `module` in which every launch has become a kernel, under the
/// names that `planModule` shows to `decide`; null if that is not possible.
mlir::OwningOpRef<mlir::ModuleOp> cloneOutlined(mlir::ModuleOp module);

/// "blake3:<hex>" of the module's text.
std::string hashOf(mlir::ModuleOp module);

} // namespace swizzle

#endif // SWIZZLE_TRANSFORMS_PLANMODULE_H
