//===- ReadPointers.cpp - The llvm dialect's memory -----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels after their lowering to the llvm, nvvm and rocdl dialects: pointers,
// address computations, structs that hold memref descriptors, and the target's
// own loads.
//
//===----------------------------------------------------------------------===//

#include "KernelReader.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;

namespace swizzle {

/// Bytes of the elements of `type`, without a vector's padding.
static int64_t sizeOf(Operation *op, Type type) {
  DataLayout layout = DataLayout::closest(op);
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() *
           int64_t(layout.getTypeSize(vector.getElementType()).getFixedValue());
  return layout.getTypeSize(type).getFixedValue();
}

AbstractValue KernelReader::elementPointer(Operation *op) {
  auto gep = cast<LLVM::GEPOp>(op);
  auto base = memory(gep.getBase());
  if (!base)
    return AbstractValue::unknown(reason);
  if (base->space != MemorySpace::Global)
    return AbstractValue::of(*base);
  DataLayout layout = DataLayout::closest(op);
  auto stored = [&](Type type) {
    // Arrays of `type` are padded to its alignment.
    int64_t size = layout.getTypeSize(type).getFixedValue();
    return int64_t(llvm::alignTo(size, layout.getTypeABIAlignment(type)));
  };
  CasesRef offset = base->offset;
  Type type = gep.getElemType();
  bool first = true;
  for (auto index : gep.getIndices()) {
    CasesRef position;
    if (auto attribute = dyn_cast<IntegerAttr>(index))
      position = scalars_.constant(attribute.getInt());
    else
      position = scalar(cast<Value>(index));
    if (!first) {
      if (auto array = dyn_cast<LLVM::LLVMArrayType>(type)) {
        type = array.getElementType();
      } else if (auto vector = dyn_cast<VectorType>(type)) {
        type = vector.getElementType();
      } else if (auto record = dyn_cast<LLVM::LLVMStructType>(type)) {
        std::optional<int64_t> member = scalars_.constantOf(position);
        if (!member || *member < 0 ||
            *member >= int64_t(record.getBody().size()))
          return AbstractValue::unknown("a member that is not constant");
        int64_t bytes = 0;
        for (auto [number, part] : llvm::enumerate(record.getBody())) {
          if (!record.isPacked())
            bytes = llvm::alignTo(bytes, layout.getTypeABIAlignment(part));
          if (int64_t(number) == *member)
            break;
          bytes += layout.getTypeSize(part).getFixedValue();
        }
        offset = scalars_.add(offset, scalars_.constant(bytes));
        type = record.getBody()[*member];
        continue;
      } else {
        return AbstractValue::unknown("an address into an unknown type");
      }
    }
    first = false;
    offset = scalars_.add(offset, scalars_.scale(position, stored(type)));
  }
  MemoryView view = *base;
  view.offset = offset;
  view.reason = scalars_.reason;
  return AbstractValue::of(std::move(view));
}

void KernelReader::accessPointer(Operation *op, Value pointer, Type type,
                                 AccessKind kind) {
  auto view = memory(pointer);
  if (!view)
    return notModelled(op, nullptr, kind, reason);
  if (view->space != MemorySpace::Global)
    return;
  Footprint footprint;
  footprint.bytes = std::max<int64_t>(sizeOf(op, type), 1);
  Buffer &buffer = model.buffers[view->buffer];
  if (pointerBuffers.insert(view->buffer).second)
    buffer.elementBytes =
        std::max<int64_t>(sizeOf(op, getElementTypeOrSelf(type)), 1);
  if (!view->offset)
    scalars_.fail(view->reason);
  access(op, *view, view->offset, kind, footprint);
}

bool KernelReader::readAggregate(Operation *op) {
  using Kind = AbstractValue::Kind;
  if (isa<LLVM::UndefOp, LLVM::PoisonOp, LLVM::ZeroOp>(op)) {
    AbstractValue value;
    if (isa<LLVM::LLVMStructType, LLVM::LLVMArrayType>(
            op->getResult(0).getType()))
      value.kind = Kind::Aggregate;
    else if (auto vector = dyn_cast<VectorType>(op->getResult(0).getType());
             vector && vector.getElementType().isIntOrIndex() &&
             vector.getNumElements() <= 256)
      value = AbstractValue::of(
          std::vector<CasesRef>(vector.getNumElements(), scalars_.constant(0)));
    else if (isa<LLVM::ZeroOp>(op) && op->getResult(0).getType().isInteger())
      value = AbstractValue::of(scalars_.constant(0), "");
    else
      value.reason = "an undefined value";
    set(op->getResult(0), value);
    return true;
  }
  if (auto insert = dyn_cast<LLVM::InsertValueOp>(op)) {
    AbstractValue value = get(insert.getContainer());
    if (value.kind == Kind::Aggregate)
      value.members[insert.getPosition().vec()] = get(insert.getValue());
    set(op->getResult(0), value);
    return true;
  }
  if (auto extract = dyn_cast<LLVM::ExtractValueOp>(op)) {
    AbstractValue value = get(extract.getContainer());
    auto member = value.members.find(extract.getPosition().vec());
    if (value.kind == Kind::Aggregate && member != value.members.end())
      set(op->getResult(0), AbstractValue(member->second));
    else
      setUnknown(op, value.kind == Kind::Unknown ? value.reason
                                                 : "a member of a struct");
    return true;
  }
  if (auto insert = dyn_cast<LLVM::InsertElementOp>(op)) {
    AbstractValue value = get(insert.getVector());
    std::optional<int64_t> at =
        scalars_.constantOf(scalar(insert.getPosition()));
    CasesRef element = scalar(insert.getValue());
    if (at && element && *at >= 0 && *at < int64_t(value.lanes.size())) {
      value.lanes[*at] = element;
      set(op->getResult(0), value);
    } else {
      setUnknown(op, originOf(op, "a vector that is not affine"));
    }
    return true;
  }
  if (auto shuffle = dyn_cast<LLVM::ShuffleVectorOp>(op)) {
    AbstractValue a = get(shuffle.getV1()), b = get(shuffle.getV2());
    std::vector<CasesRef> lanes;
    for (int32_t lane : shuffle.getMask()) {
      size_t from = std::max(lane, 0);
      if (from < a.lanes.size())
        lanes.push_back(a.lanes[from]);
      else if (from - a.lanes.size() < b.lanes.size())
        lanes.push_back(b.lanes[from - a.lanes.size()]);
    }
    if (!a.lanes.empty() && lanes.size() == shuffle.getMask().size())
      set(op->getResult(0), AbstractValue::of(std::move(lanes)));
    else
      setUnknown(op, originOf(op, "a vector that is not affine"));
    return true;
  }
  if (auto extract = dyn_cast<LLVM::ExtractElementOp>(op)) {
    AbstractValue value = get(extract.getVector());
    std::optional<int64_t> at =
        scalars_.constantOf(scalar(extract.getPosition()));
    if (at && *at >= 0 && *at < int64_t(value.lanes.size()))
      set(op->getResult(0), value.lanes[*at]);
    else
      setUnknown(op, originOf(op, "an element of a vector"));
    return true;
  }
  return false;
}

/// The loads of the nvvm and rocdl dialects.
bool KernelReader::readLowered(Operation *op) {
  StringRef name = op->getName().getStringRef();
  auto bytesAt = [&](Value pointer, int64_t bytes, AccessKind kind) {
    accessPointer(
        op, pointer,
        VectorType::get({bytes}, IntegerType::get(op->getContext(), 8)), kind);
    setUnknown(op, kLoaded);
    return true;
  };
  if (auto copy = dyn_cast<NVVM::CpAsyncOp>(op)) {
    if (copy.getCpSize())
      notModelled(op, memory(copy.getSrc()).get(), AccessKind::Read,
                  "a copy of a size that is not constant");
    else
      bytesAt(copy.getSrc(), copy.getSize(), AccessKind::Read);
    return true;
  }
  if (name == "rocdl.load.to.lds" || name == "rocdl.global.load.lds") {
    auto size = op->getAttrOfType<IntegerAttr>("size");
    return bytesAt(op->getOperand(0), size ? size.getInt() : 4,
                   AccessKind::Read);
  }
  if (name == "nvvm.wmma.load" || name == "nvvm.wmma.store") {
    bool load = name.ends_with("load");
    auto view = memory(op->getOperand(0));
    AccessKind kind = load ? AccessKind::Read : AccessKind::Write;
    if (!view || view->space == MemorySpace::Global)
      notModelled(op, view.get(), kind,
                  "the layout of a fragment after lowering");
    setUnknown(op, kLoaded);
    return true;
  }
  if (name == "llvm.intr.assume")
    return true;
  if (name == "nvvm.ldmatrix") {
    setUnknown(op, kLoaded);
    return true;
  }
  if (name == "rocdl.make.buffer.rsrc") {
    set(op->getResult(0), get(op->getOperand(0)));
    return true;
  }
  if (name.starts_with("rocdl.raw.ptr.buffer.")) {
    // The number of records is not looked at: in-bounds is assumed.
    bool load = name.ends_with(".load"), store = name.ends_with(".store");
    unsigned first = load ? 0 : 1;
    AccessKind kind = load    ? AccessKind::Read
                      : store ? AccessKind::Write
                              : AccessKind::Atomic;
    if (name.contains("lds") || name.contains("cmpswap") ||
        op->getNumOperands() < first + 3)
      return false;
    auto view = memory(op->getOperand(first));
    if (!view) {
      notModelled(op, nullptr, kind, reason);
    } else {
      Type type =
          load ? op->getResult(0).getType() : op->getOperand(0).getType();
      Footprint footprint;
      footprint.bytes = sizeOf(op, type);
      CasesRef offset = scalars_.add(scalar(op->getOperand(first + 1)),
                                     scalar(op->getOperand(first + 2)));
      assume("no buffer access of arg" +
             std::to_string(model.buffers[view->buffer].argument) +
             " is out of bounds");
      access(op, *view,
             view->offset ? scalars_.add(view->offset, offset) : nullptr, kind,
             footprint);
    }
    setUnknown(op, kLoaded);
    return true;
  }
  return false;
}

bool KernelReader::readPointer(Operation *op) {
  if (readAggregate(op) || readLowered(op))
    return true;
  if (isa<LLVM::GEPOp>(op)) {
    set(op->getResult(0), elementPointer(op));
    return true;
  }
  if (isa<LLVM::AddrSpaceCastOp, LLVM::BitcastOp>(op)) {
    set(op->getResult(0), get(op->getOperand(0)));
    return true;
  }
  if (auto address = dyn_cast<LLVM::AddressOfOp>(op)) {
    auto global = SymbolTable::lookupNearestSymbolFrom<LLVM::GlobalOp>(
        op, address.getGlobalNameAttr());
    MemoryView view;
    view.space = spaceOf(address.getType());
    if (!global) {
      setUnknown(op, "the address of a function");
      return true;
    }
    int64_t bytes = DataLayout::closest(op)
                        .getTypeSize(global.getGlobalType())
                        .getFixedValue();
    if (view.space == MemorySpace::Workgroup &&
        workgroupGlobals.insert(global).second)
      model.workgroupMemoryBytes += bytes;
    if (view.space == MemorySpace::Global) {
      auto [entry, fresh] =
          globals.try_emplace(global, uint32_t(model.buffers.size()));
      if (fresh) {
        Buffer buffer;
        buffer.name = global.getSymName().str();
        buffer.bytes = bytes;
        model.buffers.push_back(buffer);
      }
      view.buffer = entry->second;
      view.offset = scalars_.constant(0);
    }
    set(op->getResult(0), AbstractValue::of(std::move(view)));
    return true;
  }
  if (isa<LLVM::AllocaOp>(op)) {
    MemoryView local;
    local.space = MemorySpace::Private;
    set(op->getResult(0), AbstractValue::of(std::move(local)));
    return true;
  }
  if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
    accessPointer(op, load.getAddr(), load.getType(), AccessKind::Read);
    setUnknown(op, kLoaded);
    return true;
  }
  if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
    accessPointer(op, store.getAddr(), store.getValue().getType(),
                  AccessKind::Write);
    return true;
  }
  if (auto atomic = dyn_cast<LLVM::AtomicRMWOp>(op)) {
    accessPointer(op, atomic.getPtr(), atomic.getVal().getType(),
                  AccessKind::Atomic);
    setUnknown(op, "old value of an atomic");
    return true;
  }
  if (auto atomic = dyn_cast<LLVM::AtomicCmpXchgOp>(op)) {
    accessPointer(op, atomic.getPtr(), atomic.getVal().getType(),
                  AccessKind::Atomic);
    setUnknown(op, "old value of an atomic");
    return true;
  }
  bool maskedLoad = isa<LLVM::MaskedLoadOp>(op);
  if (maskedLoad || isa<LLVM::MaskedStoreOp>(op)) {
    unsigned first = maskedLoad ? 0 : 1;
    auto type = cast<VectorType>(maskedLoad ? op->getResult(0).getType()
                                            : op->getOperand(0).getType());
    AccessKind kind = maskedLoad ? AccessKind::Read : AccessKind::Write;
    auto view = memory(op->getOperand(first));
    if (!view) {
      notModelled(op, nullptr, kind, reason);
    } else if (view->space == MemorySpace::Global) {
      MemoryView elements = *view;
      elements.elementBytes = sizeOf(op, type.getElementType());
      if (pointerBuffers.insert(view->buffer).second)
        model.buffers[view->buffer].elementBytes = elements.elementBytes;
      std::vector<CasesRef> offsets;
      for (int64_t lane = 0; lane < type.getNumElements(); ++lane)
        offsets.push_back(scalars_.add(
            view->offset, scalars_.constant(lane * elements.elementBytes)));
      accessLanes(op, elements, offsets, get(op->getOperand(first + 1)), kind);
    }
    setUnknown(op, kLoaded);
    return true;
  }
  return false;
}

} // namespace swizzle
