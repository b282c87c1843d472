//===- PlanModule.h - Decide about all kernels, then rewrite ----*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The callable form of `swizzle-plan`, and the one below it for whoever decides
// about kernels in another way: the tuner asks agents and profilers first.
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

#include "swizzle/Transforms/PlanKernel.h"

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

/// As above, deciding by swizzle/Planning, which gives each kernel its share of
/// the time that is left. What was decided is emitted as `emitDecision` does; a
/// module without kernels is a warning.
mlir::LogicalResult planModule(mlir::ModuleOp module, PlanSettings settings,
                               std::vector<PlannedKernel> &planned,
                               llvm::StringRef wanted = "");

/// A copy of `module` in which every launch has become a kernel, under the
/// names that `planModule` shows to `decide`; null if that is not possible.
mlir::OwningOpRef<mlir::ModuleOp> cloneOutlined(mlir::ModuleOp module);

/// "blake3:<hex>" of the module's text.
std::string hashOf(mlir::ModuleOp module);

} // namespace swizzle

#endif // SWIZZLE_TRANSFORMS_PLANMODULE_H
