//===- Values.cpp - Structs, vectors and undefined values ---------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes values apart and puts them together: memref descriptors are structs,
// masks and the indices of a gather are vectors.
//
//   insertvalue %p, undef[1]; insertvalue %o, _[2]    {[1]: %p, [2]: %o}
//   insertelement %i, poison[0]; shufflevector 0,0,0  (%i, %i, %i)
//
// A lane of an undefined vector is not affine until something is put there.
//
//===----------------------------------------------------------------------===//

#include "Handlers.h"

using namespace mlir;

namespace swizzle {

using Kind = AbstractValue::Kind;

/// Lanes of a vector type that are followed, 0 if it has too many.
static int64_t lanesOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector || vector.isScalable() || vector.getNumElements() > kMaxLanes)
    return 0;
  return vector.getNumElements();
}

static bool isAggregate(Type type) {
  return isa<LLVM::LLVMStructType, LLVM::LLVMArrayType>(type);
}

void readUndefined(KernelReader &reader, Operation *op) {
  Type type = op->getResult(0).getType();
  AbstractValue value = AbstractValue::unknown("an undefined value");
  if (isAggregate(type)) {
    value.kind = Kind::Aggregate;
  } else if (int64_t count = lanesOf(type)) {
    Type element = cast<VectorType>(type).getElementType();
    if (element.isInteger())
      value = AbstractValue::of(std::vector<CasesRef>(count));
  }
  value.maybePoison = true;
  reader.set(op->getResult(0), value);
}

void readZero(KernelReader &reader, Operation *op) {
  Type type = op->getResult(0).getType();
  int64_t count = lanesOf(type);
  if (type.isInteger())
    reader.set(op->getResult(0), reader.scalars.constant(0));
  else if (count && cast<VectorType>(type).getElementType().isInteger())
    reader.set(op->getResult(0), AbstractValue::of(std::vector<CasesRef>(
                                     count, reader.scalars.constant(0))));
  else if (isAggregate(type))
    readUndefined(reader, op);
  else
    reader.setUnknown(op, "zero");
}

void readInsertValue(KernelReader &reader, Operation *op) {
  auto insert = cast<LLVM::InsertValueOp>(op);
  AbstractValue value = reader.get(insert.getContainer());
  AbstractValue member = reader.get(insert.getValue());
  std::vector<int64_t> position = insert.getPosition().vec();
  if (value.kind == Kind::Aggregate) {
    // A struct inside a struct is kept by its members.
    llvm::erase_if(position, [](int64_t i) { return i < 0; });
    for (auto it = value.members.begin(); it != value.members.end();)
      it = it->first.size() > position.size() &&
                   std::equal(position.begin(), position.end(),
                              it->first.begin())
               ? value.members.erase(it)
               : std::next(it);
    if (member.kind == Kind::Aggregate) {
      value.members.erase(position);
      for (const auto &[inner, part] : member.members) {
        std::vector<int64_t> path = position;
        path.insert(path.end(), inner.begin(), inner.end());
        value.members[path] = part;
      }
    } else {
      value.members[position] = member;
    }
  }
  reader.set(op->getResult(0), value);
}

void readExtractValue(KernelReader &reader, Operation *op) {
  auto extract = cast<LLVM::ExtractValueOp>(op);
  AbstractValue value = reader.get(extract.getContainer());
  std::vector<int64_t> position = extract.getPosition().vec();
  if (value.kind != Kind::Aggregate)
    return reader.setUnknown(op, value.reason);
  if (auto member = value.members.find(position);
      member != value.members.end())
    return reader.set(op->getResult(0), AbstractValue(member->second));
  AbstractValue inner;
  if (!isAggregate(op->getResult(0).getType()))
    return reader.setUnknown(op, "a member of a struct");
  inner.kind = Kind::Aggregate;
  for (const auto &[path, part] : value.members)
    if (path.size() > position.size() &&
        std::equal(position.begin(), position.end(), path.begin()))
      inner.members[std::vector<int64_t>(path.begin() + position.size(),
                                         path.end())] = part;
  reader.set(op->getResult(0), inner);
}

