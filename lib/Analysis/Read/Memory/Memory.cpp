//===- Memory.cpp - Pointers, loads and stores --------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Address computations and the plain accesses of the llvm dialect.
//
//   %p = getelementptr %a[%i] : f32    arg0 + 4*i
//   %v = load %p : vector<4xf32>       read arg0[4*i] 16 bytes
//
//===----------------------------------------------------------------------===//

#include "../Handlers.h"
#include "TypeLayout.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;

namespace swizzle::analysis {

namespace {
/// The bytes that the indices of a getelementptr add, for one lane.
class AddressReader {
public:
  AddressReader(KernelReader &reader, LLVM::GEPOp gep)
      : reader(reader), gep(gep), layout(DataLayout::closest(gep)) {}

  /// Null, with a reason, if the address is not affine. Addresses are kept
  /// small enough that they cannot wrap around.
  CasesRef offset(CasesRef start, size_t lane) {
    Scalars &scalars = reader.scalars;
    CasesRef sum = std::move(start);
    Type type = gep.getElemType();
    bool first = true;
    for (auto index : gep.getIndices()) {
      CasesRef position = positionOf(index, lane);
      if (!position || !sum)
        return nullptr;
      auto record = dyn_cast<LLVM::LLVMStructType>(type);
      if (!first && record) {
        std::optional<int64_t> member = scalars.constantOf(position);
        if (!member || *member < 0 ||
            *member >= int64_t(record.getBody().size()))
          return scalars.fail("a member that is not constant");
        sum = scalars.add(
            sum, scalars.constant(memberOffset(layout, record, *member)));
        type = record.getBody()[*member];
        continue;
      }
      // Lanes of a vector lie without padding.
      bool isLane = !first && isa<VectorType>(type);
      if (!first) {
        type = elementOf(type);
        if (!type)
          return scalars.fail("an address into an unknown type");
      }
      first = false;
      TypeExtent extent = extentOf(layout, type);
      sum = scalars.add(
          sum, scalars.scale(position, isLane ? extent.size : extent.stride()));
    }
    return inWidth(reader.fitted(sum, IntegerType::get(gep.getContext(), 64)));
  }

private:
  /// Offsets wrap around in as many bits as the layout gives an index. That of
  /// a pointer into a buffer resource has 32, and counts from its start.
  CasesRef inWidth(const CasesRef &sum) {
    auto type = cast<LLVM::LLVMPointerType>(
        getElementTypeOrSelf(gep.getBase().getType()));
    unsigned space = type.getAddressSpace();
    bool isResource = space == 7 || space == 8 || space == 9;
    uint64_t bits =
        isResource ? 32 : layout.getTypeIndexBitwidth(type).value_or(64);
    if (!sum || bits > 62)
      return sum;
    Scalars &scalars = reader.scalars;
    auto base = reader.pointer(gep.getBase());
    if (isResource && (!base || !base->start))
      return scalars.fail("an offset into a resource whose start is not known");
    CasesRef inside = scalars.requireRange(
        isResource ? scalars.subtract(sum, base->start) : sum,
        {0, (int64_t(1) << bits) - 1},
        kMayWrap.str() + " in the " + std::to_string(bits) +
            " bits of an offset");
    return inside ? sum : nullptr;
  }

  static Type elementOf(Type type) {
    if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
      return array.getElementType();
    if (auto vector = dyn_cast<VectorType>(type))
      return vector.getElementType();
    return Type();
  }

  CasesRef positionOf(LLVM::GEPIndicesAdaptor<ValueRange>::value_type index,
                      size_t lane) {
    if (auto attribute = dyn_cast<IntegerAttr>(index))
      return reader.scalars.constant(attribute.getInt());
    Value value = cast<Value>(index);
    // Indices have a sign: the true of one bit is -1.
    auto withSign = [&](const CasesRef &number) {
      return getElementTypeOrSelf(value.getType()).isInteger(1)
                 ? reader.scalars.scale(number, -1)
                 : number;
    };
    if (!isa<VectorType>(value.getType()))
      return withSign(reader.scalar(value));
    AbstractValue lanes = reader.get(value);
    if (lane < lanes.lanes.size() && lanes.lanes[lane])
      return withSign(lanes.lanes[lane]);
    return reader.scalars.fail(lanes.reason.empty()
                                   ? "lanes of a vector that are not affine"
                                   : lanes.reason);
  }

