//===- ByValue.cpp - Structures that are passed by value ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A structure that is passed by value lies among the arguments: it is the same
// for all workgroups, and as long as the kernel only reads it, for the whole
// launch. So its members are arguments of their own. Clang writes it as memory:
//
//   ptr byval({ptr, i32}) %0                     NVIDIA
//   ptr addrspace(4) byref({ptr, i32}) %0        AMD, HIP and OpenCL
//   %n = load i32, %0 + 8                        arg0.1, the second member
//
// Members are counted in the order in which they lie, each element of an array
// and of a vector for itself; arrays of bytes, which fill gaps, are not. What
// an access reads is told from the bytes of the members, so that every read of
// one sees the same number, whole, in part or together with others.
//
//===----------------------------------------------------------------------===//

#include "ByValue.h"

#include "../Memory/TypeLayout.h"
#include "NominalNumbers.h"
#include "swizzle/Analysis/Describe/ReadFacts.h"
#include "swizzle/IR/CompiledFor.h"

#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;

namespace swizzle::analysis {

/// Appends the members that `type` at `offset` is made of.
static void flatten(const DataLayout &layout, Type type, int64_t offset,
                    std::vector<PassedByValue::Member> &members) {
  if (members.size() > kMaxMembers)
    return;
  if (auto record = dyn_cast<LLVM::LLVMStructType>(type)) {
    for (auto [i, member] : llvm::enumerate(record.getBody()))
      flatten(layout, member, offset + memberOffset(layout, record, i),
              members);
    return;
  }
  auto repeat = [&](Type element, int64_t count, int64_t stride) {
    for (int64_t i = 0; i < count && members.size() <= kMaxMembers; ++i)
      flatten(layout, element, offset + i * stride, members);
  };
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type)) {
    Type element = array.getElementType();
    if (!element.isInteger(8))
      repeat(element, array.getNumElements(),
             extentOf(layout, element).stride());
    return;
  }
  auto vector = dyn_cast<VectorType>(type);
  if (vector && !vector.isScalable()) {
    Type element = vector.getElementType();
    return repeat(element, vector.getNumElements(),
                  extentOf(layout, element).size);
  }
  members.push_back({type, offset, extentOf(layout, type).size, {}});
}

/// The type of the structure behind `argument`, if that is memory of the
/// launch's arguments, which nobody writes; null if it is not.
static Type structureBehind(Operation *holder, FunctionOpInterface kernel,
                            Value argument, unsigned index) {
  StringRef vendor = vendorOf(holder);
  auto pointer = cast<LLVM::LLVMPointerType>(argument.getType());
  // A back end for AMD takes `byval` for a pointer like others, and memory of
  // constants alone does not change while a kernel runs.
  bool isOfAmd = vendor == "amd" && pointer.getAddressSpace() == 4;
  StringRef name = vendor == "nvidia" ? "llvm.byval"
                   : isOfAmd          ? "llvm.byref"
                                      : "";
  auto type = name.empty() ? TypeAttr()
                           : kernel.getArgAttrOfType<TypeAttr>(index, name);
  return type && !mayBeWritten(argument) ? type.getValue() : Type();
}

std::vector<PassedByValue::Member> membersOf(const DataLayout &layout,
                                             Type type) {
  std::vector<PassedByValue::Member> members;
  flatten(layout, type, 0, members);
  return members;
}

/// The structure of `type` in argument `index`; nothing if it has too many
/// members.
static std::optional<PassedByValue> takeApart(const DataLayout &layout,
                                              Type type, unsigned index) {
  PassedByValue record;
  record.argument = index;
  record.bytes = extentOf(layout, type).size;
  record.members = membersOf(layout, type);
  if (record.members.size() > kMaxMembers)
    return std::nullopt;
  return record;
}

void KernelReader::bindStructureBehind(Value argument, unsigned index,
                                       uint32_t buffer) {
  // A launch that is seen passes memory, which may be another argument's, too.
  Type type = launch
                  ? Type()
                  : structureBehind(*lowered.holder, kernel, argument, index);
  if (!type)
    return;
  if (auto record =
          takeApart(DataLayout::closest(lowered.function), type, index))
    passedByValue.try_emplace(buffer, std::move(*record));
}

