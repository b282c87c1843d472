//===- InterpretVectors.cpp - Runs one thread of a kernel: vectors --------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Partial vector accesses, matrix fragments, vendors' accesses and linalg. A
// subgroup's access is executed by its first thread.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace swizzle::test {

/// Calls `visit` with all points of the box `shape`, in order.
static void forEach(ArrayRef<int64_t> shape,
                    llvm::function_ref<void(ArrayRef<int64_t>)> visit) {
  std::vector<int64_t> point(shape.size(), 0);
  for (int64_t extent : shape)
    if (extent <= 0)
      return;
  while (true) {
    visit(point);
    size_t dim = shape.size();
    while (dim > 0 && ++point[dim - 1] == shape[dim - 1])
      point[--dim] = 0;
    if (dim == 0)
      return;
  }
}

bool Interpreter::runReduction(vector::ReductionOp reduction) {
  const std::vector<int64_t> &lanes = data[reduction.getVector()].lanes;
  if (lanes.empty() || reduction.getAcc())
    return false;
  int64_t all = lanes[0];
  for (int64_t lane : llvm::drop_begin(lanes))
    switch (reduction.getKind()) {
    case vector::CombiningKind::ADD:
      all += lane;
      break;
    case vector::CombiningKind::MUL:
      all *= lane;
      break;
    case vector::CombiningKind::MINSI:
      all = std::min(all, lane);
      break;
    case vector::CombiningKind::MAXUI:
      all = std::max<uint64_t>(all, lane);
      break;
    default:
      return false;
    }
  set(reduction.getResult(), all);
  return true;
}

bool Interpreter::runVector(Operation *op) {
  if (op->getNumResults() != 1)
    return false;
  Value result = op->getResult(0);
  auto type = dyn_cast<VectorType>(result.getType());
  if (auto extract = dyn_cast<vector::ExtractOp>(op)) {
    auto positions = extract.getMixedPosition();
    set(result, 0);
    if (positions.size() == 1 && !data[extract.getSource()].lanes.empty())
      set(result, data[extract.getSource()].lanes[number(positions[0])]);
    return true;
  }
  if (auto reduction = dyn_cast<vector::ReductionOp>(op))
    return runReduction(reduction);
  if (!type || !type.getElementType().isIntOrIndex())
    return false;
  Datum datum;
  auto shape = type.getShape();
  if (auto mask = dyn_cast<vector::CreateMaskOp>(op)) {
    std::vector<int64_t> extents = numbers(mask.getOperands());
    forEach(shape, [&](ArrayRef<int64_t> point) {
      bool on = true;
      for (size_t i = 0; i < point.size(); ++i)
        on &= point[i] < extents[i];
      datum.lanes.push_back(on);
    });
  } else if (auto mask = dyn_cast<vector::ConstantMaskOp>(op)) {
    forEach(shape, [&](ArrayRef<int64_t> point) {
      bool on = true;
      for (size_t i = 0; i < point.size(); ++i)
        on &= point[i] < mask.getMaskDimSizes()[i];
      datum.lanes.push_back(on);
    });
  } else if (isa<vector::StepOp>(op)) {
    for (int64_t i = 0; i < shape[0]; ++i)
      datum.lanes.push_back(i);
  } else if (auto broadcast = dyn_cast<vector::BroadcastOp>(op)) {
    datum.lanes.assign(type.getNumElements(), number(broadcast.getSource()));
  } else if (isa<arith::ConstantOp>(op)) {
    DenseIntElementsAttr dense;
    if (!matchPattern(result, m_Constant(&dense)))
      return false;
    for (const APInt &lane : dense.getValues<APInt>())
      datum.lanes.push_back(lane.getBitWidth() == 1 ? lane.getZExtValue()
                                                    : lane.getSExtValue());
  } else if (isa<arith::AddIOp, arith::MulIOp>(op)) {
    const auto &a = data[op->getOperand(0)].lanes;
    const auto &b = data[op->getOperand(1)].lanes;
    for (size_t i = 0; i < a.size(); ++i)
      datum.lanes.push_back(isa<arith::AddIOp>(op) ? a[i] + b[i] : a[i] * b[i]);
  } else if (isa<vector::FromElementsOp>(op)) {
    datum.lanes = numbers(op->getOperands());
  } else if (auto cast = dyn_cast<vector::BitCastOp>(op)) {
    // The bits of all lanes, the lowest first.
    unsigned from = cast.getSourceVectorType().getElementTypeBitWidth();
    unsigned to = type.getElementTypeBitWidth();
    const std::vector<int64_t> &lanes = data[cast.getSource()].lanes;
    APInt bits(from * lanes.size(), 0);
    for (auto [i, lane] : llvm::enumerate(lanes))
      bits.insertBits(APInt(from, lane, /*isSigned=*/true, true), i * from);
    for (unsigned at = 0; at < bits.getBitWidth(); at += to)
      datum.lanes.push_back(to == 1 ? bits[at]
                                    : bits.extractBits(to, at).getSExtValue());
  } else {
    return false;
  }
  data[result] = datum;
  return true;
}

