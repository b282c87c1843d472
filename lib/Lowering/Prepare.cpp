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
//   vector.load of rows         vector.transfer_read, and then one load a row
//   memref.atomic_rmw muli      memref.generic_atomic_rmw, and then a loop
//
//===----------------------------------------------------------------------===//

#include "Steps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorDistribution.h"
#include "mlir/IR/Builders.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

/// Copies become loops, as of linalg.
static void copyByLoops(memref::CopyOp copy) {
  if (!isa<MemRefType>(copy.getSource().getType()) ||
      !isa<MemRefType>(copy.getTarget().getType()))
    return;
  OpBuilder builder(copy);
  linalg::makeMemRefCopyOp(builder, copy.getLoc(), copy.getSource(),
                           copy.getTarget());
  copy.erase();
}

/// Loads and stores of several rows become transfers, which are unrolled.
template <typename Access> static void transferRows(Access access) {
  VectorType type = access.getVectorType();
  if (type.getRank() < 2 ||
      isa<VectorType>(access.getMemRefType().getElementType()))
    return;
  OpBuilder builder(access);
  Location location = access.getLoc();
  SmallVector<bool> inBounds(type.getRank(), true);
  if constexpr (std::is_same_v<Access, vector::LoadOp>) {
    Value padding = arith::ConstantOp::create(
        builder, location, builder.getZeroAttr(type.getElementType()));
    access.replaceAllUsesWith(Value(vector::TransferReadOp::create(
        builder, location, type, access.getBase(), access.getIndices(), padding,
        ArrayRef<bool>(inBounds))));
  } else {
    vector::TransferWriteOp::create(builder, location, access.getValueToStore(),
                                    access.getBase(), access.getIndices(),
                                    ArrayRef<bool>(inBounds));
  }
  access.erase();
}

/// Updates that no atomic instruction does become a read-modify-write with a
/// body, which upstream lowers to a loop around a compare-and-exchange.
static void loopForProduct(memref::AtomicRMWOp update) {
  if (update.getKind() != arith::AtomicRMWKind::muli)
    return;
  OpBuilder builder(update);
  Location location = update.getLoc();
  auto loop = memref::GenericAtomicRMWOp::create(
      builder, location, update.getMemref(), update.getIndices());
  builder.setInsertionPointToStart(loop.getBody());
  Value product = arith::MulIOp::create(
      builder, location, loop.getCurrentValue(), update.getValue());
  memref::AtomicYieldOp::create(builder, location, product);
  update.getResult().replaceAllUsesWith(loop.getResult());
  update.erase();
}

/// The update by one operation that `op` stands for, if atomic_rmw has it and
/// there is an instruction for it.
static std::optional<arith::AtomicRMWKind> kindOf(Operation *op) {
  using Kind = arith::AtomicRMWKind;
  StringRef name = op->getName().getStringRef();
  if (!name.consume_front("arith.") || name == "xori")
    return std::nullopt;
  std::optional<Kind> kind = arith::symbolizeAtomicRMWKind(name);
  if (!kind && name.consume_back("i")) // "maxsi" is "maxs" there
    kind = arith::symbolizeAtomicRMWKind(name);
  return kind == Kind::muli || kind == Kind::mulf ? std::nullopt : kind;
}

/// The other way round, where there is one: of floating-point numbers, upstream
/// makes no loop.
static void updateForLoop(memref::GenericAtomicRMWOp loop) {
  Block &body = loop.getRegion().front();
  Operation *combine = body.getTerminator()->getOperand(0).getDefiningOp();
  Value old = body.getArgument(0);
  if (!combine || combine->getBlock() != &body || !old.hasOneUse() ||
      combine->getNumOperands() != 2 || !combine->hasOneUse() ||
      body.getOperations().size() != 2)
    return;
  std::optional<arith::AtomicRMWKind> kind = kindOf(combine);
  bool first = combine->getOperand(0) == old;
  if (!kind || (!first && combine->getOperand(1) != old))
    return;
  OpBuilder builder(loop);
  Value update = memref::AtomicRMWOp::create(
      builder, loop.getLoc(), *kind, combine->getOperand(first ? 1 : 0),
      loop.getMemref(), loop.getIndices());
  loop.getResult().replaceAllUsesWith(update);
  loop.erase();
}

LogicalResult swizzle::prepare(gpu::GPUModuleOp gpuModule) {
  SmallVector<Operation *> all;
  gpuModule.walk([&](Operation *op) { all.push_back(op); });
  bool masked = false, reduced = false;
  for (Operation *op : all)
    llvm::TypeSwitch<Operation *>(op)
        .Case(copyByLoops)
        .Case(loopForProduct)
        .Case(updateForLoop)
        .Case([](vector::LoadOp load) { transferRows(load); })
        .Case([](vector::StoreOp store) { transferRows(store); })
        .Case([&](vector::MaskOp) { masked = true; })
        .Case([&](vector::MultiDimReductionOp) { reduced = true; });
  if (!masked && !reduced)
    return success();
  RewritePatternSet patterns(gpuModule.getContext());
  if (masked)
    vector::populateVectorMaskLoweringPatternsForSideEffectingOps(patterns);
  if (reduced)
    vector::populateVectorMultiReductionLoweringPatterns(
        patterns, vector::VectorMultiReductionLowering::InnerParallel);
  return applyPatternsGreedily(gpuModule, std::move(patterns));
}

