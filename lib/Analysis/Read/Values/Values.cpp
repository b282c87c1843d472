//===- Values.cpp - Constants, structs, vectors, undefined values ---------===//
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
//   insertvalue %p, undef[1]; insertvalue %o, _[2]    {?, %p, %o}
//   insertelement %i, poison[0]; shufflevector 0,0,0  (%i, %i, %i)
//
// A lane of an undefined vector is not affine until something is put there.
//
//===----------------------------------------------------------------------===//

#include "../Handlers.h"

using namespace mlir;

namespace swizzle::analysis {

using Kind = AbstractValue::Kind;

/// Lanes of a vector type that are followed, 0 if it has too many.
static int64_t lanesOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector || vector.isScalable() || vector.getNumElements() > kMaxLanes)
    return 0;
  return vector.getNumElements();
}

/// True if something in a value of `type` may be part of an address.
static bool mayAddress(Type type) {
  if (auto record = dyn_cast<LLVM::LLVMStructType>(type))
    return llvm::any_of(record.getBody(), mayAddress);
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return mayAddress(array.getElementType());
  return isa<IntegerType, LLVM::LLVMPointerType>(getElementTypeOrSelf(type));
}

/// An undefined value of `type`, or an unknown one `because`.
static AbstractValue undefinedOf(Type type, const std::string &because) {
  AbstractValue value = AbstractValue::unknown(because);
  auto addMember = [&](Type member) {
    value.kind = Kind::Aggregate;
    value.members.push_back(undefinedOf(member, "a member of a struct"));
  };
  auto record = dyn_cast<LLVM::LLVMStructType>(type);
  auto array = dyn_cast<LLVM::LLVMArrayType>(type);
  if (record && mayAddress(record))
    llvm::for_each(record.getBody(), addMember);
  else if (array && mayAddress(array) && array.getNumElements() <= kMaxLanes)
    for (unsigned i = 0; i < array.getNumElements(); ++i)
      addMember(array.getElementType());
  // A lane that is not known is unknown, frozen or not: it is not poison that
  // may reach those that are.
  if (getElementTypeOrSelf(type).isInteger() && lanesOf(type))
    return AbstractValue::of(std::vector<CasesRef>(lanesOf(type)));
  value.maybePoison = true;
  return value;
}

std::optional<int64_t> numberOf(const APInt &value) {
  if (value.getSignificantBits() > 60)
    return std::nullopt;
  return value.getBitWidth() == 1 ? int64_t(value.getZExtValue())
                                  : value.getSExtValue();
}

AbstractValue KernelReader::constantOf(LLVM::ConstantOp op) {
  auto number = [&](const APInt &value) {
    std::optional<int64_t> known = numberOf(value);
    return known ? scalars.constant(*known)
                 : scalars.fail("a constant beyond 2^60");
  };
  auto dense = dyn_cast<DenseIntElementsAttr>(op.getValue());
  if (isa<VectorType>(op.getType()) && dense &&
      dense.getNumElements() <= kMaxLanes) {
    std::vector<CasesRef> lanes;
    for (const APInt &lane : dense.getValues<APInt>())
      lanes.push_back(number(lane));
    return AbstractValue::of(std::move(lanes));
  }
  if (auto single = dyn_cast<IntegerAttr>(op.getValue()))
    return AbstractValue::of(number(single.getValue()), scalars.reason);
  return AbstractValue::unknown("a constant of another type");
}

void readUndefined(KernelReader &reader, Operation *op) {
  reader.set(op->getResult(0),
             undefinedOf(op->getResult(0).getType(), "an undefined value"));
}

void readZero(KernelReader &reader, Operation *op) {
  Type type = op->getResult(0).getType();
  size_t count = type.isInteger() ? 1 : lanesOf(type);
  AbstractValue zero = undefinedOf(type, "zero");
  if (count && getElementTypeOrSelf(type).isInteger())
    zero = AbstractValue::of(
        std::vector<CasesRef>(count, reader.scalars.constant(0)));
  reader.set(op->getResult(0), std::move(zero));
}

/// The member of `value` at `position`; null if that is not followed.
static AbstractValue *memberAt(AbstractValue &value,
                               llvm::ArrayRef<int64_t> position) {
  AbstractValue *member = &value;
  for (int64_t index : position) {
    if (member->kind != Kind::Aggregate ||
        size_t(index) >= member->members.size())
      return nullptr;
    member = &member->members[index];
  }
  return member;
}

void readInsertValue(KernelReader &reader, Operation *op) {
  auto insert = cast<LLVM::InsertValueOp>(op);
  AbstractValue value = reader.get(insert.getContainer());
  if (AbstractValue *member = memberAt(value, insert.getPosition()))
    *member = reader.get(insert.getValue());
  else
    value.reason = reader.originOf(op, value.reason);
  reader.set(op->getResult(0), std::move(value));
}

