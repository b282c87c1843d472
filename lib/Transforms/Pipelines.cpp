//===- Pipelines.cpp - hw-aware-swizzle -----------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pipeline that most people run: plan, then materialise. Its options are
// those of `swizzle-plan`.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace swizzle {

void buildHwAwareSwizzle(OpPassManager &manager,
                         const SwizzlePlanPassOptions &options) {
  manager.addPass(createSwizzlePlanPass(options));
  manager.addPass(createSwizzleMaterializePass());
}

void registerPipelines() {
  registerPassPipeline(
      "hw-aware-swizzle",
      "Give each GPU kernel a better order of its workgroups: judge, plan, "
      "prove, rewrite; options as of swizzle-plan",
      [](OpPassManager &manager, StringRef options,
         function_ref<LogicalResult(const Twine &)> report) -> LogicalResult {
        StringRef anchor = manager.getOpAnchorName();
        if (anchor != ModuleOp::getOperationName() &&
            anchor != OpPassManager::getAnyOpAnchorName())
          return report("hw-aware-swizzle runs on a builtin.module, which has "
                        "kernels and their launches, not on '" +
                        anchor + "': builtin.module(hw-aware-swizzle)");
        std::unique_ptr<Pass> plan = createSwizzlePlanPass();
        if (failed(plan->initializeOptions(options, report)))
          return failure();
        manager.addPass(std::move(plan));
        manager.addPass(createSwizzleMaterializePass());
        return success();
      },
      [](function_ref<void(const detail::PassOptions &)>) {});
}

} // namespace swizzle