/// Lanes exchange 32 bits, of which narrower values take a part.
static void widenShuffle(gpu::ShuffleOp shuffle) {
  Type type = shuffle.getType(0);
  if (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() >= 32)
    return;
  OpBuilder builder(shuffle);
  Location location = shuffle.getLoc();
  Type bits = builder.getIntegerType(type.getIntOrFloatBitWidth());
  Value value = shuffle.getValue();
  if (type != bits)
    value = arith::BitcastOp::create(builder, location, bits, value);
  value =
      arith::ExtUIOp::create(builder, location, builder.getI32Type(), value);
  auto wide =
      gpu::ShuffleOp::create(builder, location, value, shuffle.getOffset(),
                             shuffle.getWidth(), shuffle.getMode());
  value =
      arith::TruncIOp::create(builder, location, bits, wide.getShuffleResult());
  if (type != bits)
    value = arith::BitcastOp::create(builder, location, type, value);
  shuffle.getShuffleResult().replaceAllUsesWith(value);
  shuffle.getValid().replaceAllUsesWith(wide.getValid());
  shuffle.erase();
}

/// A lane takes the value of the one that is `offset` ahead, around the end of
/// each `width` lanes: an exchange by index, which both vendors have.
///
///   rotate %v, 1, 4    lanes 0 1 2 3 4 5 6 7 take those of 1 2 3 0 5 6 7 4
static void exchangeForRotation(gpu::RotateOp rotation, int64_t waveSize) {
  if (!rotation.getValue().getType().isIntOrFloat())
    return; // is refused by its name
  OpBuilder builder(rotation);
  Location location = rotation.getLoc();
  Type i32 = builder.getI32Type();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, location,
                                     builder.getI32IntegerAttr(value));
  };
  int64_t width = rotation.getWidth();
  Value lane = arith::IndexCastOp::create(
      builder, location, i32,
      gpu::LaneIdOp::create(builder, location, /*upper_bound=*/nullptr));
  Value last = constant(width - 1);
  Value ahead = arith::AndIOp::create(
      builder, location,
      arith::AddIOp::create(builder, location, lane,
                            constant(rotation.getOffset())),
      last);
  Value first = arith::SubIOp::create(
      builder, location, lane,
      arith::AndIOp::create(builder, location, lane, last));
  // Without narrower groups of lanes, whose numbers vendors count differently.
  auto exchange = gpu::ShuffleOp::create(
      builder, location, rotation.getValue(),
      arith::AddIOp::create(builder, location, first, ahead),
      constant(waveSize), gpu::ShuffleMode::IDX);
  rotation.getRotateResult().replaceAllUsesWith(exchange.getShuffleResult());
  rotation.getValid().replaceAllUsesWith(arith::CmpIOp::create(
      builder, location, arith::CmpIPredicate::ult, lane, constant(width)));
  rotation.erase();
}

LogicalResult swizzle::lowerFirstLanes(gpu::GPUModuleOp gpuModule) {
  SmallVector<Operation *> alone;
  gpuModule.walk([&](gpu::WarpExecuteOnLane0Op op) {
    if (op->getNumResults() == 0 && op.getArgs().empty())
      alone.push_back(op);
  });
  if (alone.empty())
    return success();
  vector::WarpExecuteOnLane0LoweringOptions options;
  options.warpAllocationFn = [](Location, OpBuilder &,
                                gpu::WarpExecuteOnLane0Op,
                                Type) { return Value(); };
  options.warpSyncronizationFn = [](Location, OpBuilder &,
                                    gpu::WarpExecuteOnLane0Op) {};
  RewritePatternSet patterns(gpuModule.getContext());
  vector::populateWarpExecuteOnLane0OpToScfForPattern(patterns, options);
  return applyOpPatternsGreedily(alone, std::move(patterns));
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
  gpuModule.walk([&](gpu::RotateOp rotation) {
    exchangeForRotation(rotation, target.waveSize);
  });
  gpuModule.walk([](gpu::ShuffleOp shuffle) { widenShuffle(shuffle); });
  SmallVector<gpu::NumSubgroupsOp> counts;
  gpuModule.walk([&](gpu::NumSubgroupsOp count) { counts.push_back(count); });
  for (gpu::NumSubgroupsOp count : counts) {
    // Threads of the block, in whole subgroups.
    OpBuilder builder(count);
    Location location = count.getLoc();
    Value threads;
    for (auto axis :
         {gpu::Dimension::x, gpu::Dimension::y, gpu::Dimension::z}) {
      Value extent = gpu::BlockDimOp::create(builder, location, axis);
      threads = threads
                    ? arith::MulIOp::create(builder, location, threads, extent)
                    : extent;
    }
    Value size =
        arith::ConstantIndexOp::create(builder, location, target.waveSize);
    Value most =
        arith::ConstantIndexOp::create(builder, location, target.waveSize - 1);
    threads = arith::AddIOp::create(builder, location, threads, most);
    count->getResult(0).replaceAllUsesWith(
        arith::DivUIOp::create(builder, location, threads, size));
    count.erase();
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
