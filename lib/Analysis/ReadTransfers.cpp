//===- ReadTransfers.cpp - Partial vector accesses ------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vector accesses that touch only a part of their vector: transfers over the
// end of a memref, masks, gathers and scatters. A block that may be cut short
// is modelled as two cases: whole where it fits, element by element up to the
// cut where it does not.
//
//===----------------------------------------------------------------------===//

#include "KernelReader.h"

#include "mlir/Interfaces/VectorInterfaces.h"

using namespace mlir;

namespace swizzle {

void KernelReader::accessClipped(Operation *op, const MemoryView &view,
                                 CasesRef offset, ArrayRef<BlockDim> dims,
                                 AccessKind kind, const Footprint &element) {
  if (view.space != MemorySpace::Global)
    return;
  if (!blocked.empty() || !offset)
    return access(op, view, offset, kind, element);
  auto whole = [&] {
    Footprint footprint = element;
    for (const BlockDim &dim : llvm::reverse(dims)) {
      if (dim.count == 1)
        continue;
      if (footprint.box.empty() && dim.stride == footprint.bytes)
        footprint.bytes *= dim.count;
      else
        footprint.box.insert(footprint.box.begin(), {dim.count, dim.stride});
    }
    access(op, view, offset, kind, footprint);
    return AbstractValues();
  };
  CasesRef fits = scalars_.constant(1), zero = scalars_.constant(0);
  for (const BlockDim &dim : dims)
    if (dim.limit)
      fits = scalars_.select(fits,
                             scalars_.compare(Comparison::LessEqual,
                                              scalars_.constant(dim.count),
                                              dim.limit),
                             zero);
  if (!fits)
    return notModelled(op, &view, kind, scalars_.reason);
  std::function<void(size_t, CasesRef)> nest = [&](size_t depth,
                                                   CasesRef address) {
    if (depth == dims.size())
      return access(op, view, address, kind, element);
    const BlockDim &dim = dims[depth];
    auto run = [&](const std::vector<AffineForm> &trips) {
      emitLoop(trips, [&](const CasesRef &counter) {
        nest(depth + 1,
             scalars_.add(address, scalars_.scale(counter, dim.stride)));
      });
      return AbstractValues();
    };
    CasesRef count = scalars_.constant(dim.count);
    if (dim.limit)
      count = scalars_.minimum(count, dim.limit);
    if (!count)
      return notModelled(op, &view, kind, scalars_.reason);
    if (auto trips = scalars_.asMinimum(count)) {
      run(*trips);
      return;
    }
    forEachCase(count, [&](const AffineForm &trip) { return run({trip}); });
  };
  guarded(fits, whole, [&] {
    nest(0, offset);
    return AbstractValues();
  });
}

void KernelReader::accessTransfer(Operation *op, AccessKind kind) {
  auto transfer = cast<VectorTransferOpInterface>(op);
  auto view = memory(transfer.getBase());
  if (!view)
    return notModelled(op, nullptr, kind, reason);
  if (view->space != MemorySpace::Global)
    return;
  SmallVector<CasesRef> indices = scalars(transfer.getIndices());
  CasesRef offset = elementOffset(*view, indices);
  if (!offset)
    return notModelled(op, view.get(), kind, scalars_.reason);
  VectorType type = transfer.getVectorType();
  AffineMap map = transfer.getPermutationMap();
  AbstractValue mask;
  if (Value value = transfer.getMask())
    mask = get(value);
  else if (activeMask)
    mask = *activeMask;
  bool masked = transfer.getMask() || activeMask;
  if (masked && (mask.prefix.empty() || !map.isMinorIdentity()))
    return notModelled(op, view.get(), kind, "a mask that is no prefix");
  SmallVector<BlockDim> dims;
  for (unsigned i = 0; i < map.getNumResults(); ++i) {
    auto position = dyn_cast<AffineDimExpr>(map.getResult(i));
    if (!position)
      continue; // a broadcast reads one element
    unsigned dim = position.getPosition();
    std::optional<int64_t> stride = scalars_.constantOf(view->strides[dim]);
    if (!stride)
      return notModelled(op, view.get(), kind,
                         "the stride of a vector is not constant");
    BlockDim block;
    block.count = type.getDimSize(i);
    block.stride = *stride * view->elementBytes;
    if (!transfer.isDimInBounds(i)) {
      if (scalars_.range(indices[dim]).low < 0)
        return notModelled(op, view.get(), kind,
                           "a transfer that may start before its memref");
      block.limit = scalars_.subtract(view->sizes[dim], indices[dim]);
      if (!block.limit)
        return notModelled(op, view.get(), kind,
                           "the size of a memref is not known");
    }
    if (masked) {
      const CasesRef &extent = mask.prefix[i];
      block.limit =
          block.limit ? scalars_.minimum(block.limit, extent) : extent;
    }
    if (block.limit && scalars_.range(block.limit).low >= block.count)
      block.limit = nullptr;
    dims.push_back(block);
  }
  Footprint element;
  element.bytes = view->elementBytes;
  accessClipped(op, *view, offset, dims, kind, element);
}

void KernelReader::accessMasked(Operation *op, Value base, ValueRange indices,
                                Value maskValue, int64_t lanes,
                                AccessKind kind) {
  auto view = memory(base);
  if (!view)
    return notModelled(op, nullptr, kind, reason);
  if (view->space != MemorySpace::Global)
    return;
  AbstractValue mask = get(maskValue);
  CasesRef offset = elementOffset(*view, scalars(indices));
  if (!offset)
    return notModelled(op, view.get(), kind, scalars_.reason);
  Footprint element;
  element.bytes = view->elementBytes;
  if (mask.prefix.size() == 1) {
    BlockDim dim;
    dim.count = lanes;
    dim.stride = view->elementBytes;
    dim.limit = mask.prefix[0];
    return accessClipped(op, *view, offset, dim, kind, element);
  }
  std::vector<CasesRef> offsets;
  for (int64_t lane = 0; lane < lanes; ++lane)
    offsets.push_back(
        scalars_.add(offset, scalars_.constant(lane * view->elementBytes)));
  accessLanes(op, *view, offsets, mask, kind);
}

void KernelReader::accessLanes(Operation *op, const MemoryView &view,
                               ArrayRef<CasesRef> offsets,
                               const AbstractValue &mask, AccessKind kind) {
  if (!mask.prefix.empty() && mask.prefix.size() != 1)
    return notModelled(op, &view, kind, "a mask of several dimensions");
  if (mask.prefix.empty() && mask.lanes.size() != offsets.size())
    return notModelled(op, &view, kind, "a mask that is not affine");
  SmallVector<CasesRef> active;
  for (size_t lane = 0; lane < offsets.size(); ++lane) {
    active.push_back(mask.prefix.empty()
                         ? mask.lanes[lane]
                         : scalars_.compare(Comparison::Less,
                                            scalars_.constant(lane),
                                            mask.prefix[0]));
    if (!active.back() || !offsets[lane])
      return notModelled(op, &view, kind, scalars_.reason);
  }
  for (size_t lane = 0; lane < offsets.size();) {
    std::optional<int64_t> on = scalars_.constantOf(active[lane]);
    Footprint footprint;
    footprint.bytes = view.elementBytes;
    if (on == 0) {
      ++lane;
      continue;
    }
    // A run of active lanes at equal distances is one access.
    size_t end = lane + 1;
    std::optional<int64_t> stride;
    while (on == 1 && end < offsets.size() &&
           scalars_.constantOf(active[end]) == 1) {
      CasesRef step = scalars_.subtract(offsets[end], offsets[end - 1]);
      std::optional<int64_t> bytes =
          step ? scalars_.constantOf(step) : std::nullopt;
      if (!bytes || (stride && *stride != *bytes))
        break;
      stride = bytes;
      ++end;
    }
    if (end - lane > 1) {
      if (*stride == footprint.bytes)
        footprint.bytes *= end - lane;
      else
        footprint.box.push_back({int64_t(end - lane), *stride});
    }
    guarded(
        active[lane],
        [&] {
          access(op, view, offsets[lane], kind, footprint);
          return AbstractValues();
        },
        [] { return AbstractValues(); });
    lane = end;
  }
}

void KernelReader::accessGather(Operation *op, Value base, ValueRange indices,
                                Value lanes, Value mask, AccessKind kind) {
  auto view = memory(base);
  if (!view)
    return notModelled(op, nullptr, kind, reason);
  if (view->space != MemorySpace::Global)
    return;
  AbstractValue steps = get(lanes);
  if (steps.lanes.empty())
    return notModelled(op, view.get(), kind,
                       steps.reason.empty() ? "indices that are not affine"
                                            : steps.reason);
  CasesRef offset = elementOffset(*view, scalars(indices));
  std::vector<CasesRef> offsets;
  for (const CasesRef &step : steps.lanes) {
    CasesRef scaled = scalars_.multiply(
        step, scalars_.scale(view->strides.back(), view->elementBytes));
    offsets.push_back(scalars_.add(offset, scaled));
    if (!offsets.back())
      return notModelled(op, view.get(), kind, scalars_.reason);
  }
  accessLanes(op, *view, offsets, get(mask), kind);
}

bool KernelReader::readTransfer(Operation *op) {
  if (isa<vector::TransferReadOp, vector::TransferWriteOp>(op)) {
    bool read = isa<vector::TransferReadOp>(op);
    accessTransfer(op, read ? AccessKind::Read : AccessKind::Write);
    setUnknown(op, kLoaded);
    return true;
  }
  if (auto load = dyn_cast<vector::MaskedLoadOp>(op)) {
    accessMasked(op, load.getBase(), load.getIndices(), load.getMask(),
                 load.getVectorType().getNumElements(), AccessKind::Read);
    setUnknown(op, kLoaded);
    return true;
  }
  if (auto store = dyn_cast<vector::MaskedStoreOp>(op)) {
    accessMasked(op, store.getBase(), store.getIndices(), store.getMask(),
                 store.getVectorType().getNumElements(), AccessKind::Write);
    return true;
  }
  if (auto gather = dyn_cast<vector::GatherOp>(op)) {
    accessGather(op, gather.getBase(), gather.getOffsets(), gather.getIndices(),
                 gather.getMask(), AccessKind::Read);
    setUnknown(op, kLoaded);
    return true;
  }
  if (auto scatter = dyn_cast<vector::ScatterOp>(op)) {
    accessGather(op, scatter.getBase(), scatter.getOffsets(),
                 scatter.getIndices(), scatter.getMask(), AccessKind::Write);
    return true;
  }
  if (auto masked = dyn_cast<vector::MaskOp>(op)) {
    std::optional<AbstractValue> outer = activeMask;
    activeMask = get(masked.getMask());
    Block &body = masked.getMaskRegion().front();
    readBody(body);
    activeMask = outer;
    for (auto [result, value] :
         llvm::zip(op->getResults(), yielded(body.getTerminator())))
      set(result, value);
    return true;
  }
  return false;
}

} // namespace swizzle