bool isDescriptor(Type type) {
  auto record = dyn_cast<LLVM::LLVMStructType>(type);
  return record && record.getBody().size() >= 3 &&
         isa<LLVM::LLVMPointerType>(record.getBody()[0]) &&
         isa<LLVM::LLVMPointerType>(record.getBody()[1]) &&
         record.getBody()[2].isInteger(64);
}

std::optional<AbstractValue> KernelReader::bindStructure(Value argument,
                                                         unsigned index) {
  Type type = argument.getType();
  if (!isa<LLVM::LLVMStructType, LLVM::LLVMArrayType>(type) || launch ||
      isDescriptor(type))
    return std::nullopt;
  auto record = takeApart(DataLayout::closest(lowered.function), type, index);
  if (!record)
    return std::nullopt;
  AbstractValue whole = valueIn(*record, 0, type);
  const std::string members = "arg" + std::to_string(index) + ".";
  if (llvm::any_of(nominalNumbers, [&](llvm::StringRef name) {
        return name.starts_with(members);
      }))
    openArguments.insert(argument);
  return whole;
}

/// The pointer in a member: to a buffer that may overlap any other.
AbstractValue KernelReader::bindPointerMember(const std::string &name,
                                              LLVM::LLVMPointerType type) {
  unsigned space = type.getAddressSpace();
  if (space != 0 && space != 1 && space != 4)
    return AbstractValue::unknown("a pointer in a structure to memory of " +
                                  std::to_string(space));
  Buffer buffer;
  buffer.name = name;
  buffer.isClaimed = true; // no attribute of an argument speaks of it
  model.buffers.push_back(buffer);
  AbstractValue view = AbstractValue::pointer(
      MemorySpace::Global, model.buffers.size() - 1, scalars.constant(0));
  view.start = view.single();
  return view;
}

/// What somebody says of member `number` of the structure in argument `index`.
static std::optional<int64_t> claimOf(FunctionOpInterface kernel,
                                      unsigned index, size_t number) {
  auto claims = kernel.getArgAttrOfType<ArrayAttr>(index, kClaimedArgument);
  auto claim = claims && number < claims.size()
                   ? dyn_cast<IntegerAttr>(claims[number])
                   : IntegerAttr();
  return claim ? std::optional<int64_t>(claim.getInt()) : std::nullopt;
}

const AbstractValue &KernelReader::memberOf(PassedByValue &record,
                                            size_t number) {
  PassedByValue::Member &member = record.members[number];
  if (member.value)
    return *member.value;
  unsigned index = record.argument;
  std::string name =
      "arg" + std::to_string(index) + "." + std::to_string(number);
  auto unknown = [&](const char *why) -> const AbstractValue & {
    return member.value.emplace(AbstractValue::unknown(name + why));
  };
  if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(member.type))
    return member.value.emplace(bindPointerMember(name, pointer));
  if (sizes.everyGrid)
    return unknown(" is not known");
  if (!member.type.isInteger())
    return unknown(" is not a size");
  std::optional<int64_t> claim = claimOf(kernel, index, number);
  unsigned width = member.type.getIntOrFloatBitWidth();
  // As of an argument: narrower ones cannot hold the nominal extent.
  if (!claim && width < 16)
    return unknown(" is not a size");
  auto other = otherNumbers.find(name);
  bool isOther = other != otherNumbers.end() && member.use == NumberUse::Size;
  int64_t said = claim     ? *claim
                 : isOther ? other->second
                           : nominalNumber(name, member.use, width);
  std::optional<int64_t> known = heldIn(said, width);
  if (!known)
    return unknown(" is claimed to be what it cannot hold");
  assume(name + " = " + std::to_string(said) +
             (claim ? " (claimed)" : " (nominal)"),
         claim.has_value());
  return member.value.emplace(AbstractValue::of(scalars.constant(*known), ""));
}

