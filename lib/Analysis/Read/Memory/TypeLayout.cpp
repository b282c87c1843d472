//===- TypeLayout.cpp - Where types lie in memory -------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vectors are aligned to their size, as on both vendors' targets; numbers and
// pointers as the module says.
//
//   vector<8xi1>           1 byte          vector<3xf32>     12 bytes, 16 apart
//   struct<(i8, i32)>      members at 0 and 4, 8 bytes
//
//===----------------------------------------------------------------------===//

#include "TypeLayout.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace swizzle::analysis {

/// Sizes beyond this are no sizes of memory; it is beyond every form, too.
static constexpr int64_t kMaxSize = int64_t(1) << 60;

static int64_t capped(uint64_t size) {
  return int64_t(std::min<uint64_t>(size, kMaxSize));
}

/// Adds `part` to the end of `record`; where it begins.
static int64_t append(TypeExtent &record, TypeExtent part, bool packed) {
  if (packed)
    part.alignment = 1;
  int64_t begin = int64_t(llvm::alignTo(record.size, part.alignment));
  record.size = capped(begin + part.size);
  record.alignment = std::max(record.alignment, part.alignment);
  return begin;
}

TypeExtent extentOf(const DataLayout &layout, Type type) {
  if (auto vector = dyn_cast<VectorType>(type)) {
    if (vector.isScalable()) // no target here has one
      return {kMaxSize, 1};
    int64_t lane =
        layout.getTypeSizeInBits(vector.getElementType()).getFixedValue();
    int64_t size = llvm::divideCeil(vector.getNumElements() * lane, 8);
    return {size, int64_t(llvm::PowerOf2Ceil(size))};
  }
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type)) {
    TypeExtent element = extentOf(layout, array.getElementType());
    return {capped(llvm::SaturatingMultiply<uint64_t>(array.getNumElements(),
                                                      element.stride())),
            element.alignment};
  }
  if (auto record = dyn_cast<LLVM::LLVMStructType>(type)) {
    TypeExtent whole;
    for (Type part : record.getBody()) {
      TypeExtent extent = extentOf(layout, part);
      append(whole, {extent.stride(), extent.alignment}, record.isPacked());
    }
    return {whole.stride(), whole.alignment};
  }
  // A target's own types (a named barrier) are no numbers of bytes.
  if (!isa<IntegerType, FloatType, IndexType, ComplexType,
           DataLayoutTypeInterface>(type))
    return {kMaxSize, 1};
  return {int64_t(layout.getTypeSize(type).getFixedValue()),
          int64_t(layout.getTypeABIAlignment(type))};
}

int64_t memberOffset(const DataLayout &layout, LLVM::LLVMStructType record,
                     int64_t member) {
  TypeExtent whole;
  int64_t begin = 0;
  for (Type part : record.getBody().take_front(member + 1)) {
    TypeExtent extent = extentOf(layout, part);
    begin =
        append(whole, {extent.stride(), extent.alignment}, record.isPacked());
  }
  return begin;
}

} // namespace swizzle::analysis
