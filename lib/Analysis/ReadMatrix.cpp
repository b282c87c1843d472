//===- ReadMatrix.cpp - Matrix units, bulk copies, vendors' accesses ------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations that a subgroup carries out together, and the accesses of the
// nvgpu and amdgpu dialects. Copies into workgroup memory are reads here:
// workgroup memory is left out of models.
//
//===----------------------------------------------------------------------===//

#include "KernelReader.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

using namespace mlir;

namespace swizzle {

void KernelReader::accessMatrix(Operation *op, Value base, ValueRange indices,
                                gpu::MMAMatrixType type, int64_t lead,
                                bool transposed, AccessKind kind) {
  auto view = memory(base);
  if (!view)
    return notModelled(op, nullptr, kind, reason);
  if (view->space != MemorySpace::Global)
    return;
  int64_t rows = type.getShape()[transposed ? 1 : 0];
  int64_t columns = type.getShape()[transposed ? 0 : 1];
  int64_t element = bytesOf(type.getElementType());
  Footprint footprint;
  footprint.issuer = Issuer::Subgroup;
  footprint.bytes = columns * element;
  if (rows > 1)
    footprint.box.push_back({rows, lead * element});
  access(op, *view, elementOffset(*view, scalars(indices)), kind, footprint);
}

bool KernelReader::readBufferAccess(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (!name.consume_front("amdgpu.raw_buffer_"))
    return false;
  AccessKind kind = name == "load"    ? AccessKind::Read
                    : name == "store" ? AccessKind::Write
                                      : AccessKind::Atomic;
  Value base;
  for (Value operand : op->getOperands())
    if (isa<MemRefType>(operand.getType()))
      base = operand;
  setUnknown(op, kind == AccessKind::Read ? kLoaded : "old value of an atomic");
  auto view = base ? memory(base) : nullptr;
  if (!view) {
    notModelled(op, nullptr, kind, reason);
    return true;
  }
  // Operands: the value (if any), the memref, the indices, a scalar offset.
  SmallVector<Value> indices;
  unsigned rank = cast<MemRefType>(base.getType()).getRank();
  bool after = false;
  Value scalarOffset;
  for (Value operand : op->getOperands()) {
    if (after && indices.size() < rank)
      indices.push_back(operand);
    else if (after)
      scalarOffset = operand;
    after |= operand == base;
  }
  CasesRef offset = elementOffset(*view, scalars(indices));
  if (auto constant = op->getAttrOfType<IntegerAttr>("indexOffset"))
    offset = scalars_.add(
        offset, scalars_.constant(constant.getInt() * view->elementBytes));
  if (scalarOffset)
    offset = scalars_.add(
        offset, scalars_.scale(scalar(scalarOffset), view->elementBytes));
  Type type = kind == AccessKind::Read ? op->getResult(0).getType()
                                       : op->getOperand(0).getType();
  Footprint footprint;
  footprint.bytes = bytesOf(getElementTypeOrSelf(type));
  if (auto vector = dyn_cast<VectorType>(type))
    footprint.bytes *= vector.getNumElements();
  auto check = op->getAttrOfType<BoolAttr>("boundsCheck");
  if (!offset || !view->offset || (check && !check.getValue())) {
    access(op, *view, offset, kind, footprint);
    return true;
  }
  // Out of bounds means no access: the buffer ends where its memref ends.
  CasesRef end = scalars_.constant(0);
  for (auto [size, stride] : llvm::zip(view->sizes, view->strides))
    end = scalars_.maximum(end, scalars_.multiply(size, stride));
  CasesRef within = nullptr;
  if (end && rank > 0) {
    CasesRef start = scalars_.subtract(offset, view->offset);
    CasesRef zero = scalars_.constant(0);
    within = scalars_.select(
        scalars_.compare(Comparison::LessEqual, zero, start),
        scalars_.compare(Comparison::Less, start,
                         scalars_.scale(end, view->elementBytes)),
        zero);
  }
  if (!within && rank > 0) {
    notModelled(op, view.get(), kind, "the size of a buffer is not known");
    return true;
  }
  auto touch = [&] {
    access(op, *view, offset, kind, footprint);
    return AbstractValues();
  };
  if (within)
    guarded(within, touch, [] { return AbstractValues(); });
  else
    touch();
  return true;
}

bool KernelReader::readMatrix(Operation *op) {
  if (auto load = dyn_cast<gpu::SubgroupMmaLoadMatrixOp>(op)) {
    accessMatrix(op, load.getSrcMemref(), load.getIndices(),
                 cast<gpu::MMAMatrixType>(load.getRes().getType()),
                 load.getLeadDimension().getSExtValue(),
                 load.getTranspose().value_or(false), AccessKind::Read);
    setUnknown(op, kLoaded);
    return true;
  }
  if (auto store = dyn_cast<gpu::SubgroupMmaStoreMatrixOp>(op)) {
    accessMatrix(op, store.getDstMemref(), store.getIndices(),
                 cast<gpu::MMAMatrixType>(store.getSrc().getType()),
                 store.getLeadDimension().getSExtValue(),
                 store.getTranspose().value_or(false), AccessKind::Write);
    return true;
  }
  if (auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(op)) {
    setUnknown(op, "a token");
    auto target = memory(copy.getDst());
    if (!target || target->space == MemorySpace::Global)
      notModelled(op, target.get(), AccessKind::Write,
                  "an asynchronous copy into global memory");
    auto view = memory(copy.getSrc());
    if (!view) {
      notModelled(op, nullptr, AccessKind::Read, reason);
      return true;
    }
    BlockDim dim;
    dim.count = copy.getDstElements().getSExtValue();
    dim.stride = view->elementBytes;
    if (Value read = copy.getSrcElements()) {
      dim.limit = scalar(read);
      if (!dim.limit) {
        notModelled(op, view.get(), AccessKind::Read, scalars_.reason);
        return true;
      }
      if (scalars_.range(dim.limit).low >= dim.count)
        dim.limit = nullptr;
    }
    Footprint element;
    element.bytes = view->elementBytes;
    accessClipped(op, *view,
                  elementOffset(*view, scalars(copy.getSrcIndices())), dim,
                  AccessKind::Read, element);
    return true;
  }
  if (auto gather = dyn_cast<amdgpu::GatherToLDSOp>(op)) {
    auto view = memory(gather.getSrc());
    if (!view) {
      notModelled(op, nullptr, AccessKind::Read, reason);
      return true;
    }
    Type type = gather.getTransferType();
    Footprint footprint;
    footprint.bytes = bytesOf(getElementTypeOrSelf(type));
    if (auto vector = dyn_cast<VectorType>(type))
      footprint.bytes *= vector.getNumElements();
    access(op, *view, elementOffset(*view, scalars(gather.getSrcIndices())),
           AccessKind::Read, footprint);
    return true;
  }
  if (isa<nvgpu::LdMatrixOp>(op) ||
      op->getName().getStringRef() == "amdgpu.transpose_load") {
    auto view = memory(op->getOperand(0));
    if (!view || view->space == MemorySpace::Global)
      notModelled(op, view.get(), AccessKind::Read,
                  "a transposing load of global memory");
    setUnknown(op, kLoaded);
    return true;
  }
  if (isa<nvgpu::TmaAsyncLoadOp, nvgpu::TmaAsyncStoreOp>(op)) {
    bool load = isa<nvgpu::TmaAsyncLoadOp>(op);
    notModelled(op, nullptr, load ? AccessKind::Read : AccessKind::Write,
                "a tensor-map copy, whose descriptor the host made");
    return true;
  }
  return readBufferAccess(op);
}

} // namespace swizzle
