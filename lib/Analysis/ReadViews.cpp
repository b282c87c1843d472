//===- ReadViews.cpp - Views of memory ------------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever makes one memref of another keeps its buffer and moves offset, sizes
// and strides. Allocations inside a kernel are workgroup or private memory, of
// which only the size is kept.
//
//===----------------------------------------------------------------------===//

#include "KernelReader.h"

#include "mlir/Dialect/Affine/ViewLikeInterfaceUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace swizzle {

CasesRef KernelReader::elementOffset(const MemoryView &view,
                                     ArrayRef<CasesRef> indices) {
  if (view.space != MemorySpace::Global)
    return scalars_.constant(0);
  if (!view.offset)
    return scalars_.fail(view.reason);
  CasesRef offset = view.offset;
  for (auto [index, stride] : llvm::zip(indices, view.strides)) {
    if (!index)
      return nullptr;
    if (!stride)
      return scalars_.fail(view.reason);
    offset = scalars_.add(
        offset,
        scalars_.multiply(index, scalars_.scale(stride, view.elementBytes)));
  }
  return offset;
}

static int64_t staticBytes(MemRefType type, int64_t elementBytes) {
  return type.hasStaticShape() ? type.getNumElements() * elementBytes : 0;
}

/// Sizes of `type`'s dimensions; those it leaves open are taken from `sizes`.
static std::vector<CasesRef> staticSizes(Scalars &scalars, MemRefType type) {
  std::vector<CasesRef> sizes;
  for (int64_t size : type.getShape())
    sizes.push_back(ShapedType::isDynamic(size)
                        ? scalars.fail("a size that is not known")
                        : scalars.constant(size));
  return sizes;
}

bool KernelReader::readAllocation(Operation *op) {
  if (isa<memref::AllocOp, memref::AllocaOp>(op)) {
    auto type = cast<MemRefType>(op->getResult(0).getType());
    MemoryView local;
    local.space = spaceOf(type);
    if (local.space == MemorySpace::Workgroup && blocked.empty())
      model.workgroupMemoryBytes +=
          staticBytes(type, bytesOf(type.getElementType()));
    if (local.space == MemorySpace::Global && isa<memref::AllocaOp>(op))
      local.space = MemorySpace::Private;
    if (local.space == MemorySpace::Global)
      setUnknown(op, "memory allocated inside the kernel");
    else
      set(op->getResult(0), AbstractValue::of(std::move(local)));
    return true;
  }
  if (isa<gpu::DynamicSharedMemoryOp>(op)) {
    MemoryView local;
    local.space = MemorySpace::Workgroup;
    set(op->getResult(0), AbstractValue::of(std::move(local)));
    return true;
  }
  if (auto get = dyn_cast<memref::GetGlobalOp>(op)) {
    auto type = cast<MemRefType>(get.getType());
    auto global = SymbolTable::lookupNearestSymbolFrom(op, get.getNameAttr());
    MemoryView view;
    view.space = spaceOf(type);
    if (view.space != MemorySpace::Global) {
      if (view.space == MemorySpace::Workgroup && global &&
          workgroupGlobals.insert(global).second)
        model.workgroupMemoryBytes +=
            staticBytes(type, bytesOf(type.getElementType()));
      set(op->getResult(0), AbstractValue::of(std::move(view)));
      return true;
    }
    SmallVector<int64_t> strides;
    int64_t offset = 0;
    if (!type.hasStaticShape() ||
        failed(type.getStridesAndOffset(strides, offset))) {
      setUnknown(op, "a global of unknown shape");
      return true;
    }
    view.elementBytes = bytesOf(type.getElementType());
    auto [entry, fresh] =
        globals.try_emplace(global, uint32_t(model.buffers.size()));
    if (fresh) {
      Buffer buffer;
      buffer.name = get.getName().str();
      buffer.elementBytes = view.elementBytes;
      buffer.bytes = staticBytes(type, view.elementBytes);
      model.buffers.push_back(buffer);
    }
    view.buffer = entry->second;
    view.offset = scalars_.constant(0);
    view.sizes = staticSizes(scalars_, type);
    for (int64_t stride : strides)
      view.strides.push_back(scalars_.constant(stride));
    set(op->getResult(0), AbstractValue::of(std::move(view)));
    return true;
  }
  return false;
}

