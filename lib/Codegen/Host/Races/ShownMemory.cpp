//===- ShownMemory.cpp - What an operand of a launch shows ----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ShownMemory.h.
//
//===----------------------------------------------------------------------===//

#include "ShownMemory.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace swizzle::host {

std::optional<int64_t> constantOf(Value value, int depth) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSignificantBits() <= 64
               ? std::optional(constant.getSExtValue())
               : std::nullopt;
  Operation *op = value.getDefiningOp();
  if (!op || depth > 32 || op->getNumRegions() || !isMemoryEffectFree(op) ||
      !op->getNumOperands())
    return std::nullopt;
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    std::optional<int64_t> index = constantOf(dim.getIndex(), depth + 1);
    auto type = dyn_cast<MemRefType>(dim.getSource().getType());
    if (!index || !type || *index < 0 || *index >= type.getRank())
      return std::nullopt;
    if (!type.isDynamicDim(*index))
      return type.getDimSize(*index);
    auto alloc = dim.getSource().getDefiningOp<memref::AllocOp>();
    return alloc ? constantOf(
                       alloc.getDynamicSizes()[type.getDynamicDimIndex(*index)],
                       depth + 1)
                 : std::nullopt;
  }
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    std::optional<int64_t> input = constantOf(operand, depth + 1);
    if (!input || !operand.getType().isIntOrIndex())
      return std::nullopt;
    operands.push_back(IntegerAttr::get(operand.getType(), *input));
  }
  // Folding may fold in place, so it is done on a copy.
  Operation *copy = op->clone();
  SmallVector<OpFoldResult> folded;
  std::optional<int64_t> result;
  if (succeeded(copy->fold(operands, folded)) &&
      folded.size() == op->getNumResults()) {
    OpFoldResult mine = folded[cast<OpResult>(value).getResultNumber()];
    if (auto attribute = dyn_cast<Attribute>(mine)) {
      if (auto integer = dyn_cast<IntegerAttr>(attribute))
        result = integer.getValue().getSExtValue();
    } else {
      result = constantOf(cast<Value>(mine), depth + 1);
    }
  }
  copy->destroy();
  return result;
}

static int64_t constantOf(OpFoldResult value) {
  if (auto attribute = dyn_cast<Attribute>(value))
    return cast<IntegerAttr>(attribute).getInt();
  return constantOf(cast<Value>(value), 0).value_or(kOpen);
}

/// The layout of a memref as far as its type has it.
static void readType(MemRefType type, Shown &shown) {
  shown.shape.assign(type.getShape().begin(), type.getShape().end());
  SmallVector<int64_t> strides;
  if (succeeded(type.getStridesAndOffset(strides, shown.offset)))
    shown.strides.assign(strides.begin(), strides.end());
}

/// Operands of views that their types leave open.
static void readView(memref::SubViewOp view, const Shown &source,
                     Shown &shown) {
  llvm::SmallBitVector dropped = view.getDroppedDims();
  int64_t offset = source.offset;
  auto add = [&](int64_t index, int64_t stride) {
    offset = offset == kOpen || index == kOpen || stride == kOpen
                 ? kOpen
                 : offset + index * stride;
  };
  unsigned kept = 0;
  auto offsets = view.getMixedOffsets(), sizes = view.getMixedSizes(),
       steps = view.getMixedStrides();
  for (unsigned dim = 0; dim < offsets.size(); ++dim) {
    int64_t stride = dim < source.strides.size() ? source.strides[dim] : kOpen;
    add(constantOf(offsets[dim]), stride);
    if (dropped.test(dim))
      continue;
    int64_t step = constantOf(steps[dim]);
    if (shown.shape[kept] == kOpen)
      shown.shape[kept] = constantOf(sizes[dim]);
    if (kept < shown.strides.size() && shown.strides[kept] == kOpen &&
        step != kOpen && stride != kOpen)
      shown.strides[kept] = step * stride;
    ++kept;
  }
  if (shown.offset == kOpen)
    shown.offset = offset;
}

