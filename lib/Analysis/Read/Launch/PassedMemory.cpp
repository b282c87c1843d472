//===- PassedMemory.cpp - Which memory of the host a launch passes --------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arguments that lead into one piece of memory are one buffer, which begins at
// the first of them:
//
//   %a = memref.view %pool[%c64] ...     arg0: 64 bytes into the buffer
//   %b = memref.view %pool[%c0] ...      arg1: its beginning
//
//===----------------------------------------------------------------------===//

#include "../KernelReader.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"

#include <algorithm>

using namespace mlir;

namespace swizzle::analysis {

Value dataOf(Value memref) {
  while (Operation *op = memref.getDefiningOp()) {
    auto view = dyn_cast<memref::ViewOp>(op);
    if (view && !matchPattern(view.getByteShift(), m_Zero()))
      break;
    if (!view &&
        !isa<memref::CastOp, memref::SubViewOp, memref::ReinterpretCastOp,
             memref::ExpandShapeOp, memref::CollapseShapeOp,
             memref::TransposeOp, memref::MemorySpaceCastOp,
             memref::AssumeAlignmentOp, memref::ExtractStridedMetadataOp>(op))
      break;
    memref = op->getOperand(0);
  }
  return memref;
}

namespace {
/// Bytes into memory.
struct Place {
  Value memory;
  int64_t shift = 0;
};
} // namespace

/// Where the data of `memref` begins, through views at a constant place of a
/// piece of memory, as it is handed out to several buffers.
static Place placeOf(Value memref) {
  constexpr int64_t most = int64_t(1) << 40;
  Place place{dataOf(memref)};
  APInt shift;
  while (auto view = place.memory.getDefiningOp<memref::ViewOp>()) {
    if (!matchPattern(view.getByteShift(), m_ConstantInt(&shift)) ||
        shift.isNegative() || shift.sgt(most))
      break;
    place.shift += shift.getSExtValue();
    place.memory = dataOf(view.getSource());
  }
  return place;
}

/// True if two memrefs point into the same memory.
static bool haveSameMemory(Value a, Value b) {
  a = placeOf(a).memory;
  b = placeOf(b).memory;
  auto first = a.getDefiningOp<memref::GetGlobalOp>();
  auto second = b.getDefiningOp<memref::GetGlobalOp>();
  return a == b || (first && second && first.getName() == second.getName() &&
                    SymbolTable::getNearestSymbolTable(first) ==
                        SymbolTable::getNearestSymbolTable(second));
}

/// True if it is known where in its data a value of this type begins.
static bool hasKnownOffset(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return true;
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  return succeeded(memref.getStridesAndOffset(strides, offset)) &&
         !ShapedType::isDynamic(offset);
}

std::optional<uint32_t> KernelReader::sharedBuffer(Value memory) {
  ArrayRef<Type> types = kernel.getArgumentTypes();
  if (!launch || launch.getNumKernelOperands() != types.size() ||
      !hasKnownOffset(memory.getType()))
    return std::nullopt;
  for (unsigned index = 0; index < types.size(); ++index) {
    auto bound = argumentBuffers.find(index);
    if (bound != argumentBuffers.end() && hasKnownOffset(types[index]) &&
        haveSameMemory(launch.getKernelOperand(index), memory))
      return bound->second;
  }
  return std::nullopt;
}

Value KernelReader::passedMemory(unsigned index) {
  return launch && index < launch.getNumKernelOperands() &&
                 hasKnownOffset(kernel.getArgumentTypes()[index])
             ? launch.getKernelOperand(index)
             : Value();
}

int64_t KernelReader::bytesBeforeBuffer(Value memory) {
  int64_t first = placeOf(memory).shift;
  for (auto [operand, type] :
       llvm::zip(launch.getKernelOperands(), kernel.getArgumentTypes()))
    if (isa<MemRefType>(type) && hasKnownOffset(type) &&
        haveSameMemory(operand, memory))
      first = std::min(first, placeOf(operand).shift);
  return first;
}

int64_t KernelReader::bytesIntoBuffer(Value memory) {
  return placeOf(memory).shift - bytesBeforeBuffer(memory);
}

} // namespace swizzle::analysis
