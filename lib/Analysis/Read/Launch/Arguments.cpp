//===- Arguments.cpp - What a kernel is handed ----------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Binds the arguments of the lowered kernel. What they are is known from the
// signature as it came: a memref<?x64xf32> is a pointer to a buffer, an offset
// of 0, sizes n and 64, strides 64 and 1. Sizes that nobody knows follow a
// launch in the module, or are nominal; either is listed under `assumed`.
//
//===----------------------------------------------------------------------===//

#include "../KernelReader.h"
#include "NominalNumbers.h"

#include "swizzle/Analysis/Describe/ReadFacts.h"

#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

#include <algorithm>

using namespace mlir;

namespace swizzle::analysis {

/// Numbers for the descriptor of a memref.
struct KernelReader::MemRefSizes {
  bool strided = true; ///< false: the layout has no strides
  int64_t offset = 0;
  SmallVector<int64_t> extents, strides;
  int64_t bytes = -1; ///< from the start of the data to its end, -1 if unknown
  /// Not to be used: the number stands for any (`LaunchSizes::everyGrid`).
  bool openOffset = false;
  SmallVector<bool> openExtents, openStrides;
  SmallVector<bool> nominalExtents; ///< that nobody gave
};

/// Bytes that an element of a memref takes, padded to a power of two, as LLVM
/// lays elements out in memory.
static int64_t elementBytes(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * elementBytes(complex.getElementType());
  int64_t bits = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64;
  if (auto vector = dyn_cast<VectorType>(type)) {
    Type element = vector.getElementType();
    bits = vector.getNumElements() * (element.isIntOrFloat()
                                          ? element.getIntOrFloatBitWidth()
                                          : 8 * elementBytes(element));
  }
  return llvm::PowerOf2Ceil(std::max<int64_t>((bits + 7) / 8, 1));
}

KernelReader::MemRefSizes KernelReader::sizesOf(MemRefType type,
                                                unsigned index) {
  std::string name = "arg" + std::to_string(index);
  MemRefSizes result;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    int64_t extent = type.getDimSize(dim);
    result.openExtents.push_back(type.isDynamicDim(dim) && sizes.everyGrid);
    result.nominalExtents.push_back(false);
    if (result.openExtents.back()) {
      extent = 1;
    } else if (type.isDynamicDim(dim)) {
      HostValue known{nominalExtent(type.getRank(), dim), true};
      if (Value passed =
              launchOperand(kernel.getFunctionBody().getArgument(index), index))
        known = host.dimension(passed, dim);
      extent = known.value;
      result.nominalExtents.back() = known.nominal;
      model.boundSizes.push_back({int(index), int(dim), extent});
      assume("dim " + std::to_string(dim) + " of " + name + " = " +
                 std::to_string(extent) +
                 (known.nominal ? " (nominal)" : " (from the launch)"),
             !known.nominal);
    }
    result.extents.push_back(extent);
  }
  int64_t offset = 0;
  if (failed(type.getStridesAndOffset(result.strides, offset))) {
    result.strided = false;
    return result;
  }
  if (ShapedType::isDynamic(offset)) {
    offset = 0;
    result.openOffset = sizes.everyGrid;
    if (!sizes.everyGrid)
      assume("offset of " + name + " = 0 (nominal)");
  }
  result.offset = offset;
  // A dynamic stride is taken to be that of contiguous data.
  constexpr __int128 most = int64_t(1) << 50;
  __int128 contiguous = 1, last = offset;
  bool identity = type.getLayout().isIdentity(), open = false;
  result.openStrides.assign(type.getRank(), false);
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    int64_t &stride = result.strides[dim], extent = result.extents[dim];
    if (ShapedType::isDynamic(stride)) {
      stride = int64_t(contiguous);
      result.openStrides[dim] = sizes.everyGrid && (open || !identity);
      if (!identity && !sizes.everyGrid)
        assume("stride " + std::to_string(dim) + " of " + name + " = " +
               std::to_string(stride) + " (nominal)");
    }
    open |= result.openExtents[dim];
    contiguous = std::min<__int128>(
        __int128(stride) * std::max<int64_t>(extent, 1), most);
    last = std::min<__int128>(last + __int128(stride) *
                                         std::max<int64_t>(extent - 1, 0),
                              most * most);
  }
  __int128 bytes = (last + 1) * elementBytes(type.getElementType());
  if (llvm::is_contained(result.extents, 0))
    result.bytes = 0;
  else if (last >= 0 && bytes < (int64_t(1) << 60) && !open)
    result.bytes = int64_t(bytes);
  return result;
}

