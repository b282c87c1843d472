//===- TileOps.cpp - Tiles, fuses and vectorises --------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations are taken from the last to the first, so that each takes the
// producers along that nobody else needs and that no tile would compute twice.
//
//===----------------------------------------------------------------------===//

#include "TileOps.h"
#include "Tiles.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace swizzle::schedule {

/// Results that are too few to fill a GPU, and the parts that a reduction is
/// then split into.
static constexpr int64_t kFewResults = 1 << 16, kParts = 64;

void splitReductions(FunctionOpInterface function) {
  SmallVector<linalg::LinalgOp> reductions;
  function->walk([&](linalg::LinalgOp op) {
    if (op.hasPureTensorSemantics() && op.getNumReductionLoops() == 1 &&
        !reusesOperands(op))
      reductions.push_back(op);
  });
  for (linalg::LinalgOp op : reductions) {
    SmallVector<int64_t> extents = op.getStaticLoopRanges();
    SmallVector<unsigned> dims, parallel;
    op.getReductionDims(dims);
    op.getParallelDims(parallel);
    int64_t results = 1;
    for (unsigned loop : parallel)
      results = extents[loop] < 0 ? kFewResults : results * extents[loop];
    int64_t extent = extents[dims.front()];
    if (results >= kFewResults || extent < 0 || extent % kParts ||
        extent < 4 * kParts)
      continue;
    IRRewriter rewriter(op->getContext());
    rewriter.setInsertionPoint(op);
    auto control = [&](linalg::LinalgOp) {
      // The parts lie side by side, last in the partial result, so that threads
      // read neighbours.
      return linalg::SplitReductionOptions{kParts, unsigned(parallel.size()),
                                           /*innerParallel=*/true};
    };
    (void)linalg::splitReduction(rewriter, op, control);
  }
}

/// Whether a tile of `consumer` computes just the tile of the operand's
/// producer that no other tile needs.
static bool isReadOnce(linalg::LinalgOp consumer, OpOperand &operand) {
  AffineMap map = consumer.getMatchingIndexingMap(&operand);
  SmallVector<unsigned> parallel;
  consumer.getParallelDims(parallel);
  return map.isProjectedPermutation() &&
         llvm::all_of(parallel,
                      [&](unsigned loop) { return map.isFunctionOfDim(loop); });
}

/// The producers that `root` takes along.
static llvm::SmallPtrSet<Operation *, 8> findFusible(linalg::LinalgOp root) {
  llvm::SmallPtrSet<Operation *, 8> fusible;
  SmallVector<linalg::LinalgOp> work{root};
  while (!work.empty()) {
    linalg::LinalgOp consumer = work.pop_back_val();
    for (OpOperand &operand : consumer->getOpOperands()) {
      auto producer = operand.get().getDefiningOp<linalg::LinalgOp>();
      if (!producer || fusible.contains(producer))
        continue;
      bool isFill = isa<linalg::FillOp>(producer.getOperation());
      // What reduces is not computed inside another reduction's loop.
      bool nested = consumer.getNumReductionLoops() && !isFill &&
                    producer.getNumReductionLoops();
      if (isFill ||
          (producer->hasOneUse() && !nested && isReadOnce(consumer, operand))) {
        fusible.insert(producer);
        work.push_back(producer);
      }
    }
  }
  return fusible;
}

/// One mapping a tiled loop, the innermost first dimension. A mapped loop also
/// stays where it runs once only.
template <typename Mapping>
static SmallVector<Attribute> mapLoops(MLIRContext *context,
                                       ArrayRef<int64_t> sizes) {
  SmallVector<Attribute> mapping;
  int64_t loops = llvm::count_if(sizes, [](int64_t size) { return size != 0; });
  auto first = int64_t(gpu::MappingId::LinearDim0);
  for (int64_t loop = loops - 1; loop >= 0; --loop)
    mapping.push_back(Mapping::get(context, gpu::MappingId(first + loop)));
  return mapping;
}

/// Tiles `root` with an `scf.forall` and fuses the producers that `fuses`
/// picks. Returns the tile of `root`.
static FailureOr<linalg::LinalgOp>
tileAndFuse(RewriterBase &rewriter, linalg::LinalgOp root,
            ArrayRef<int64_t> sizes, ArrayRef<Attribute> mapping,
            llvm::function_ref<bool(Operation *)> fuses) {
  scf::SCFTileAndFuseOptions options;
  options.tilingOptions.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp)
      .setTileSizes(getAsIndexOpFoldResult(root->getContext(), sizes))
      .setMapping(mapping);
  options.setFusionControlFn(
      [&](tensor::ExtractSliceOp, OpResult producer,
          bool) -> std::optional<scf::SCFTileAndFuseOptions::ControlFnResult> {
        if (!fuses(producer.getOwner()))
          return std::nullopt;
        return scf::SCFTileAndFuseOptions::ControlFnResult{};
      });
  rewriter.setInsertionPoint(root);
  FailureOr<scf::SCFTileAndFuseResult> tiled =
      scf::tileConsumerAndFuseProducersUsingSCF(
          rewriter, cast<TilingInterface>(root.getOperation()), options);
  if (failed(tiled))
    return failure();
  auto tile = cast<linalg::LinalgOp>(tiled->tiledAndFusedOps.front());
  for (OpResult result : root->getResults())
    rewriter.replaceAllUsesWith(result, tiled->replacements.lookup(result));
  // Without results nothing says that the tiled operation has replaced it.
  rewriter.eraseOp(root);
  for (Operation *producer : llvm::reverse(tiled->fusedProducers))
    if (producer->use_empty())
      rewriter.eraseOp(producer);
  return tile;
}

