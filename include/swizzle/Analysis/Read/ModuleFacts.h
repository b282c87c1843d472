//===- ModuleFacts.h - Who uses the functions of a module --------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Who launches, calls or names a kernel is spread over the whole module. Asked
// for each kernel by a walk of its own, a module of n kernels takes n walks: so
// all of it is found in one, and handed to whoever reads or judges a kernel.
//
//   ModuleFacts module(kernel);
//   module.launchesOf(kernel)      gpu.launch_func @m::@k, in the module's order
//   module.callsOf(kernel)         func.call @k
//   module.isOnlyLaunched(kernel)  nothing else names it
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_ANALYSIS_READ_MODULEFACTS_H
#define SWIZZLE_ANALYSIS_READ_MODULEFACTS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace swizzle {

/// Holds as long as the module's symbols, and what uses them, stay as they are.
class ModuleFacts {
public:
  /// Of `inside` where that is a module: passes on modules that lie beside each
  /// other run at the same time, and look at nothing else. Of another operation,
  /// of the outermost module that it lies in.
  explicit ModuleFacts(mlir::Operation *inside);

  /// The module of which this is.
  mlir::Operation *root() const { return top; }

  /// The launches of `kernel`.
  llvm::ArrayRef<mlir::gpu::LaunchFuncOp>
  launchesOf(mlir::FunctionOpInterface kernel) const {
    return find(launches, kernel);
  }
  /// The calls of `function` by its name, its own among them.
  llvm::ArrayRef<mlir::CallOpInterface>
  callsOf(mlir::FunctionOpInterface function) const {
    return find(calls, function);
  }
  /// The operations whose result is the address of `function`.
  llvm::ArrayRef<mlir::Operation *>
  addressesOf(mlir::FunctionOpInterface function) const {
    return find(addresses, function);
  }
  /// True if an operation of an unknown dialect lies beside `symbol`, that may
  /// be a table of symbols: then nobody knows what is used in there.
  bool isBesideUnknown(mlir::Operation *symbol) const;
  /// True if each use of `symbol`, which is private, is a launch that is seen.
  bool isOnlyLaunched(mlir::Operation *symbol) const;
  /// A function below `around` with a name that stands for what importing made;
  /// null if there is none.
  mlir::Operation *findReserved(mlir::Operation *around) const;

private:
  template <typename Op>
  using Uses = llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Op, 1>>;

  template <typename Op>
  static llvm::ArrayRef<Op> find(const Uses<Op> &uses, mlir::Operation *op) {
    auto found = uses.find(op);
    return found == uses.end() ? llvm::ArrayRef<Op>() : found->second;
  }
  void findOtherUses(mlir::Operation *root);

  mlir::Operation *top;
  Uses<mlir::gpu::LaunchFuncOp> launches;
  Uses<mlir::CallOpInterface> calls;
  Uses<mlir::Operation *> addresses;
  /// Tables of symbols that have an unknown operation in them.
  llvm::DenseSet<mlir::Operation *> unknown;
  /// What is used by something else than a launch. Only if anything is private.
  llvm::DenseSet<mlir::Operation *> usedOtherwise;
  llvm::SmallVector<mlir::Operation *> reserved;
};

} // namespace swizzle

#endif // SWIZZLE_ANALYSIS_READ_MODULEFACTS_H