  KernelReader &reader;
  LLVM::GEPOp gep;
  DataLayout layout;
};
} // namespace

void readAddress(KernelReader &reader, Operation *op) {
  auto gep = cast<LLVM::GEPOp>(op);
  auto base = reader.pointer(gep.getBase());
  if (!base)
    return reader.setUnknown(op, reader.reason);
  AbstractValue result = *base;
  // Lanes are followed into global memory only.
  auto vector = dyn_cast<VectorType>(op->getResult(0).getType());
  if (base->space != MemorySpace::Global && (vector || !base->single())) {
    result.lanes.assign(1, nullptr);
    return reader.set(op->getResult(0), std::move(result));
  }
  AddressReader addresses(reader, gep);
  result.lanes.assign(vector ? vector.getNumElements() : 1, nullptr);
  for (auto [lane, offset] : llvm::enumerate(result.lanes))
    offset = addresses.offset(base->lanes[lane < base->lanes.size() ? lane : 0],
                              lane);
  if (base->single() || base->lanes.size() > 1)
    result.reason = reader.scalars.reason;
  for (Value operand : op->getOperands())
    result.maybePoison |= reader.get(operand).maybePoison;
  // `inbounds` and the like are promises.
  result.maybePoison |= gep.getNoWrapFlags() != LLVM::GEPNoWrapFlags::none;
  reader.set(op->getResult(0), std::move(result));
}

void readCast(KernelReader &reader, Operation *op) {
  AbstractValue value = reader.get(op->getOperand(0));
  Type type = op->getResult(0).getType();
  // Pointers stay what they are, also as numbers; numbers do not become ones.
  bool pointer =
      value.isPointer() ||
      KernelReader::spaceOf(op->getOperand(0).getType()) != MemorySpace::Global;
  if (!pointer)
    return reader.setUnknown(op, value.reason.empty()
                                     ? "an address made of a number"
                                     : value.reason);
  auto number = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
  if (value.isGlobal() && number && number.getWidth() < 64)
    return reader.setUnknown(op, "a part of an address");
  if (!value.isPointer())
    value = AbstractValue::local(
        KernelReader::spaceOf(op->getOperand(0).getType()));
  // Global memory stays what it is, whatever it is called in between.
  MemorySpace space = KernelReader::spaceOf(type);
  if (space != MemorySpace::Global && !value.isGlobal() && value.space != space)
    value = AbstractValue::local(space);
  reader.set(op->getResult(0), std::move(value));
}

void readGlobal(KernelReader &reader, Operation *op) {
  auto address = cast<LLVM::AddressOfOp>(op);
  auto global = SymbolTable::lookupNearestSymbolFrom<LLVM::GlobalOp>(
      op, address.getGlobalNameAttr());
  MemorySpace space = KernelReader::spaceOf(address.getType());
  if (!global)
    return reader.setUnknown(
        op, SymbolTable::lookupNearestSymbolFrom<LLVM::AliasOp>(
                op, address.getGlobalNameAttr())
                ? "an alias of a variable"
                : "the address of a function");
  int64_t bytes =
      extentOf(DataLayout::closest(op), global.getGlobalType()).size;
  if (space == MemorySpace::Private)
    return reader.set(op->getResult(0), AbstractValue::local(space));
  KernelModel &model = reader.model;
  bool local = space == MemorySpace::Workgroup;
  auto [entry, fresh] = reader.globals.try_emplace(
      global, local ? model.workgroupBuffers.size() : model.buffers.size());
  std::string name = global.getSymName().str();
  if (fresh && local) {
    model.workgroupMemoryBytes += bytes;
    model.workgroupBuffers.push_back({name, bytes});
  } else if (fresh) {
    Buffer buffer;
    buffer.name = name;
    buffer.bytes = bytes;
    buffer.isConstant = global.getConstant();
    model.buffers.push_back(buffer);
  }
  reader.set(
      op->getResult(0),
      AbstractValue::pointer(space, entry->second, reader.scalars.constant(0)));
}

/// Memory that nobody else has: of the stack, or fresh from an allocator.
void readAllocation(KernelReader &reader, Operation *op) {
  reader.set(op->getResult(0), AbstractValue::local(MemorySpace::Private));
}

/// Memory of the thread's own may end; what others may read must not end
/// before.
void readRelease(KernelReader &reader, Operation *op) {
  std::optional<AbstractValue> view = reader.pointer(op->getOperand(0));
  if (!view || view->space == MemorySpace::Global)
    reader.notModelled(op, view, AccessKind::Write, "it ends their life");
}

KernelReader::Footprint footprintOf(KernelReader &reader, Value pointer,
                                    Type type) {
  KernelReader::Footprint footprint;
  footprint.bytes = reader.bytesOf(type);
  auto view = reader.pointer(pointer);
  if (view && view->space == MemorySpace::Global &&
      reader.pointerBuffers.insert(view->buffer).second)
    reader.model.buffers[view->buffer].elementBytes =
        std::max<int64_t>(reader.bytesOf(getElementTypeOrSelf(type)), 1);
  return footprint;
}

bool isAligned(KernelReader &reader, const CasesRef &offset, int64_t bytes) {
  Scalars &scalars = reader.scalars;
  CasesRef rest = scalars.floorRemainder(offset, scalars.constant(bytes));
  return rest && scalars.constantOf(rest) == 0;
}

/// True if `value` may say where something ends: it is subtracted, or compared
/// with what is neither a constant nor loaded, as a loop does.
static bool mayBeEnd(Value value, unsigned depth = 4) {
  auto isCarried = [&](Value other) {
    return other != value && !other.getDefiningOp<LLVM::ConstantOp>() &&
           !other.getDefiningOp<LLVM::LoadOp>();
  };
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (isa<LLVM::SubOp>(user))
      return true;
    if (isa<LLVM::ICmpOp>(user))
      return llvm::any_of(user->getOperands(), isCarried);
    return depth > 0 &&
           isa<LLVM::SExtOp, LLVM::ZExtOp, LLVM::TruncOp,
               LLVM::ExtractElementOp>(user) &&
           mayBeEnd(user->getResult(0), depth - 1);
  });
}