/// Loops over the reductions of everything that a thread computes.
static LogicalResult tileReductions(RewriterBase &rewriter, Operation *forall,
                                    const ScheduleOptions &options) {
  SmallVector<linalg::LinalgOp> reductions;
  forall->walk([&](linalg::LinalgOp op) {
    if (op.getNumReductionLoops())
      reductions.push_back(op);
  });
  for (linalg::LinalgOp op : reductions) {
    Tiles tiles = chooseTiles(op, reusesOperands(op), options);
    rewriter.setInsertionPoint(op);
    auto tiled = scf::tileUsingSCF(
        rewriter, cast<TilingInterface>(op.getOperation()),
        scf::SCFTilingOptions().setTileSizes(
            getAsIndexOpFoldResult(op->getContext(), tiles.step)));
    if (failed(tiled))
      return op->emitError("could not be tiled for one thread");
    rewriter.replaceOp(op, tiled->replacements);
  }
  return success();
}

LogicalResult tileToThreads(FunctionOpInterface function,
                            const ScheduleOptions &options) {
  MLIRContext *context = function->getContext();
  IRRewriter rewriter(context);
  SmallVector<linalg::LinalgOp> ops;
  function->walk([&](linalg::LinalgOp op) {
    if (op.getNumParallelLoops())
      ops.push_back(op);
  });
  llvm::SmallPtrSet<Operation *, 16> gone;
  for (linalg::LinalgOp op : llvm::reverse(ops)) {
    if (gone.contains(op))
      continue;
    llvm::SmallPtrSet<Operation *, 8> fusible = findFusible(op);
    // A product keeps its tiles where another operation takes its result.
    bool reuse =
        reusesOperands(op) || llvm::any_of(fusible, [](Operation *producer) {
          return reusesOperands(cast<linalg::LinalgOp>(producer));
        });
    Tiles tiles = chooseTiles(op, reuse, options);
    Location location = op.getLoc();
    for (Operation *producer : fusible)
      if (llvm::all_of(producer->getUsers(), [&](Operation *user) {
            return user == op.getOperation() || fusible.contains(user);
          }))
        gone.insert(producer);
    gone.insert(op);
    auto blocks = mapLoops<gpu::GPUBlockMappingAttr>(context, tiles.workgroup);
    FailureOr<linalg::LinalgOp> tile = tileAndFuse(
        rewriter, op, tiles.workgroup, blocks,
        [&](Operation *producer) { return fusible.contains(producer); });
    if (failed(tile))
      return emitError(location, "could not be tiled for workgroups");
    auto workgroups = (*tile)->getParentOfType<scf::ForallOp>();
    auto threads = mapLoops<gpu::GPUThreadMappingAttr>(context, tiles.thread);
    FailureOr<linalg::LinalgOp> part = tileAndFuse(
        rewriter, *tile, tiles.thread, threads, [&](Operation *producer) {
          return isa<linalg::LinalgOp>(producer) &&
                 workgroups->isProperAncestor(producer);
        });
    if (failed(part))
      return emitError(location, "could not be tiled for threads");
    if (failed(tileReductions(
            rewriter, (*part)->getParentOfType<scf::ForallOp>(), options)))
      return failure();
  }
  return success();
}

/// A convolution at one point of its window is a product: without the loops
/// that run once, `op` may have a form that upstream vectorises.
static linalg::LinalgOp dropUnitLoops(RewriterBase &rewriter,
                                      linalg::LinalgOp op) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic)
    return op;
  linalg::ControlDropUnitDims control;
  control.rankReductionStrategy =
      linalg::ControlDropUnitDims::RankReductionStrategy::ExtractInsertSlice;
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::DropUnitDimsResult> dropped =
      linalg::dropUnitDims(rewriter, generic, control);
  if (failed(dropped))
    return op;
  rewriter.replaceOp(op, dropped->replacements);
  return cast<linalg::LinalgOp>(dropped->resultOp.getOperation());
}

void vectorizeTiles(FunctionOpInterface function) {
  IRRewriter rewriter(function->getContext());
  SmallVector<linalg::LinalgOp> ops;
  function->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  for (linalg::LinalgOp op : ops) {
    if (op.hasDynamicShape() || !op->getParentOfType<scf::ForallOp>())
      continue;
    if (failed(linalg::vectorizeOpPrecondition(op)))
      op = dropUnitLoops(rewriter, op);
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::VectorizationResult> vectors =
        linalg::vectorize(rewriter, op);
    if (succeeded(vectors))
      rewriter.replaceOp(op, vectors->replacements);
  }
  RewritePatternSet patterns(function->getContext());
  // A broadcast or a transposition before a product is fused into the product.
  vector::populateVectorTransferPermutationMapLoweringPatterns(patterns);
  vector::populateVectorReductionToContractPatterns(patterns);
  vector::populateSinkVectorOpsPatterns(patterns);
  vector::TransferReadOp::getCanonicalizationPatterns(patterns,
                                                      function->getContext());
  vector::TransferWriteOp::getCanonicalizationPatterns(patterns,
                                                       function->getContext());
  (void)applyPatternsGreedily(function, std::move(patterns));
}

} // namespace swizzle::schedule
