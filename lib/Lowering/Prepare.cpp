//===- Prepare.cpp - What upstream's passes do not lower ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A few operations are legal in a kernel, but the passes that lower the rest
// leave them, or turn them into calls that no device has. They are rewritten
// with patterns of upstream's that are in no pass, or into loops:
//
//   memref.copy %a, %b          linalg.generic, and then loops
//   vector.mask %m { load }     vector.maskedload
//   gpu.all_reduce add %v       shuffles and workgroup memory
//
//===----------------------------------------------------------------------===//

#include "Steps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/IR/Builders.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

LogicalResult swizzle::prepare(gpu::GPUModuleOp gpuModule) {
  SmallVector<memref::CopyOp> copies;
  bool masked = false, reduced = false;
  gpuModule.walk([&](Operation *op) {
    if (auto copy = dyn_cast<memref::CopyOp>(op))
      copies.push_back(copy);
    masked |= isa<vector::MaskOp>(op);
    reduced |= isa<gpu::AllReduceOp>(op);
  });
  for (memref::CopyOp copy : copies) {
    if (!isa<MemRefType>(copy.getSource().getType()) ||
        !isa<MemRefType>(copy.getTarget().getType()))
      continue;
    OpBuilder builder(copy);
    linalg::makeMemRefCopyOp(builder, copy.getLoc(), copy.getSource(),
                             copy.getTarget());
    copy.erase();
  }
  if (!masked && !reduced)
    return success();
  RewritePatternSet patterns(gpuModule.getContext());
  vector::populateVectorMaskLoweringPatternsForSideEffectingOps(patterns);
  populateGpuAllReducePatterns(patterns);
  return applyPatternsGreedily(gpuModule, std::move(patterns));
}

LogicalResult swizzle::lowerSubgroups(gpu::GPUModuleOp gpuModule,
                                      const LoweringTarget &target) {
  bool any = false;
  gpuModule.walk([&](Operation *op) {
    any |= isa<gpu::SubgroupReduceOp, gpu::SubgroupIdOp>(op);
  });
  if (any) {
    RewritePatternSet patterns(gpuModule.getContext());
    populateGpuSubgroupIdPatterns(patterns);
    populateGpuBreakDownSubgroupReducePatterns(patterns);
    populateGpuLowerSubgroupReduceToShufflePatterns(patterns, target.waveSize);
    populateGpuLowerClusteredSubgroupReduceToShufflePatterns(patterns,
                                                             target.waveSize);
    if (failed(applyPatternsGreedily(gpuModule, std::move(patterns))))
      return failure();
  }
  gpuModule.walk([&](gpu::SubgroupSizeOp size) {
    OpBuilder builder(size);
    auto number =
        arith::ConstantIndexOp::create(builder, size.getLoc(), target.waveSize);
    size->replaceAllUsesWith(number);
    size->erase();
  });
  return success();
}