/// The number of `bits` bits at `offset`, put together from the members' bytes.
AbstractValue KernelReader::integerIn(PassedByValue &record, int64_t offset,
                                      unsigned bits) {
  if (bits % 8 || bits > 64)
    return AbstractValue::unknown(kLoaded);
  llvm::APInt value(bits, 0);
  for (unsigned byte = 0; byte < bits / 8; ++byte) {
    int64_t at = offset + byte;
    auto found = llvm::find_if(record.members, [&](const auto &member) {
      return member.offset <= at && at < member.offset + member.bytes;
    });
    if (found == record.members.end())
      return AbstractValue::unknown(kLoaded);
    const AbstractValue &member =
        memberOf(record, found - record.members.begin());
    // An address is followed as a whole.
    if (member.isGlobal() && found->offset == offset && bits == 64)
      return member;
    std::optional<int64_t> known =
        member.isNumber() ? scalars.constantOf(member.single()) : std::nullopt;
    if (!known)
      return AbstractValue::unknown(
          member.isUnknown() ? member.reason : "a part of an address");
    llvm::APInt whole(64, uint64_t(*known));
    value.insertBits(whole.extractBits(8, 8 * (at - found->offset)), 8 * byte);
  }
  std::optional<int64_t> number = numberOf(value);
  if (!number)
    return AbstractValue::unknown("a number beyond 2^60 in a structure");
  return AbstractValue::of(scalars.constant(*number), "");
}

AbstractValue KernelReader::valueIn(PassedByValue &record, int64_t offset,
                                    Type type) {
  DataLayout layout = DataLayout::closest(lowered.function);
  AbstractValue whole;
  whole.kind = AbstractValue::Kind::Aggregate;
  if (auto inner = dyn_cast<LLVM::LLVMStructType>(type)) {
    for (auto [i, member] : llvm::enumerate(inner.getBody()))
      whole.members.push_back(
          valueIn(record, offset + memberOffset(layout, inner, i), member));
    return whole;
  }
  auto array = dyn_cast<LLVM::LLVMArrayType>(type);
  if (array && array.getNumElements() <= kMaxLanes) {
    Type element = array.getElementType();
    int64_t stride = extentOf(layout, element).stride();
    for (unsigned i = 0; i < array.getNumElements(); ++i)
      whole.members.push_back(valueIn(record, offset + i * stride, element));
    return whole;
  }
  if (isa<IntegerType>(type))
    return integerIn(record, offset, type.getIntOrFloatBitWidth());
  auto vector = dyn_cast<VectorType>(type);
  if (vector && !vector.isScalable() && vector.getNumElements() <= kMaxLanes &&
      vector.getElementType().isInteger()) {
    unsigned bits = vector.getElementType().getIntOrFloatBitWidth();
    std::vector<CasesRef> lanes;
    for (int64_t i = 0; i < vector.getNumElements(); ++i) {
      AbstractValue lane = integerIn(record, offset + i * (bits / 8), bits);
      lanes.push_back(lane.isNumber() ? lane.single() : nullptr);
    }
    AbstractValue value = AbstractValue::of(std::move(lanes));
    value.reason = kLoaded;
    return value;
  }
  if (isa<LLVM::LLVMPointerType>(type))
    for (auto [number, member] : llvm::enumerate(record.members))
      if (member.offset == offset && member.type == type)
        return memberOf(record, number);
  return AbstractValue::unknown(kLoaded);
}

bool KernelReader::readMember(Operation *op) {
  auto load = dyn_cast<LLVM::LoadOp>(op);
  if (!load || load.getVolatile_() ||
      load.getOrdering() != LLVM::AtomicOrdering::not_atomic)
    return false;
  AbstractValue place = get(load.getAddr());
  if (!place.isGlobal() || !place.single())
    return false;
  auto record = passedByValue.find(place.buffer);
  std::optional<int64_t> at = scalars.constantOf(place.single());
  if (record == passedByValue.end() || !at || *at < 0 ||
      *at + bytesOf(load.getType()) > record->second.bytes)
    return false;
  bool isNew = met.insert(op).second;
  for (auto [number, member] : llvm::enumerate(record->second.members)) {
    if (member.offset != *at)
      continue;
    if (!member.value)
      member.use = useOf(load.getResult());
    if (isNew)
      loadedMembers.emplace_back("arg" +
                                     std::to_string(record->second.argument) +
                                     "." + std::to_string(number),
                                 load.getResult());
  }
  set(load.getResult(), valueIn(record->second, *at, load.getType()));
  return true;
}

} // namespace swizzle::analysis
