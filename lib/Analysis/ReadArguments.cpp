//===- ReadArguments.cpp - What a kernel is handed ------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Binds a kernel's arguments: one buffer for each memref or pointer, a number
// for each size. What the type and the launch leave open gets a nominal value.
// In a kernel that was lowered to the llvm dialect a memref arrives as a row of
// arguments, which the kernel puts together to a descriptor; that tells which
// of them are sizes and which strides.
//
//===----------------------------------------------------------------------===//

#include "KernelReader.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <algorithm>

using namespace mlir;

namespace swizzle {

AbstractValue KernelReader::bindMemRef(Value argument, unsigned index) {
  auto type = cast<MemRefType>(argument.getType());
  std::string name = "arg" + std::to_string(index);
  Buffer buffer;
  buffer.name = name;
  buffer.argument = index;
  buffer.elementBytes = bytesOf(type.getElementType());
  MemoryView view;
  view.space = MemorySpace::Global;
  std::optional<uint32_t> shared = sharedBuffer(index);
  view.buffer = shared.value_or(model.buffers.size());
  view.elementBytes = buffer.elementBytes;

  std::vector<int64_t> extents;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    int64_t extent = type.getDimSize(dim);
    if (type.isDynamicDim(dim)) {
      HostValue known{nominalExtent(type.getRank(), dim), true};
      if (Value passed = launchOperand(argument, index))
        known = host.dimension(passed, dim);
      extent = known.value;
      model.boundSizes.push_back({int(index), int(dim), extent});
      assume("dim " + std::to_string(dim) + " of " + name + " = " +
             std::to_string(extent) +
             (known.nominal ? " (nominal)" : " (from the launch)"));
    }
    extents.push_back(extent);
    view.sizes.push_back(scalars_.constant(extent));
  }
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (failed(type.getStridesAndOffset(strides, offset))) {
    view.reason = "the layout of " + name + " has no strides";
    view.strides.resize(type.getRank());
    if (!shared)
      model.buffers.push_back(buffer);
    return AbstractValue::of(std::move(view));
  }
  if (ShapedType::isDynamic(offset)) {
    offset = 0;
    assume("offset of " + name + " = 0 (nominal)");
  }
  // A dynamic stride is taken to be that of contiguous data.
  int64_t contiguous = 1, last = offset;
  std::vector<int64_t> concrete(type.getRank());
  bool identity = type.getLayout().isIdentity();
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    concrete[dim] = strides[dim];
    if (ShapedType::isDynamic(strides[dim])) {
      concrete[dim] = contiguous;
      if (!identity)
        assume("stride " + std::to_string(dim) + " of " + name + " = " +
               std::to_string(contiguous) + " (nominal)");
    }
    if (__builtin_mul_overflow(
            concrete[dim], std::max<int64_t>(extents[dim], 1), &contiguous) ||
        contiguous >= (int64_t(1) << 50))
      contiguous = int64_t(1) << 50;
    int64_t reach;
    if (__builtin_mul_overflow(
            concrete[dim], std::max<int64_t>(extents[dim] - 1, 0), &reach) ||
        __builtin_add_overflow(last, reach, &last))
      last = -1;
  }
  for (int64_t stride : concrete)
    view.strides.push_back(scalars_.constant(stride));
  if (last >= 0 &&
      !__builtin_mul_overflow(last + 1, buffer.elementBytes, &buffer.bytes) &&
      buffer.bytes < (int64_t(1) << 60)) {
    if (llvm::is_contained(extents, 0))
      buffer.bytes = 0;
  } else {
    buffer.bytes = -1;
  }
  view.offset = scalars_.scale(scalars_.constant(offset), view.elementBytes);
  view.reason = scalars_.reason;
  if (!shared)
    model.buffers.push_back(buffer);
  else if (int64_t &bytes = model.buffers[*shared].bytes; bytes >= 0)
    bytes = buffer.bytes < 0 ? -1 : std::max(bytes, buffer.bytes);
  return AbstractValue::of(std::move(view));
}

/// Where in a memref descriptor an argument is put: {0} the allocation, {1} the
/// data, {2} the offset, {3, i} size i, {4, i} stride i. Empty if nowhere.
static SmallVector<int64_t> descriptorSlot(Value argument, int64_t &rank) {
  for (Operation *user : argument.getUsers()) {
    auto insert = dyn_cast<LLVM::InsertValueOp>(user);
    if (!insert || insert.getValue() != argument)
      continue;
    auto type = dyn_cast<LLVM::LLVMStructType>(insert.getContainer().getType());
    if (!type || type.getBody().size() < 3 ||
        !isa<LLVM::LLVMPointerType>(type.getBody()[0]) ||
        !isa<LLVM::LLVMPointerType>(type.getBody()[1]))
      continue;
    if (type.getBody().size() == 5)
      if (auto sizes = dyn_cast<LLVM::LLVMArrayType>(type.getBody()[3]))
        rank = sizes.getNumElements();
    return SmallVector<int64_t>(insert.getPosition());
  }
  return {};
}

Value KernelReader::launchOperand(Value argument, unsigned index) {
  if (!launch || launch.getNumKernelOperands() != kernel.getNumArguments())
    return Value();
  Value operand = launch.getKernelOperand(index);
  return operand.getType() == argument.getType() ? operand : Value();
}