/// Sets lane `at` of `target` to `element`: both integers, or both pointers
/// into one buffer.
static AbstractValue withLane(const AbstractValue &target,
                              const AbstractValue &element, int64_t at,
                              int64_t count) {
  AbstractValue result = target;
  if (element.isPointer()) {
    // A vector of pointers begins as an undefined one.
    bool same = target.isPointer() &&
                target.pointer->space == element.pointer->space &&
                target.pointer->buffer == element.pointer->buffer &&
                int64_t(target.pointer->lanes.size()) == count;
    if (!same && target.isPointer())
      return AbstractValue::unknown("pointers into several buffers");
    PointerValue view = same ? *target.pointer : *element.pointer;
    if (!same)
      view.lanes.assign(count, nullptr);
    view.offset = nullptr;
    view.lanes[at] = element.pointer->offset;
    view.reason = element.pointer->reason;
    result = AbstractValue::of(std::move(view));
  } else if (int64_t(target.lanes.size()) == count) {
    result.lanes[at] = element.isScalar() ? element.scalar : nullptr;
  } else {
    return AbstractValue::unknown("a vector that is not affine");
  }
  result.maybePoison = target.maybePoison || element.maybePoison;
  return result;
}

void readInsertElement(KernelReader &reader, Operation *op) {
  auto insert = cast<LLVM::InsertElementOp>(op);
  int64_t count = lanesOf(op->getResult(0).getType());
  std::optional<int64_t> at =
      reader.scalars.constantOf(reader.scalar(insert.getPosition()));
  AbstractValue element = reader.get(insert.getValue());
  if (!at || *at < 0 || *at >= count || element.kind == Kind::Unknown)
    return reader.setUnknown(
        op, reader.originOf(op, "a vector that is not affine"));
  reader.set(op->getResult(0),
             withLane(reader.get(insert.getVector()), element, *at, count));
}

void readExtractElement(KernelReader &reader, Operation *op) {
  auto extract = cast<LLVM::ExtractElementOp>(op);
  AbstractValue value = reader.get(extract.getVector());
  std::optional<int64_t> at =
      reader.scalars.constantOf(reader.scalar(extract.getPosition()));
  AbstractValue element;
  if (at && *at >= 0 && *at < int64_t(value.lanes.size())) {
    element = AbstractValue::of(value.lanes[*at], "a lane that is not affine");
  } else if (at && *at >= 0 && value.isPointer() &&
             *at < int64_t(value.pointer->lanes.size())) {
    PointerValue view = *value.pointer;
    view.offset = view.lanes[*at];
    view.lanes.clear();
    element = AbstractValue::of(std::move(view));
  } else {
    return reader.setUnknown(op,
                             reader.originOf(op, "an element of a vector"));
  }
  element.maybePoison = value.maybePoison;
  reader.set(op->getResult(0), std::move(element));
}

void readShuffle(KernelReader &reader, Operation *op) {
  auto shuffle = cast<LLVM::ShuffleVectorOp>(op);
  AbstractValue a = reader.get(shuffle.getV1());
  AbstractValue b = reader.get(shuffle.getV2());
  size_t width = lanesOf(shuffle.getV1().getType());
  std::vector<CasesRef> lanes;
  bool pointers = a.isPointer() && a.pointer->lanes.size() == width;
  const std::vector<CasesRef> &first = pointers ? a.pointer->lanes : a.lanes;
  bool useful = !first.empty();
  for (int32_t lane : shuffle.getMask()) {
    CasesRef from;
    if (lane >= 0 && size_t(lane) < width)
      from = size_t(lane) < first.size() ? first[lane] : nullptr;
    else if (lane >= 0 && !pointers && size_t(lane) - width < b.lanes.size())
      from = b.lanes[lane - width];
    else if (lane >= 0 && pointers)
      useful = false;
    lanes.push_back(from);
  }
  if (!useful)
    return reader.setUnknown(
        op, reader.originOf(op, "a vector that is not affine"));
  AbstractValue result;
  if (pointers) {
    PointerValue view = *a.pointer;
    view.lanes = std::move(lanes);
    result = AbstractValue::of(std::move(view));
  } else {
    result = AbstractValue::of(std::move(lanes));
  }
  result.maybePoison = a.maybePoison || b.maybePoison;
  reader.set(op->getResult(0), std::move(result));
}

/// A value that may be poison is any value once it is frozen.
void readFreeze(KernelReader &reader, Operation *op) {
  AbstractValue value = reader.get(op->getOperand(0));
  if (value.maybePoison)
    return reader.setUnknown(op, "a frozen value that may be poison");
  reader.set(op->getResult(0), std::move(value));
}

} // namespace swizzle