bool KernelReader::readMetadata(Operation *op) {
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    auto type = dyn_cast<MemRefType>(dim.getSource().getType());
    std::optional<int64_t> index = scalars_.constantOf(scalar(dim.getIndex()));
    CasesRef size;
    if (!type || !index || *index < 0 || *index >= type.getRank()) {
      scalars_.fail("a dimension that is not known");
    } else if (!type.isDynamicDim(*index)) {
      size = scalars_.constant(type.getDimSize(*index));
    } else {
      auto view = memory(dim.getSource());
      size = view && size_t(*index) < view->sizes.size() ? view->sizes[*index]
                                                         : nullptr;
      if (!size)
        scalars_.fail("a size that is not known");
    }
    set(op->getResult(0), size);
    return true;
  }
  if (auto meta = dyn_cast<memref::ExtractStridedMetadataOp>(op)) {
    auto view = memory(meta.getSource());
    if (!view) {
      setUnknown(op, reason);
      return true;
    }
    if (view->space != MemorySpace::Global) {
      setUnknown(op, "layout of memory that is not global");
      set(meta.getBaseBuffer(), AbstractValue::of(*view));
      return true;
    }
    MemoryView base = *view;
    base.sizes.clear();
    base.strides.clear();
    base.offset = scalars_.constant(0);
    set(meta.getBaseBuffer(), AbstractValue::of(std::move(base)));
    set(meta.getOffset(),
        view->offset ? scalars_.floorDivide(
                           view->offset, scalars_.constant(view->elementBytes))
                     : scalars_.fail(view->reason));
    auto all = [&](ResultRange results, const std::vector<CasesRef> &trees) {
      for (auto [result, tree] : llvm::zip(results, trees))
        set(result, tree ? tree : scalars_.fail(view->reason));
    };
    all(meta.getSizes(), view->sizes);
    all(meta.getStrides(), view->strides);
    return true;
  }
  return false;
}

/// The view of a `subview` or `reinterpret_cast`; null entries mean "unknown".
static SmallVector<CasesRef>
resolve(ArrayRef<OpFoldResult> values,
        llvm::function_ref<CasesRef(OpFoldResult)> scalar) {
  SmallVector<CasesRef> trees;
  for (OpFoldResult value : values)
    trees.push_back(scalar(value));
  return trees;
}

bool KernelReader::readReshape(Operation *op, const MemoryView &view) {
  auto product = [&](ArrayRef<CasesRef> factors) {
    CasesRef all = scalars_.constant(1);
    for (const CasesRef &factor : factors)
      all = scalars_.multiply(all, factor);
    return all;
  };
  MemoryView result = view;
  result.sizes.clear();
  result.strides.clear();
  if (auto collapse = dyn_cast<memref::CollapseShapeOp>(op)) {
    for (const ReassociationIndices &group :
         collapse.getReassociationIndices()) {
      SmallVector<CasesRef> sizes;
      // Unit dimensions say nothing about how far apart elements are.
      CasesRef stride = view.strides[group.back()];
      for (int64_t dim : group)
        sizes.push_back(view.sizes[dim]);
      for (int64_t dim : llvm::reverse(group))
        if (scalars_.constantOf(view.sizes[dim]) != 1) {
          stride = view.strides[dim];
          break;
        }
      result.sizes.push_back(product(sizes));
      result.strides.push_back(stride);
    }
  } else {
    auto expand = cast<memref::ExpandShapeOp>(op);
    SmallVector<CasesRef> sizes =
        resolve(expand.getMixedOutputShape(),
                [&](OpFoldResult value) { return scalar(value); });
    result.sizes.assign(sizes.begin(), sizes.end());
    result.strides.resize(sizes.size());
    for (auto [source, group] :
         llvm::enumerate(expand.getReassociationIndices())) {
      CasesRef stride = view.strides[source];
      for (int64_t dim : llvm::reverse(group)) {
        result.strides[dim] = stride;
        stride = scalars_.multiply(stride, sizes[dim]);
      }
    }
  }
  set(op->getResult(0), AbstractValue::of(std::move(result)));
  return true;
}

