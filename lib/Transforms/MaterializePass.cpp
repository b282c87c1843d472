//===- MaterializePass.cpp - The swizzle-materialize pass -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thin shell over `materialize`.
//
//===----------------------------------------------------------------------===//

#include "swizzle/IR/SwizzleDialect.h"
#include "swizzle/Transforms/Materialize.h"
#include "swizzle/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

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
    for (RemapOp remap : remaps) {
      const LoweredFormula *known =
          lowered ? lowered->get().lookup(remap) : nullptr;
      failed |=
          mlir::failed(known ? materialize(remap, *known) : materialize(remap));
    }
    if (failed)
      signalPassFailure();
    if (remaps.empty())
      markAllAnalysesPreserved();
  }
};

} // namespace

} // namespace swizzle