/// The memory whose data `memref` points into, through operations that keep the
/// data pointer and only change the shape.
static Value dataOf(Value memref) {
  while (Operation *op = memref.getDefiningOp()) {
    if (!isa<memref::CastOp, memref::SubViewOp, memref::ReinterpretCastOp,
             memref::ExpandShapeOp, memref::CollapseShapeOp,
             memref::TransposeOp>(op))
      break;
    memref = op->getOperand(0);
  }
  return memref;
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

std::optional<uint32_t> KernelReader::sharedBuffer(unsigned index) {
  Block &entry = kernel.getFunctionBody().front();
  if (!hasKnownOffset(entry.getArgument(index).getType()))
    return std::nullopt;
  for (gpu::LaunchFuncOp seen : findLaunches(kernel)) {
    if (seen.getNumKernelOperands() != kernel.getNumArguments())
      continue;
    Value data = dataOf(seen.getKernelOperand(index));
    for (unsigned before = 0; before < index; ++before) {
      Value argument = entry.getArgument(before);
      AbstractValue bound = get(argument);
      if (bound.isMemory() && bound.memory->space == MemorySpace::Global &&
          hasKnownOffset(argument.getType()) &&
          dataOf(seen.getKernelOperand(before)) == data)
        return bound.memory->buffer;
    }
  }
  return std::nullopt;
}

AbstractValue KernelReader::bindPointer(Value argument, unsigned index) {
  MemoryView view;
  view.space = spaceOf(argument.getType());
  if (view.space != MemorySpace::Global)
    return AbstractValue::of(std::move(view));
  int64_t rank = 0;
  SmallVector<int64_t> slot = descriptorSlot(argument, rank);
  if (slot.size() == 1 && slot[0] == 0)
    return AbstractValue::unknown("the allocation behind a memref");
  view.offset = scalars_.constant(0);
  if (std::optional<uint32_t> shared = sharedBuffer(index)) {
    view.buffer = *shared;
    return AbstractValue::of(std::move(view));
  }
  view.buffer = model.buffers.size();
  Buffer buffer;
  buffer.name = "arg" + std::to_string(index);
  buffer.argument = index;
  model.buffers.push_back(buffer);
  return AbstractValue::of(std::move(view));
}

void KernelReader::bindArguments() {
  auto attributed = [&](MemRefType type) {
    if (spaceOf(type) == MemorySpace::Workgroup && type.hasStaticShape())
      model.workgroupMemoryBytes +=
          type.getNumElements() * bytesOf(type.getElementType());
  };
  Block &entry = kernel.getFunctionBody().front();
  unsigned count = kernel.getNumArguments();
  for (auto [index, argument] : llvm::enumerate(entry.getArguments())) {
    Type type = argument.getType();
    if (auto memref = dyn_cast<MemRefType>(type)) {
      if (spaceOf(type) == MemorySpace::Global && index < count) {
        set(argument, bindMemRef(argument, index));
      } else {
        attributed(memref);
        MemoryView local;
        local.space = spaceOf(type);
        set(argument, AbstractValue::of(std::move(local)));
      }
    } else if (isa<LLVM::LLVMPointerType>(type)) {
      set(argument, bindPointer(argument, index));
    } else if (type.isIntOrIndex() && !type.isInteger(1)) {
      bindScalar(argument, index);
    } else {
      set(argument, AbstractValue::unknown("argument " + std::to_string(index) +
                                           " is not a size"));
    }
  }
}

void KernelReader::bindScalar(Value argument, unsigned index) {
  HostValue known{kNominalExtent, true};
  int64_t rank = 0;
  SmallVector<int64_t> slot = descriptorSlot(argument, rank);
  if (slot.size() == 1) {
    known.value = 0;
  } else if (slot.size() == 2) {
    // A stride is that of contiguous data.
    known.value = slot[0] == 3 ? nominalExtent(rank, slot[1]) : 1;
    for (int64_t dim = rank - 1; slot[0] == 4 && dim > slot[1]; --dim)
      known.value *= nominalExtent(rank, dim);
  } else if (Value passed = launchOperand(argument, index)) {
    std::optional<HostValue> operand = host.evaluate(passed);
    if (!operand) {
      set(argument,
          AbstractValue::unknown("argument " + std::to_string(index) +
                                 " is not a size that the launch tells"));
      return;
    }
    known = *operand;
  }
  // An argument narrower than the nominal extent cannot hold it.
  unsigned bits = argument.getType().isIndex()
                      ? 64
                      : argument.getType().getIntOrFloatBitWidth();
  if (bits < 16) {
    set(argument, AbstractValue::unknown("argument " + std::to_string(index) +
                                         " is not a size"));
    return;
  }
  if (std::abs(known.value) >= (int64_t(1) << 50)) {
    set(argument, AbstractValue::unknown("argument " + std::to_string(index) +
                                         " exceeds 2^50"));
    return;
  }
  model.boundSizes.push_back({int(index), -1, known.value});
  assume("arg" + std::to_string(index) + " = " + std::to_string(known.value) +
         (known.nominal ? " (nominal)" : " (from the launch)"));
  set(argument, scalars_.constant(known.value));
}

} // namespace swizzle
