//===- MaterializePass.cpp - The swizzle-materialize pass -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thin shell over `materialize`. Kernels that came in the llvm dialect alone
// leave in it alone, with what callees got for them.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Analysis/Read/ModuleFacts.h"
#include "swizzle/IR/SwizzleDialect.h"
#include "swizzle/Lowering/WorkgroupIds.h"
#include "swizzle/Transforms/Materialize.h"
#include "swizzle/Transforms/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/SetVector.h"

namespace swizzle {

#define GEN_PASS_DEF_SWIZZLEMATERIALIZEPASS
#include "swizzle/Transforms/Passes.h.inc"

namespace {

struct SwizzleMaterializePass
    : impl::SwizzleMaterializePassBase<SwizzleMaterializePass> {
  void runOnOperation() override {
    llvm::SmallVector<RemapOp> remaps;
    getOperation().walk([&](RemapOp remap) { remaps.push_back(remap); });
    // All are tried, so that one run reports everything that is wrong.
    bool failed = false;
    auto lowered = getCachedAnalysis<LoweredRemaps>();
    llvm::SetVector<mlir::Operation *> ofLLVM;
    for (RemapOp remap : remaps)
      if (auto kernel = remap->getParentOfType<mlir::LLVM::LLVMFuncOp>())
        for (mlir::FunctionOpInterface function : reachableFunctions(
                 mlir::cast<mlir::FunctionOpInterface>(kernel.getOperation())))
          ofLLVM.insert(function);
    ModuleFacts facts(getOperation());
    for (RemapOp remap : remaps) {
      const LoweredFormula *known =
          lowered ? lowered->get().lookup(remap) : nullptr;
      failed |= mlir::failed(materialize(remap, known, facts));
    }
    for (mlir::Operation *function : ofLLVM)
      failed |= mlir::failed(lowerToLLVM(function));
    if (failed)
      signalPassFailure();
    if (remaps.empty())
      markAllAnalysesPreserved();
  }

private:
  llvm::LogicalResult lowerToLLVM(mlir::Operation *function);
};

} // namespace

/// What was emitted into a function of the llvm dialect becomes that dialect.
llvm::LogicalResult
SwizzleMaterializePass::lowerToLLVM(mlir::Operation *function) {
  if (!mlir::isa<mlir::LLVM::LLVMFuncOp>(function))
    return mlir::success();
  mlir::OpPassManager branches(function->getName().getStringRef());
  branches.addPass(mlir::createSCFToControlFlowPass());
  if (mlir::failed(runPipeline(branches, function)))
    return mlir::failure();
  mlir::LLVMTypeConverter types(&getContext());
  mlir::RewritePatternSet patterns(&getContext());
  mlir::arith::populateArithToLLVMConversionPatterns(types, patterns);
  mlir::cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
  mlir::LLVMConversionTarget target(getContext());
  if (mlir::failed(
          mlir::applyPartialConversion(function, target, std::move(patterns))))
    return mlir::failure();
  mlir::OpPassManager casts(function->getName().getStringRef());
  casts.addPass(mlir::createReconcileUnrealizedCastsPass());
  return runPipeline(casts, function);
}

} // namespace swizzle