static std::optional<Shown> showView(Operation *op, Value source) {
  std::optional<Shown> shown = show(source);
  if (!shown)
    return std::nullopt;
  Shown from = *shown;
  readType(cast<MemRefType>(op->getResult(0).getType()), *shown);
  auto takeOver = [](Extents &open, const Extents &known) {
    for (size_t i = 0; i < open.size() && i < known.size(); ++i)
      if (open[i] == kOpen)
        open[i] = known[i];
  };
  if (isa<memref::CastOp, memref::MemorySpaceCastOp>(op)) {
    takeOver(shown->shape, from.shape);
    takeOver(shown->strides, from.strides);
    if (shown->offset == kOpen)
      shown->offset = from.offset;
  } else if (auto view = dyn_cast<memref::SubViewOp>(op)) {
    readView(view, from, *shown);
  } else if (auto view = dyn_cast<memref::ReinterpretCastOp>(op)) {
    Extents sizes, strides;
    for (OpFoldResult size : view.getMixedSizes())
      sizes.push_back(constantOf(size));
    for (OpFoldResult stride : view.getMixedStrides())
      strides.push_back(constantOf(stride));
    takeOver(shown->shape, sizes);
    takeOver(shown->strides, strides);
    if (shown->offset == kOpen)
      shown->offset = constantOf(view.getMixedOffsets().front());
  } else if (auto view = dyn_cast<memref::ViewOp>(op)) {
    std::optional<int64_t> shift = constantOf(view.getByteShift(), 0);
    if (!shift)
      return std::nullopt;
    shown->byteOffset += *shift;
    unsigned next = 0;
    for (int64_t &extent : shown->shape)
      if (extent == kOpen)
        extent = constantOf(view.getSizes()[next++], 0).value_or(kOpen);
  }
  return shown;
}

std::optional<Shown> show(Value value) {
  Operation *op = value.getDefiningOp();
  auto type = dyn_cast<MemRefType>(value.getType());
  Shown shown;
  shown.memory = value.getAsOpaquePointer();
  if (type)
    readType(type, shown);
  if (!op) // an argument of the function, but not of a loop or a branch
    return isa<FunctionOpInterface>(
               cast<BlockArgument>(value).getOwner()->getParentOp()) &&
                   cast<BlockArgument>(value).getOwner()->isEntryBlock()
               ? std::optional(shown)
               : std::nullopt;
  if (auto global = dyn_cast<memref::GetGlobalOp>(op)) {
    shown.memory = global.getNameAttr().getAsOpaquePointer();
    return shown;
  }
  if (auto global = dyn_cast<LLVM::AddressOfOp>(op)) {
    shown.memory = global.getGlobalNameAttr().getAsOpaquePointer();
    return shown;
  }
  if (isa<memref::AllocOp, memref::AllocaOp, gpu::AllocOp>(op)) {
    unsigned next = 0;
    OperandRange sizes = isa<gpu::AllocOp>(op)
                             ? cast<gpu::AllocOp>(op).getDynamicSizes()
                         : isa<memref::AllocOp>(op)
                             ? cast<memref::AllocOp>(op).getDynamicSizes()
                             : cast<memref::AllocaOp>(op).getDynamicSizes();
    for (int64_t &extent : shown.shape)
      if (extent == kOpen)
        extent = constantOf(sizes[next++], 0).value_or(kOpen);
    return shown;
  }
  if (isa<LLVM::CallOp, LLVM::AllocaOp>(op))
    return shown; // memory that was just made, for want of better knowledge
  if (isa<LLVM::AddrSpaceCastOp, LLVM::BitcastOp>(op))
    return show(op->getOperand(0));
  if (auto view = dyn_cast<ViewLikeOpInterface>(op);
      view && type && isa<MemRefType>(view.getViewSource().getType()))
    return showView(op, view.getViewSource());
  return std::nullopt;
}

} // namespace swizzle::host