bool KernelReader::readView(Operation *op) {
  if (readAllocation(op) || readMetadata(op))
    return true;
  bool same =
      isa<memref::CastOp, memref::MemorySpaceCastOp, memref::AssumeAlignmentOp,
          memref::DistinctObjectsOp, UnrealizedConversionCastOp>(op) ||
      op->getName().getStringRef() == "amdgpu.fat_raw_buffer_cast";
  if (same) {
    if (op->getNumOperands() == op->getNumResults())
      for (auto [result, operand] :
           llvm::zip(op->getResults(), op->getOperands()))
        set(result, get(operand));
    else
      setUnknown(op, "result of " + op->getName().getStringRef().str());
    return true;
  }
  if (!isa<memref::SubViewOp, memref::ReinterpretCastOp,
           memref::CollapseShapeOp, memref::ExpandShapeOp, memref::ViewOp,
           memref::TransposeOp, memref::ReshapeOp>(op))
    return false;
  auto view = memory(op->getOperand(0));
  if (!view) {
    setUnknown(op, reason);
    return true;
  }
  if (view->space != MemorySpace::Global) {
    set(op->getResult(0), AbstractValue::of(*view));
    return true;
  }
  auto tree = [&](OpFoldResult value) { return scalar(value); };
  if (auto slice = dyn_cast<memref::SubViewOp>(op)) {
    SmallVector<CasesRef> offsets = resolve(slice.getMixedOffsets(), tree);
    SmallVector<CasesRef> lengths = resolve(slice.getMixedSizes(), tree);
    SmallVector<CasesRef> steps = resolve(slice.getMixedStrides(), tree);
    MemoryView result = *view;
    result.offset = elementOffset(*view, offsets);
    result.reason = scalars_.reason;
    result.sizes.clear();
    result.strides.clear();
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    for (size_t dim = 0; dim < lengths.size(); ++dim) {
      if (dropped.test(dim))
        continue;
      result.sizes.push_back(lengths[dim]);
      result.strides.push_back(
          scalars_.multiply(view->strides[dim], steps[dim]));
    }
    set(op->getResult(0), AbstractValue::of(std::move(result)));
    return true;
  }
  if (auto recast = dyn_cast<memref::ReinterpretCastOp>(op)) {
    // Offset and strides are absolute: the source gives the buffer only.
    MemoryView result = *view;
    CasesRef offset = scalar(recast.getMixedOffsets().front());
    result.offset = scalars_.scale(offset, view->elementBytes);
    result.reason = scalars_.reason;
    SmallVector<CasesRef> lengths = resolve(recast.getMixedSizes(), tree);
    SmallVector<CasesRef> steps = resolve(recast.getMixedStrides(), tree);
    result.sizes.assign(lengths.begin(), lengths.end());
    result.strides.assign(steps.begin(), steps.end());
    set(op->getResult(0), AbstractValue::of(std::move(result)));
    return true;
  }
  if (isa<memref::CollapseShapeOp, memref::ExpandShapeOp>(op))
    return readReshape(op, *view);
  if (auto transpose = dyn_cast<memref::TransposeOp>(op)) {
    MemoryView result = *view;
    AffineMap map = transpose.getPermutation();
    for (unsigned i = 0; i < map.getNumResults(); ++i) {
      result.sizes[i] = view->sizes[map.getDimPosition(i)];
      result.strides[i] = view->strides[map.getDimPosition(i)];
    }
    set(op->getResult(0), AbstractValue::of(std::move(result)));
    return true;
  }
  if (auto typed = dyn_cast<memref::ViewOp>(op)) {
    auto type = typed.getType();
    MemoryView result = *view;
    CasesRef shift = scalar(typed.getByteShift());
    result.offset = view->offset ? scalars_.add(view->offset, shift) : nullptr;
    result.reason = scalars_.reason;
    result.elementBytes = bytesOf(type.getElementType());
    result.sizes = staticSizes(scalars_, type);
    size_t next = 0;
    for (auto [dim, size] : llvm::enumerate(result.sizes))
      if (type.isDynamicDim(dim))
        size = scalar(typed.getSizes()[next++]);
    result.strides.resize(result.sizes.size());
    CasesRef stride = scalars_.constant(1);
    for (size_t dim = result.sizes.size(); dim-- > 0;) {
      result.strides[dim] = stride;
      stride = scalars_.multiply(stride, result.sizes[dim]);
    }
    set(op->getResult(0), AbstractValue::of(std::move(result)));
    return true;
  }
  setUnknown(op, "result of " + op->getName().getStringRef().str());
  return true;
}

} // namespace swizzle
