//===- Layout.cpp - Extents and strides of an argument --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Layout.h.
//
//===----------------------------------------------------------------------===//

#include "Layout.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace swizzle::host {

llvm::Error wrongArgument(unsigned index, const llvm::Twine &what) {
  return llvm::createStringError("argument " + llvm::Twine(index) + ": " +
                                 what);
}

/// The extents of a memref, from the caller, its type, or the model.
static llvm::Error findShape(unsigned index, MemRefType type,
                             const HostArgument *argument,
                             llvm::function_ref<int64_t(int64_t)> open,
                             SmallVector<int64_t> &shape) {
  int64_t rank = type.getRank();
  shape.assign(type.getShape().begin(), type.getShape().end());
  if (argument && !argument->shape.empty() &&
      int64_t(argument->shape.size()) != rank)
    return wrongArgument(
        index, "a shape of " + llvm::Twine(argument->shape.size()) +
                   " extents is given, the memref has " + llvm::Twine(rank));
  for (int64_t dim = 0; dim < rank; ++dim) {
    bool isOpen = type.isDynamicDim(dim);
    if (argument && !argument->shape.empty()) {
      if (!isOpen && shape[dim] != argument->shape[dim])
        return wrongArgument(index, "extent " + llvm::Twine(dim) + " is " +
                                        llvm::Twine(shape[dim]) +
                                        " by its type, not " +
                                        llvm::Twine(argument->shape[dim]));
      shape[dim] = argument->shape[dim];
    } else if (isOpen) {
      shape[dim] = open(dim);
    }
    if (shape[dim] < 0)
      return wrongArgument(index, "a negative extent");
  }
  return llvm::Error::success();
}

llvm::Expected<MemRefLayout> layOut(unsigned index, MemRefType type,
                                    const HostArgument *argument,
                                    llvm::function_ref<int64_t(int64_t)> open) {
  MemRefLayout layout;
  SmallVector<int64_t> &strides = layout.strides, &shape = layout.shape;
  if (llvm::Error error = findShape(index, type, argument, open, shape))
    return std::move(error);
  int64_t rank = type.getRank();
  int64_t &offset = layout.offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return llvm::make_error<UncheckedError>(
        "the layout of argument " + std::to_string(index) + " has no strides");
  if (ShapedType::isDynamic(offset))
    offset = argument ? argument->offset.value_or(0) : 0;
  if (argument && argument->strides.size() == strides.size())
    for (auto [stride, known] : llvm::zip(strides, argument->strides))
      if (ShapedType::isDynamic(stride))
        stride = known;
  int64_t contiguous = 1, last = offset;
  bool empty = llvm::is_contained(shape, 0), overflow = false;
  for (int64_t dim = rank - 1; dim >= 0; --dim) {
    if (ShapedType::isDynamic(strides[dim]))
      strides[dim] = contiguous;
    int64_t reach = 0;
    overflow |=
        __builtin_mul_overflow(strides[dim], std::max<int64_t>(shape[dim], 1),
                               &contiguous) ||
        __builtin_mul_overflow(strides[dim],
                               std::max<int64_t>(shape[dim] - 1, 0), &reach) ||
        __builtin_add_overflow(last, reach, &last);
  }
  Type element = type.getElementType();
  int64_t &elementBytes = layout.elementBytes;
  elementBytes = 8;
  if (!element.isIndex()) {
    Type scalar = getElementTypeOrSelf(element);
    if (!scalar.isIntOrFloat() ||
        (scalar.getIntOrFloatBitWidth() % 8 && !scalar.isInteger(1)))
      return llvm::make_error<UncheckedError>("the elements of argument " +
                                              std::to_string(index) +
                                              " are not whole bytes");
    elementBytes = std::max(1u, scalar.getIntOrFloatBitWidth() / 8);
    if (auto vector = dyn_cast<VectorType>(element))
      elementBytes *= vector.getNumElements();
  }
  if (overflow || last < 0 ||
      __builtin_mul_overflow(last + 1, elementBytes, &layout.bytes))
    return wrongArgument(index, "its size does not fit into 63 bits");
  if (empty)
    layout.bytes = 0;
  return std::move(layout);
}

} // namespace swizzle::host
