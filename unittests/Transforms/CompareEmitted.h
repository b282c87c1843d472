//===- CompareEmitted.h - A formula against the IR made of it - -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers and emits one formula and compares the interpreted IR with the
// formula's own evaluator, for tests and the fuzzer.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_UNITTESTS_TRANSFORMS_COMPAREEMITTED_H
#define SWIZZLE_UNITTESTS_TRANSFORMS_COMPAREEMITTED_H

#include "swizzle/Transforms/Materialize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"

#include <string>

namespace swizzle {

/// Loads the dialects that `compareEmitted` needs.
inline void loadEmittedDialects(mlir::MLIRContext &context) {
  context.loadDialect<SwizzleDialect, mlir::arith::ArithDialect,
                      mlir::func::FuncDialect, mlir::scf::SCFDialect>();
}

/// What went wrong, or an empty string. A formula that is undefined for some
/// workgroup of the static grid, or leaves it, only has to be lowered or
/// refused without a crash. `legal` counts the formulas that were emitted.
inline std::string compareEmitted(mlir::MLIRContext &context,
                                  const Formula &formula,
                                  const Environment &environment,
                                  unsigned &legal) {
  llvm::Expected<BoundFormula> bound = BoundFormula::bind(formula, environment);
  llvm::Error wrong = bound ? llvm::Error::success() : bound.takeError();
  std::vector<int64_t> ids(environment.grid.count());
  if (!wrong)
    wrong = bound->evaluate(0, llvm::MutableArrayRef<int64_t>(ids));
  bool isDefined = !wrong;
  llvm::consumeError(std::move(wrong));

  mlir::Location loc = mlir::UnknownLoc::get(&context);
  for (bool guarded : {false, true}) {
    LoweringOptions options;
    options.gridIsAssumed = guarded;
    llvm::Expected<LoweredFormula> lowered =
        lower(formula, environment, options);
    if (!lowered) {
      std::string message = llvm::toString(lowered.takeError());
      if (isDefined)
        return "a defined formula is not lowered: " + message;
      continue;
    }
    if (!isDefined) // Undefined in a part that no result needs, perhaps.
      continue;
    mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(loc);
    mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(module->getBody());
    llvm::SmallVector<mlir::Type> inputs(6, builder.getIndexType());
    auto function = mlir::func::FuncOp::create(
        builder, loc, "kernel", builder.getFunctionType(inputs, {}));
    builder.setInsertionPointToStart(function.addEntryBlock());
    mlir::func::ReturnOp end = mlir::func::ReturnOp::create(builder, loc);
    builder.setInsertionPoint(end);
    llvm::SmallVector<mlir::Value> arguments(function.getArguments());
    llvm::ArrayRef<mlir::Value> all = arguments;
    std::array<mlir::Value, 3> results =
        emit(builder, loc, *lowered, all.take_front(3), all.drop_front(3));
    if (mlir::failed(mlir::verify(*module)))
      return "the emitted IR is not valid";
    if (llvm::Error error =
            checkEmitted(results, all.take_front(3), {},
                         {formula, environment, lowered->maxExtentProduct}))
      return llvm::toString(std::move(error)) + "\n" + lowered->print();
  }
  legal += isDefined;
  return {};
}

} // namespace swizzle

#endif // SWIZZLE_UNITTESTS_TRANSFORMS_COMPAREEMITTED_H