bool Interpreter::runTransfer(Operation *op) {
  if (auto transfer = dyn_cast<VectorTransferOpInterface>(op)) {
    Datum memref = data[transfer.getBase()];
    std::vector<int64_t> start = numbers(transfer.getIndices());
    AffineMap map = transfer.getPermutationMap();
    Value mask = transfer.getMask() ? transfer.getMask() : activeMask;
    size_t lane = 0;
    std::vector<std::vector<int64_t>> seen;
    forEach(transfer.getVectorType().getShape(), [&](ArrayRef<int64_t> point) {
      std::vector<int64_t> at = start;
      bool inside = !mask || data[mask].lanes[lane];
      ++lane;
      for (unsigned i = 0; i < map.getNumResults(); ++i) {
        auto dim = dyn_cast<AffineDimExpr>(map.getResult(i));
        if (!dim) {
          inside &= point[i] == 0; // a broadcast reads one element
          continue;
        }
        at[dim.getPosition()] += point[i];
        inside &= transfer.isDimInBounds(i) ||
                  at[dim.getPosition()] < memref.sizes[dim.getPosition()];
      }
      if (inside)
        touch(memref, at,
              isa<vector::TransferReadOp>(op) ? AccessKind::Read
                                              : AccessKind::Write);
    });
    for (Value result : op->getResults())
      set(result, 0);
    return true;
  }
  if (auto masked = dyn_cast<vector::MaskOp>(op)) {
    activeMask = masked.getMask();
    runBlock(masked.getMaskRegion().front());
    activeMask = Value();
    for (Value result : op->getResults())
      set(result, 0);
    return true;
  }
  auto lanes = [&](Value base, ValueRange indices, Value mask,
                   const std::vector<int64_t> &steps, AccessKind kind) {
    for (size_t lane = 0; lane < steps.size(); ++lane) {
      std::vector<int64_t> at = numbers(indices);
      at.back() += steps[lane];
      if (data[mask].lanes[lane])
        touch(data[base], at, kind);
    }
    for (Value result : op->getResults())
      set(result, 0);
    return true;
  };
  auto counted = [](int64_t count) {
    std::vector<int64_t> steps;
    for (int64_t i = 0; i < count; ++i)
      steps.push_back(i);
    return steps;
  };
  if (auto load = dyn_cast<vector::MaskedLoadOp>(op))
    return lanes(load.getBase(), load.getIndices(), load.getMask(),
                 counted(load.getVectorType().getNumElements()),
                 AccessKind::Read);
  if (auto store = dyn_cast<vector::MaskedStoreOp>(op))
    return lanes(store.getBase(), store.getIndices(), store.getMask(),
                 counted(store.getVectorType().getNumElements()),
                 AccessKind::Write);
  if (auto gather = dyn_cast<vector::GatherOp>(op))
    return lanes(gather.getBase(), gather.getOffsets(), gather.getMask(),
                 data[gather.getIndices()].lanes, AccessKind::Read);
  if (auto scatter = dyn_cast<vector::ScatterOp>(op))
    return lanes(scatter.getBase(), scatter.getOffsets(), scatter.getMask(),
                 data[scatter.getIndices()].lanes, AccessKind::Write);
  return false;
}

