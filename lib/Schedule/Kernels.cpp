//===- Kernels.cpp - Loops over workgroups become kernels -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The last steps, on buffers.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"

#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/ParallelLoopMapper.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace swizzle::schedule {

/// A kernel of one thread around `op`.
static void launchAlone(RewriterBase &rewriter, Operation *op) {
  rewriter.setInsertionPoint(op);
  Value one = arith::ConstantIndexOp::create(rewriter, op->getLoc(), 1);
  auto launch = gpu::LaunchOp::create(rewriter, op->getLoc(), one, one, one,
                                      one, one, one);
  rewriter.setInsertionPointToEnd(&launch.getBody().front());
  auto end = gpu::TerminatorOp::create(rewriter, op->getLoc());
  rewriter.moveOpBefore(op, end);
}

LogicalResult lowerRemainders(FunctionOpInterface function) {
  IRRewriter rewriter(function->getContext());
  SmallVector<memref::CopyOp> copies;
  function->walk([&](memref::CopyOp copy) { copies.push_back(copy); });
  for (memref::CopyOp copy : copies) {
    if (!copy->getParentOfType<scf::ForallOp>())
      continue;
    rewriter.setInsertionPoint(copy);
    linalg::CopyOp::create(rewriter, copy.getLoc(), copy.getSource(),
                           copy.getTarget());
    rewriter.eraseOp(copy);
  }
  SmallVector<memref::AllocOp> buffers;
  function->walk([&](memref::AllocOp alloc) {
    if (alloc->getParentOfType<scf::ForallOp>())
      buffers.push_back(alloc);
  });
  for (memref::AllocOp alloc : buffers) {
    if (!alloc.getType().hasStaticShape())
      return alloc.emitError("a thread would need a buffer whose size is known "
                             "at run time only");
    rewriter.setInsertionPoint(alloc);
    rewriter.replaceOpWithNewOp<memref::AllocaOp>(alloc, alloc.getType());
  }
  SmallVector<linalg::LinalgOp> ops;
  function->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  for (linalg::LinalgOp op : ops) {
    if (!op->getParentOfType<scf::ForallOp>())
      launchAlone(rewriter, op);
    rewriter.setInsertionPoint(op);
    if (failed(linalg::linalgOpToLoops(rewriter, op)))
      return op->emitError("could not be lowered to loops");
    rewriter.eraseOp(op);
  }
  return success();
}

void mapLoops(FunctionOpInterface function) {
  IRRewriter rewriter(function->getContext());
  SmallVector<scf::ParallelOp> loops;
  function->walk<WalkOrder::PreOrder>([&](scf::ParallelOp loop) {
    if (loop->hasAttr(gpu::getMappingAttrName()))
      loops.push_back(loop);
  });
  for (scf::ParallelOp loop : loops) {
    auto mapping = loop->getAttrOfType<ArrayAttr>(gpu::getMappingAttrName());
    bool blocks = isa<gpu::GPUBlockMappingAttr>(mapping[0]);
    loop->removeAttr(gpu::getMappingAttrName());
    unsigned count = loop.getNumLoops();
    std::vector<std::vector<unsigned>> groups;
    for (unsigned index = 0; index < count; ++index) {
      if (groups.empty() || count - index < 3)
        groups.emplace_back();
      groups.back().push_back(index);
    }
    if (count > 3) {
      Operation *before = loop->getPrevNode();
      Block *block = loop->getBlock();
      collapseParallelLoops(rewriter, loop, groups);
      for (Operation *op = before ? before->getNextNode() : &block->front(); op;
           op = op->getNextNode())
        if ((loop = dyn_cast<scf::ParallelOp>(op)))
          break;
      count = loop.getNumLoops();
    }
    AffineMap same = AffineMap::getMultiDimIdentityMap(1, loop.getContext());
    auto first = blocks ? gpu::Processor::BlockX : gpu::Processor::ThreadX;
    SmallVector<gpu::ParallelLoopDimMappingAttr> dimensions;
    for (unsigned index = 0; index < count; ++index)
      dimensions.push_back(gpu::ParallelLoopDimMappingAttr::get(
          loop.getContext(),
          gpu::Processor(unsigned(first) + count - 1 - index), same, same));
    (void)gpu::setMappingAttr(loop, dimensions);
  }
}

void lowerVectors(FunctionOpInterface function) {
  MLIRContext *context = function->getContext();
  auto apply = [&](llvm::function_ref<void(RewritePatternSet &)> populate) {
    RewritePatternSet patterns(context);
    populate(patterns);
    (void)applyPatternsGreedily(function, std::move(patterns));
  };
  apply([](RewritePatternSet &patterns) {
    vector::populateCastAwayVectorLeadingOneDimPatterns(patterns);
    vector::populateVectorTransferPermutationMapLoweringPatterns(patterns);
  });
  apply([](RewritePatternSet &patterns) {
    vector::populateVectorContractLoweringPatterns(
        patterns, vector::VectorContractLowering::OuterProduct);
    vector::populateVectorOuterProductLoweringPatterns(patterns);
    vector::populateVectorMultiReductionLoweringPatterns(
        patterns, vector::VectorMultiReductionLowering::InnerParallel);
    vector::populateVectorTransposeLoweringPatterns(
        patterns, vector::VectorTransposeLowering::EltWise);
  });
  apply([](RewritePatternSet &patterns) {
    VectorTransferToSCFOptions rows;
    rows.enableFullUnroll();
    populateVectorToSCFConversionPatterns(patterns, rows);
    vector::populateVectorTransferLoweringPatterns(patterns,
                                                   /*maxTransferRank=*/1);
  });
}

} // namespace swizzle::schedule
