//===- StripTagsPass.cpp - The swizzle-strip-tags pass --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For modules that go on to tools which do not know the swizzle dialect.
//
//===----------------------------------------------------------------------===//

#include "swizzle/IR/AppliedTag.h"
#include "swizzle/Transforms/Passes.h"

namespace swizzle {

#define GEN_PASS_DEF_SWIZZLESTRIPTAGSPASS
#include "swizzle/Transforms/Passes.h.inc"

namespace {

struct SwizzleStripTagsPass
    : impl::SwizzleStripTagsPassBase<SwizzleStripTagsPass> {
  void runOnOperation() override {
    bool any = false;
    getOperation().walk([&](mlir::Operation *op) { any |= stripApplied(op); });
    if (!any)
      markAllAnalysesPreserved();
  }
};

} // namespace

} // namespace swizzle