/// Remembers where `op` reads integers that may be ends.
static void noteEnds(KernelReader &reader, const AbstractValue &view,
                     Operation *op, Type type) {
  constexpr size_t most = 256;
  auto vector = dyn_cast<VectorType>(type);
  if (!getElementTypeOrSelf(type).isInteger() || !view.single() ||
      !view.single()->isLeaf() || !mayBeEnd(op->getResult(0)))
    return;
  std::vector<AffineForm> &places = reader.endsRead[view.buffer];
  int64_t bytes = reader.bytesOf(getElementTypeOrSelf(type));
  int64_t count = vector ? vector.getNumElements() : 1;
  for (int64_t lane = 0; lane < count && places.size() < most; ++lane) {
    AffineForm place = view.single()->form + makeConstant(lane * bytes);
    if (!llvm::is_contained(places, place))
      places.push_back(std::move(place));
  }
}

void readPlainAccess(KernelReader &reader, Operation *op) {
  if (reader.readMember(op) || readGlobalOffset(reader, op))
    return;
  std::optional<MemoryInstruction> plain = asMemoryInstruction(op);
  AccessKind kind = plain ? plain->kind : AccessKind::Read;
  reader.setUnknown(op, kind == AccessKind::Atomic ? "old value of an atomic"
                                                   : kLoaded);
  // The update reads, too.
  if (auto load = dyn_cast<LLVM::LoadOp>(op); load && startsExchangeLoop(load))
    return void(reader.met.insert(op));
  // Loads that go by a constant cache are intrinsics.
  Value pointer = plain ? plain->pointer : op->getOperand(0);
  KernelReader::Footprint footprint = footprintOf(
      reader, pointer, plain ? plain->type : op->getResult(0).getType());
  footprint.alignment = plain ? plain->alignment.value_or(0) : 0;
  // Words that overlap in part do not commute.
  auto view = reader.pointer(pointer);
  bool whole = !view || !view->isGlobal() || !view->single() ||
               isAligned(reader, view->single(), footprint.bytes);
  footprint.update = whole ? updateOf(op) : "";
  if (view && view->isGlobal() && plain && kind == AccessKind::Read &&
      !reader.isTrial())
    noteEnds(reader, *view, op, plain->type);
  reader.accessAt(op, pointer, kind, footprint);
}

} // namespace swizzle::analysis
