//===- ReadAccesses.cpp - Loads, stores and copies ------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accesses at an element of a memref: scalars, whole vectors, atomics, copies.
// Partial vector accesses (masks, tails, gathers) are in ReadTransfers.cpp.
//
//===----------------------------------------------------------------------===//

#include "KernelReader.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

using namespace mlir;

namespace swizzle {

std::optional<KernelReader::Footprint>
KernelReader::blockFootprint(const MemoryView &view, ArrayRef<int64_t> shape,
                             ArrayRef<unsigned> dims) {
  Footprint footprint;
  footprint.bytes = view.elementBytes;
  for (size_t i = shape.size(); i-- > 0;) {
    if (shape[i] == 1)
      continue;
    std::optional<int64_t> stride;
    if (dims[i] < view.strides.size())
      stride = scalars_.constantOf(view.strides[dims[i]]);
    if (!stride) {
      scalars_.fail("the stride of a vector is not constant");
      return std::nullopt;
    }
    int64_t bytes = *stride * view.elementBytes;
    if (footprint.box.empty() && bytes == footprint.bytes)
      footprint.bytes *= shape[i];
    else
      footprint.box.insert(footprint.box.begin(), {shape[i], bytes});
  }
  return footprint;
}

void KernelReader::accessAt(Operation *op, Value base,
                            ArrayRef<CasesRef> indices, Type valueType,
                            AccessKind kind) {
  auto view = memory(base);
  if (!view)
    return notModelled(op, nullptr, kind, reason);
  if (view->space != MemorySpace::Global)
    return;
  Footprint footprint;
  footprint.bytes = view->elementBytes;
  CasesRef offset = elementOffset(*view, indices);
  auto memref = cast<MemRefType>(base.getType());
  if (auto vector = dyn_cast<VectorType>(valueType);
      vector && offset && memref.getElementType() != valueType) {
    SmallVector<unsigned> dims;
    for (int64_t i = 0; i < vector.getRank(); ++i)
      dims.push_back(memref.getRank() - vector.getRank() + i);
    if (auto block = blockFootprint(*view, vector.getShape(), dims))
      footprint = *block;
    else
      offset = nullptr;
  }
  access(op, *view, offset, kind, footprint);
}

bool KernelReader::readAccess(Operation *op) {
  auto load = [&](Value base, ArrayRef<CasesRef> indices) {
    accessAt(op, base, indices, op->getResult(0).getType(), AccessKind::Read);
    setUnknown(op, kLoaded);
    return true;
  };
  auto store = [&](Value base, ArrayRef<CasesRef> indices, Value stored) {
    accessAt(op, base, indices, stored.getType(), AccessKind::Write);
    return true;
  };
  if (auto access = dyn_cast<memref::LoadOp>(op))
    return load(access.getMemref(), scalars(access.getIndices()));
  if (auto access = dyn_cast<memref::StoreOp>(op))
    return store(access.getMemref(), scalars(access.getIndices()),
                 access.getValue());
  if (auto access = dyn_cast<vector::LoadOp>(op))
    return load(access.getBase(), scalars(access.getIndices()));
  if (auto access = dyn_cast<vector::StoreOp>(op))
    return store(access.getBase(), scalars(access.getIndices()),
                 access.getValueToStore());
  if (auto access = dyn_cast<affine::AffineLoadOp>(op))
    return load(access.getMemRef(),
                evaluateMap(access.getAffineMap(), access.getMapOperands()));
  if (auto access = dyn_cast<affine::AffineStoreOp>(op))
    return store(access.getMemRef(),
                 evaluateMap(access.getAffineMap(), access.getMapOperands()),
                 access.getValue());
  if (auto access = dyn_cast<affine::AffineVectorLoadOp>(op))
    return load(access.getMemRef(),
                evaluateMap(access.getAffineMap(), access.getMapOperands()));
  if (auto access = dyn_cast<affine::AffineVectorStoreOp>(op))
    return store(access.getMemRef(),
                 evaluateMap(access.getAffineMap(), access.getMapOperands()),
                 access.getValue());
  if (isa<memref::AtomicRMWOp>(op)) {
    auto atomic = cast<memref::AtomicRMWOp>(op);
    accessAt(op, atomic.getMemref(), scalars(atomic.getIndices()),
             atomic.getValue().getType(), AccessKind::Atomic);
    setUnknown(op, "old value of an atomic");
    return true;
  }
  if (auto atomic = dyn_cast<memref::GenericAtomicRMWOp>(op)) {
    accessAt(op, atomic.getMemref(), scalars(atomic.getIndices()),
             op->getResult(0).getType(), AccessKind::Atomic);
    set(atomic.getCurrentValue(),
        AbstractValue::unknown("old value of an atomic"));
    readBody(atomic.getAtomicBody().front());
    setUnknown(op, "old value of an atomic");
    return true;
  }
  if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    // Each thread that gets here copies the whole.
    auto side = [&](Value base, Value shapeOf, AccessKind kind) {
      auto view = memory(base);
      if (!view)
        return notModelled(op, nullptr, kind, reason);
      if (view->space != MemorySpace::Global)
        return;
      auto type = cast<MemRefType>(shapeOf.getType());
      SmallVector<int64_t> shape;
      SmallVector<unsigned> dims;
      auto sizes = memory(shapeOf);
      for (int64_t dim = 0; dim < type.getRank(); ++dim) {
        std::optional<int64_t> size;
        if (!type.isDynamicDim(dim))
          size = type.getDimSize(dim);
        else if (size_t(dim) < view->sizes.size() && view->sizes[dim])
          size = scalars_.constantOf(view->sizes[dim]);
        if (!size && sizes && size_t(dim) < sizes->sizes.size())
          size = scalars_.constantOf(sizes->sizes[dim]);
        if (!size)
          return notModelled(op, view.get(), kind,
                             "a copy of a size that is not constant");
        if (*size <= 0)
          return;
        shape.push_back(*size);
        dims.push_back(dim);
      }
      auto block = blockFootprint(*view, shape, dims);
      access(op, *view, block ? elementOffset(*view, {}) : nullptr, kind,
             block ? *block : Footprint());
    };
    side(copy.getSource(), copy.getSource(), AccessKind::Read);
    side(copy.getTarget(), copy.getSource(), AccessKind::Write);
    return true;
  }
  if (isa<memref::DeallocOp, memref::PrefetchOp>(op))
    return true;
  return false;
}

} // namespace swizzle