/// Binds the descriptor that begins at argument `first`: the allocation, the
/// data, the offset, sizes and strides.
void KernelReader::bindMemRef(unsigned index, unsigned first) {
  auto type = cast<MemRefType>(kernel.getArgumentTypes()[index]);
  Block &entry = lowered.function.getFunctionBody().front();
  MemRefSizes known = sizesOf(type, index);
  AbstractValue data = bindPointer(entry.getArgument(first + 1), index);
  set(entry.getArgument(first + 1), data);
  if (data.isPointer()) {
    // Of the same memory; where in it the data begins, nobody says.
    AbstractValue whole = data;
    whole.lanes[0] = nullptr;
    whole.reason = "the allocation behind a memref";
    set(entry.getArgument(first), std::move(whole));
  }
  auto bind = [&](unsigned position, int64_t number, bool open) {
    set(entry.getArgument(position),
        open ? AbstractValue::unknown("a size of arg" + std::to_string(index) +
                                      " that is not known")
             : AbstractValue::of(scalars.constant(number), ""));
  };
  bind(first + 2, known.offset, known.openOffset);
  for (unsigned dim = 0, rank = type.getRank(); dim < rank; ++dim) {
    bind(first + 3 + dim, known.extents[dim], known.openExtents[dim]);
    if (known.nominalExtents[dim])
      openArguments.insert(entry.getArgument(first + 3 + dim));
    if (known.strided)
      bind(first + 3 + rank + dim, known.strides[dim], known.openStrides[dim]);
    else
      set(entry.getArgument(first + 3 + rank + dim),
          AbstractValue::unknown("the layout of arg" + std::to_string(index) +
                                 " has no strides"));
  }
  if (!data.isGlobal())
    return;
  Buffer &buffer = model.buffers[data.buffer];
  if (known.bytes > 0)
    known.bytes += scalars.constantOf(data.lanes[0]).value_or(0);
  bool fresh = buffer.argument == int(index);
  if (pointerBuffers.insert(data.buffer).second)
    buffer.elementBytes = elementBytes(type.getElementType());
  if (fresh)
    buffer.bytes = known.bytes;
  else if (buffer.bytes >= 0)
    buffer.bytes = known.bytes < 0 ? -1 : std::max(buffer.bytes, known.bytes);
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

uint32_t KernelReader::tensorBuffer(Value memory, Value map) {
  if (std::optional<uint32_t> shared = sharedBuffer(memory);
      shared && bytesIntoBuffer(memory) == 0)
    return *shared;
  Value data = dataOf(memory);
  auto [entry, fresh] = tensorBuffers.try_emplace(data, model.buffers.size());
  if (!fresh)
    return entry->second;
  while (Operation *cast = map.getDefiningOp())
    map = cast->getOperand(0);
  unsigned position = cast<BlockArgument>(map).getArgNumber();
  auto type = cast<MemRefType>(memory.getType());
  Buffer buffer;
  buffer.argument = lowered.arguments[position].argument;
  buffer.name = "arg" + std::to_string(buffer.argument);
  buffer.elementBytes = elementBytes(type.getElementType());
  if (type.hasStaticShape() && type.getLayout().isIdentity())
    buffer.bytes = type.getNumElements() * buffer.elementBytes;
  model.buffers.push_back(buffer);
  return entry->second;
}

uint32_t KernelReader::claimedBuffer(unsigned argument, int64_t elementBytes,
                                     int64_t bytes) {
  auto [entry, fresh] =
      claimedBuffers.try_emplace(argument, model.buffers.size());
  if (fresh) {
    Buffer buffer;
    buffer.name = "the tensor of arg" + std::to_string(argument);
    buffer.isClaimed = true;
    buffer.elementBytes = elementBytes;
    buffer.bytes = bytes;
    model.buffers.push_back(buffer);
  }
  return entry->second;
}

uint32_t KernelReader::imageBuffer(llvm::StringRef all) {
  auto [entry, fresh] = imageBuffers.try_emplace(all, model.buffers.size());
  if (fresh) {
    Buffer buffer;
    buffer.name = all.str();
    buffer.isClaimed = true;
    model.buffers.push_back(buffer);
  }
  return entry->second;
}

bool mayBeWritten(Value pointer) {
  SmallVector<Value> work = {pointer};
  while (!work.empty()) {
    Value at = work.pop_back_val();
    for (Operation *user : at.getUsers()) {
      if (isa<LLVM::LoadOp>(user))
        continue;
      if (auto copy = dyn_cast<LLVM::MemcpyOp>(user);
          copy && copy.getDst() != at)
        continue;
      if (!isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::BitcastOp>(user))
        return true;
      work.push_back(user->getResult(0));
    }
  }
  return false;
}

AbstractValue KernelReader::bindPointer(Value argument, unsigned index) {
  if (MemorySpace space = spaceOf(argument.getType());
      space != MemorySpace::Global) {
    if (space != MemorySpace::Workgroup)
      return AbstractValue::local(space);
    model.workgroupBuffers.push_back({"arg" + std::to_string(index)});
    return AbstractValue::pointer(space, model.workgroupBuffers.size() - 1,
                                  scalars.constant(0));
  }
  // A copy for each thread. As long as it is only read, it is as good as memory
  // that all share, and what it holds is known to be the same for all.
  if (kernel.getArgAttr(index, "llvm.byval") && mayBeWritten(argument))
    return AbstractValue::local(MemorySpace::Private);
  if (isa<nvgpu::TensorMapDescriptorType>(kernel.getArgumentTypes()[index]))
    return AbstractValue::unknown("a tensor map");
  int64_t rank = 0;
  SmallVector<int64_t> slot = descriptorSlot(argument, rank);
  bool came = isa<LLVM::LLVMPointerType>(kernel.getArgumentTypes()[index]);
  if (came && slot.size() == 1 && slot[0] == 0)
    return AbstractValue::unknown("the allocation behind a memref");
  Value passed = passedMemory(index);
  std::optional<uint32_t> shared = passed ? sharedBuffer(passed) : std::nullopt;
  if (shared) {
    model.buffers[*shared].otherArguments.push_back(index);
  } else {
    shared = model.buffers.size();
    Buffer buffer;
    buffer.name = "arg" + std::to_string(index);
    buffer.argument = index;
    buffer.noAlias = bool(kernel.getArgAttr(index, "llvm.noalias"));
    model.buffers.push_back(buffer);
  }
  argumentBuffers[index] = *shared;
  if (!passed)
    openArguments.insert(argument);
  bindStructureBehind(argument, index, *shared);
  AbstractValue view = AbstractValue::pointer(
      MemorySpace::Global, *shared,
      scalars.constant(passed ? bytesIntoBuffer(passed) : 0));
  view.start = view.single();
  // A pointer of 128 bits or more describes a buffer: what it says is not
  // known.
  auto type = dyn_cast<LLVM::LLVMPointerType>(argument.getType());
  if (unsigned space = type ? type.getAddressSpace() : 0;
      space >= 7 && space <= 9) {
    view.lanes.assign(1, nullptr);
    view.reason =
        "a resource from outside, which may put neighbours apart or add the "
        "number of the thread";
  }
  return view;
}

void KernelReader::bindArguments() {
  using Role = LoweredArgument::Role;
  Block &entry = lowered.function.getFunctionBody().front();
  for (auto [position, argument] : llvm::enumerate(entry.getArguments())) {
    if (position >= lowered.arguments.size())
      break;
    const LoweredArgument &what = lowered.arguments[position];
    if (what.role == Role::Allocation)
      bindMemRef(what.argument, position);
    else if (what.role == Role::Same &&
             isa<LLVM::LLVMPointerType>(argument.getType()))
      set(argument, bindPointer(argument, what.argument));
    else if (what.role == Role::Same || what.role == Role::Unknown)
      set(argument, bindScalar(argument, what.argument));
  }
}

int64_t KernelReader::nominalNumber(const std::string &name, NumberUse use,
                                    unsigned bits) {
  // Of one bit, what a kernel does if something is asked of it: the accesses
  // that stand under it are compared with all others.
  if (bits == 1)
    return 1;
  // Of 32 bits, floor(n * 2^31 / 2^32) >> s, or (0 + n) >> s.
  if (use == NumberUse::Factor || use == NumberUse::AddedFactor)
    return use == NumberUse::AddedFactor ? 1 : int64_t(1) << (bits - 1);
  if (!llvm::is_contained(nominalNumbers, name))
    nominalNumbers.push_back(name);
  int64_t extent =
      smallNumbers.contains(name) ? nominalExtent(3, 0) : kNominalExtent;
  return use == NumberUse::Shift ? llvm::Log2_64(extent) : extent;
}

AbstractValue KernelReader::bindScalar(Value argument, unsigned index) {
  auto unknown = [&](const char *why) {
    return AbstractValue::unknown("argument " + std::to_string(index) + why);
  };
  if (isa<UnrankedMemRefType>(kernel.getArgumentTypes()[index]))
    return unknown(" has no rank");
  if (std::optional<AbstractValue> structure = bindStructure(argument, index))
    return *structure;
  if (sizes.everyGrid)
    return unknown(" is not known");
  if (!argument.getType().isIntOrIndex())
    return unknown(" is not a size");
  unsigned width = argument.getType().isIndex()
                       ? 64
                       : argument.getType().getIntOrFloatBitWidth();
  auto claim = kernel.getArgAttrOfType<IntegerAttr>(index, kClaimedArgument);
  // One that is narrower than the nominal extent cannot hold it.
  if (!claim && width < 16 && width != 1)
    return unknown(" is not a size");
  const std::string name = "arg" + std::to_string(index);
  HostValue known{kNominalExtent, true};
  int64_t rank = 0;
  SmallVector<int64_t> slot = descriptorSlot(argument, rank);
  if (claim) {
    known.value = claim.getInt();
  } else if (slot.size() == 1) {
    known.value = 0;
  } else if (slot.size() == 2) {
    // A stride is that of contiguous data.
    known.value = slot[0] == 3 ? nominalExtent(rank, slot[1]) : 1;
    for (int64_t dim = rank - 1; slot[0] == 4 && dim > slot[1]; --dim)
      known.value *= nominalExtent(rank, dim);
  } else if (Value passed = launchOperand(
                 kernel.getFunctionBody().getArgument(index), index)) {
    std::optional<HostValue> operand = host.evaluate(passed);
    if (!operand)
      return unknown(" is not a size that the launch tells");
    known = *operand;
  } else if (auto other = otherNumbers.find(name);
             other != otherNumbers.end() &&
             useOf(argument) != NumberUse::Shift) {
    known.value = other->second;
  } else if (std::optional<int64_t> way = wayOf(argument)) {
    known.value = *way;
  } else {
    known.value = nominalNumber(name, useOf(argument), width);
  }
  std::optional<int64_t> held =
      claim || known.nominal ? heldIn(known.value, width) : known.value;
  if (!held)
    return unknown(" is claimed to be what it cannot hold");
  if (std::abs(known.value) >= (int64_t(1) << 50))
    return unknown(" exceeds 2^50");
  model.boundSizes.push_back({int(index), -1, *held});
  if (!claim && known.nominal)
    openArguments.insert(argument);
  // A condition keeps nobody apart or together: where workgroups meet under it,
  // far apart too, they do.
  bool isSize = width > 1 && !placesNothing(argument);
  bool isFact = !claim && !known.nominal && !sizes.isVisible;
  if (!isFact)
    assume(name + " = " + std::to_string(known.value) +
               (claim           ? " (claimed)"
                : known.nominal ? " (nominal)"
                                : " (from the launch)"),
           claim || !known.nominal || !isSize);
  return AbstractValue::of(scalars.constant(*held), "");
}

} // namespace swizzle::analysis