void readExtractValue(KernelReader &reader, Operation *op) {
  auto extract = cast<LLVM::ExtractValueOp>(op);
  AbstractValue value = reader.get(extract.getContainer());
  if (AbstractValue *member = memberAt(value, extract.getPosition()))
    return reader.set(op->getResult(0), AbstractValue(*member));
  reader.setUnknown(op,
                    value.isUnknown() ? value.reason : "a member of a struct");
}

void readInsertElement(KernelReader &reader, Operation *op) {
  auto insert = cast<LLVM::InsertElementOp>(op);
  size_t count = lanesOf(op->getResult(0).getType());
  std::optional<int64_t> at =
      reader.scalars.constantOf(reader.scalar(insert.getPosition()));
  AbstractValue element = reader.get(insert.getValue());
  AbstractValue result = reader.get(insert.getVector());
  // A vector of pointers begins as an undefined one. Lanes of another one that
  // is not known may point anywhere.
  bool begins = element.isPointer() && result.isUnknown() &&
                isa_and_nonnull<LLVM::UndefOp, LLVM::PoisonOp, LLVM::ZeroOp>(
                    insert.getVector().getDefiningOp());
  if (begins) {
    result = element;
    result.lanes.assign(count, nullptr);
  }
  // A number that is not known takes nothing from the other lanes; the vectors
  // that LLVM makes of scalars have some that are undefined.
  bool isUnknown =
      element.isUnknown() && isa<IntegerType>(insert.getValue().getType());
  bool same = element.isNumber() || isUnknown
                  ? result.isNumber()
                  : result.isPointer() && element.isPointer() &&
                        result.space == element.space &&
                        result.buffer == element.buffer;
  if (!at || *at < 0 || size_t(*at) >= result.lanes.size() || !same ||
      result.lanes.size() != count)
    return reader.setUnknown(
        op, element.isPointer() && !same
                ? "pointers into several buffers"
                : reader.originOf(op, "a vector that is not affine"));
  result.lanes[*at] = element.single();
  result.reason = element.reason;
  // A lane of which nothing is known stays so whatever is asked of the vector.
  result.maybePoison |= element.single() && element.maybePoison;
  reader.set(op->getResult(0), std::move(result));
}

void readExtractElement(KernelReader &reader, Operation *op) {
  auto extract = cast<LLVM::ExtractElementOp>(op);
  AbstractValue value = reader.get(extract.getVector());
  std::optional<int64_t> at =
      reader.scalars.constantOf(reader.scalar(extract.getPosition()));
  if (!at || *at < 0 || size_t(*at) >= value.lanes.size())
    return reader.setUnknown(
        op, reader.originOf(op, value.isUnknown() ? value.reason
                                                  : "an element of a vector"));
  value.lanes = {value.lanes[*at]};
  if (value.isNumber() && !value.single())
    return reader.setUnknown(op, "a lane that is not affine");
  reader.set(op->getResult(0), std::move(value));
}

void readShuffle(KernelReader &reader, Operation *op) {
  auto shuffle = cast<LLVM::ShuffleVectorOp>(op);
  AbstractValue a = reader.get(shuffle.getV1());
  AbstractValue b = reader.get(shuffle.getV2());
  size_t width = lanesOf(shuffle.getV1().getType());
  // Both vectors one after the other; the second is undefined as a rule.
  bool useful = (a.isNumber() || a.isPointer()) && a.lanes.size() == width;
  std::vector<CasesRef> both = a.lanes;
  both.resize(width);
  if (b.kind == a.kind && (a.isNumber() || sameMemory(a, b)))
    both.insert(both.end(), b.lanes.begin(), b.lanes.end());
  a.lanes.clear();
  for (int32_t lane : shuffle.getMask()) {
    bool known = lane >= 0 && size_t(lane) < both.size();
    // A pointer that is not known may point elsewhere.
    useful &= known || lane < 0 || a.isNumber();
    a.lanes.push_back(known ? both[lane] : nullptr);
  }
  a.maybePoison |= b.maybePoison;
  if (useful)
    return reader.set(op->getResult(0), std::move(a));
  reader.setUnknown(op, reader.originOf(op, "a vector that is not affine"));
}

/// What a value is thought to be mostly changes nothing of what it is.
void readExpected(KernelReader &reader, Operation *op) {
  reader.set(op->getResult(0), reader.get(op->getOperand(0)));
}

/// A value that may be poison is any value once it is frozen.
void readFreeze(KernelReader &reader, Operation *op) {
  AbstractValue value = reader.get(op->getOperand(0));
  if (value.maybePoison)
    return reader.setUnknown(op, "a frozen value that may be poison");
  reader.set(op->getResult(0), std::move(value));
}

} // namespace swizzle::analysis
