//===- LowerEmitted.cpp - What was emitted becomes the llvm dialect -------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Remaps are emitted as arith and scf, which the passes that lower a kernel of
// another dialect lower as well. Nobody does that for a function of the llvm
// dialect.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Transforms/Materialize.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace swizzle {

LogicalResult lowerEmitted(Operation *function) {
  if (!isa<LLVM::LLVMFuncOp>(function))
    return success();
  MLIRContext &context = *function->getContext();
  RewritePatternSet branches(&context);
  populateSCFToControlFlowConversionPatterns(branches);
  ConversionTarget withoutLoops(context);
  withoutLoops.addIllegalOp<scf::ForOp, scf::IfOp, scf::WhileOp>();
  withoutLoops.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  if (failed(
          applyPartialConversion(function, withoutLoops, std::move(branches))))
    return failure();
  LLVMTypeConverter types(&context);
  RewritePatternSet patterns(&context);
  arith::populateArithToLLVMConversionPatterns(types, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
  LLVMConversionTarget target(context);
  if (failed(applyPartialConversion(function, target, std::move(patterns))))
    return failure();
  SmallVector<UnrealizedConversionCastOp> casts;
  function->walk(
      [&](UnrealizedConversionCastOp cast) { casts.push_back(cast); });
  reconcileUnrealizedCasts(casts);
  return success();
}

} // namespace swizzle
