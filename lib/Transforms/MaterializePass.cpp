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

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
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
      failed |= mlir::failed(lowerEmitted(function));
    if (failed)
      signalPassFailure();
    if (remaps.empty())
      markAllAnalysesPreserved();
  }
};

} // namespace

} // namespace swizzle