bool Interpreter::runMatrix(Operation *op) {
  auto fragment = [&](Value base, ValueRange indices, Type type, int64_t lead,
                      bool transposed, AccessKind kind) {
    Datum memref = data[base];
    if (memref.buffer < 0 || linearThread() % 32 != 0)
      return true;
    auto shape = cast<gpu::MMAMatrixType>(type).getShape();
    std::vector<int64_t> at = numbers(indices);
    int64_t element = memref.offset;
    for (size_t i = 0; i < at.size(); ++i)
      element += at[i] * memref.strides[i];
    for (int64_t i = 0; i < shape[transposed ? 1 : 0]; ++i)
      for (int64_t j = 0; j < shape[transposed ? 0 : 1]; ++j)
        touches.push_back({memref.buffer,
                           (element + i * lead + j) * memref.elementBytes,
                           kind});
    return true;
  };
  if (auto load = dyn_cast<gpu::SubgroupMmaLoadMatrixOp>(op))
    return fragment(load.getSrcMemref(), load.getIndices(),
                    load.getRes().getType(),
                    load.getLeadDimension().getSExtValue(),
                    load.getTranspose().value_or(false), AccessKind::Read);
  if (auto store = dyn_cast<gpu::SubgroupMmaStoreMatrixOp>(op))
    return fragment(store.getDstMemref(), store.getIndices(),
                    store.getSrc().getType(),
                    store.getLeadDimension().getSExtValue(),
                    store.getTranspose().value_or(false), AccessKind::Write);
  if (isa<gpu::SubgroupMmaComputeOp, nvgpu::DeviceAsyncCreateGroupOp,
          nvgpu::DeviceAsyncWaitOp>(op))
    return true;
  if (auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(op)) {
    int64_t count = copy.getDstElements().getSExtValue();
    if (copy.getSrcElements())
      count = std::min(count, number(copy.getSrcElements()));
    std::vector<int64_t> at = numbers(copy.getSrcIndices());
    for (int64_t i = 0; i < count; ++i, ++at.back())
      touch(data[copy.getSrc()], at, AccessKind::Read);
    return true;
  }
  if (auto gather = dyn_cast<amdgpu::GatherToLDSOp>(op)) {
    int64_t count = 1;
    if (auto vector = dyn_cast<VectorType>(gather.getTransferType()))
      count = vector.getNumElements();
    std::vector<int64_t> at = numbers(gather.getSrcIndices());
    for (int64_t i = 0; i < count; ++i, ++at.back())
      touch(data[gather.getSrc()], at, AccessKind::Read);
    return true;
  }
  auto buffer = [&](Value base, ValueRange indices, int64_t extra, Type type,
                    AccessKind kind) {
    Datum memref = data[base];
    int64_t element = extra, end = 0;
    std::vector<int64_t> at = numbers(indices);
    for (size_t i = 0; i < at.size(); ++i) {
      element += at[i] * memref.strides[i];
      end = std::max(end, memref.sizes[i] * memref.strides[i]);
    }
    auto vector = dyn_cast<VectorType>(type);
    if (element >= 0 && element < end)
      for (int64_t i = 0; i < (vector ? vector.getNumElements() : 1); ++i)
        touches.push_back({memref.buffer,
                           (memref.offset + element + i) * memref.elementBytes,
                           kind});
    for (Value result : op->getResults())
      set(result, 0);
    return true;
  };
  auto extra = [&](auto access) {
    return int64_t(access.getIndexOffset().value_or(0)) +
           (access.getSgprOffset() ? number(access.getSgprOffset()) : 0);
  };
  if (auto load = dyn_cast<amdgpu::RawBufferLoadOp>(op))
    return buffer(load.getMemref(), load.getIndices(), extra(load),
                  load.getType(), AccessKind::Read);
  if (auto store = dyn_cast<amdgpu::RawBufferStoreOp>(op))
    return buffer(store.getMemref(), store.getIndices(), extra(store),
                  store.getValue().getType(), AccessKind::Write);
  if (auto atomic = dyn_cast<amdgpu::RawBufferAtomicFaddOp>(op))
    return buffer(atomic.getMemref(), atomic.getIndices(), extra(atomic),
                  atomic.getValue().getType(), AccessKind::Atomic);
  if (auto generic = dyn_cast<linalg::LinalgOp>(op)) {
    // The extents of all loops, from the operands' shapes.
    std::vector<int64_t> shapes;
    for (Value operand : op->getOperands())
      if (isa<MemRefType>(operand.getType()))
        llvm::append_range(
            shapes, data[operand].sizes.empty()
                        ? cast<MemRefType>(operand.getType()).getShape().vec()
                        : data[operand].sizes);
    std::vector<int64_t> domain;
    for (AffineExpr expr : generic.getShapesToLoopsMap().getResults())
      domain.push_back(shapes[cast<AffineDimExpr>(expr).getPosition()]);
    forEach(domain, [&](ArrayRef<int64_t> point) {
      auto visit = [&](OpOperand &operand, AccessKind kind) {
        if (!isa<MemRefType>(operand.get().getType()))
          return;
        SmallVector<Attribute> in;
        Builder builder(op->getContext());
        for (int64_t i : point)
          in.push_back(builder.getIndexAttr(i));
        SmallVector<Attribute> folded;
        (void)generic.getMatchingIndexingMap(&operand).constantFold(in, folded);
        std::vector<int64_t> at;
        for (Attribute index : folded)
          at.push_back(cast<IntegerAttr>(index).getInt());
        touch(data[operand.get()], at, kind);
      };
      for (OpOperand *input : generic.getDpsInputOperands())
        if (generic.payloadUsesValueFromOperand(input))
          visit(*input, AccessKind::Read);
      for (OpOperand &output : generic.getDpsInitsMutable())
        if (generic.payloadUsesValueFromOperand(&output))
          visit(output, AccessKind::Read);
      for (OpOperand &output : generic.getDpsInitsMutable())
        visit(output, AccessKind::Write);
    });
    return true;
  }
  return false;
}

} // namespace swizzle::test
