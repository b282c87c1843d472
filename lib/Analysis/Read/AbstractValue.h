//===- AbstractValue.h - What the analysis knows of a value -----*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An SSA value of a lowered kernel as the symbolic execution sees it: an
// integer by cases, a vector of such integers, a pointer, a vector of pointers,
// a struct of any of them, one of two pointers by a condition, or unknown for a
// stated reason.
//
//   %p = getelementptr %a[%i]   Pointer: buffer 0, offset 4*x + 4
//   %m = icmp slt <4 x i64>     Vector: four lanes, each 0 or 1
//
// Integers are the signed numbers that their bits stand for; those of one bit
// are 0 and 1.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_READ_ABSTRACTVALUE_H
#define SWIZZLE_LIB_ANALYSIS_READ_ABSTRACTVALUE_H

#include "../Affine/Scalars.h"
#include <map>

namespace swizzle {

enum class MemorySpace : uint8_t { Global, Workgroup, Private };

/// A buffer that is not known.
inline constexpr uint32_t kNoBuffer = UINT32_MAX;

/// Where a pointer points. Of private memory, only that is known.
struct PointerValue {
  MemorySpace space = MemorySpace::Global;
  uint32_t buffer = kNoBuffer; ///< in the model, of global or workgroup memory
  CasesRef offset;     ///< bytes from the start of the buffer; null: not affine
  std::vector<CasesRef> lanes; ///< of a vector of pointers: the offset of each
  CasesRef start;     ///< of a buffer resource: the offset that it begins at
  CasesRef records;   ///< bytes that a buffer resource lets through, if known
  bool checked = false; ///< a buffer resource: accesses beyond it do nothing
  std::string reason; ///< why `offset` or a lane is null
};

struct AbstractValue {
  enum class Kind : uint8_t {
    Unknown,
    Scalar,
    Vector,
    Pointer,
    Aggregate,
    Choice
  };
  Kind kind = Kind::Unknown;
  /// The value may be poison: it rests on a promise (`nsw`) that the ranges do
  /// not bear out. Using it as an address is undefined then, freezing it is not.
  bool maybePoison = false;
  std::string reason;          ///< Unknown
  CasesRef scalar;             ///< Scalar
  std::vector<CasesRef> lanes; ///< Vector; null: this lane is not affine
  std::shared_ptr<const PointerValue> pointer;           ///< Pointer
  std::map<std::vector<int64_t>, AbstractValue> members; ///< Aggregate
  /// Choice: `yes` where the boolean \c scalar holds, else `no`.
  std::shared_ptr<const AbstractValue> yes, no;

  static AbstractValue unknown(std::string reason) {
    AbstractValue value;
    value.reason = std::move(reason);
    return value;
  }
  /// A null tree becomes unknown for `reason`.
  static AbstractValue of(CasesRef scalar, const std::string &reason) {
    if (!scalar)
      return unknown(reason);
    AbstractValue value;
    value.kind = Kind::Scalar;
    value.scalar = std::move(scalar);
    return value;
  }
  static AbstractValue of(PointerValue pointer) {
    AbstractValue value;
    value.kind = Kind::Pointer;
    value.pointer = std::make_shared<const PointerValue>(std::move(pointer));
    return value;
  }
  static AbstractValue local(MemorySpace space) {
    PointerValue pointer;
    pointer.space = space;
    return of(std::move(pointer));
  }
  static AbstractValue of(std::vector<CasesRef> lanes) {
    AbstractValue value;
    value.kind = Kind::Vector;
    value.lanes = std::move(lanes);
    return value;
  }
  static AbstractValue choice(CasesRef condition, AbstractValue yes,
                              AbstractValue no) {
    AbstractValue value;
    value.kind = Kind::Choice;
    value.scalar = std::move(condition);
    value.yes = std::make_shared<const AbstractValue>(std::move(yes));
    value.no = std::make_shared<const AbstractValue>(std::move(no));
    return value;
  }
  bool isScalar() const { return kind == Kind::Scalar; }
  bool isPointer() const { return kind == Kind::Pointer; }
  bool isGlobal() const {
    return isPointer() && pointer->space == MemorySpace::Global;
  }
};

/// True for two pointers that differ in their offsets at most: to one kind of
/// memory, into one buffer, with the same bounds.
inline bool sameMemory(const AbstractValue &left, const AbstractValue &right) {
  if (!left.isPointer() || !right.isPointer())
    return false;
  const PointerValue &a = *left.pointer, &b = *right.pointer;
  return a.space == b.space &&
         (a.space != MemorySpace::Global ||
          (a.buffer == b.buffer && a.lanes.size() == b.lanes.size() &&
           a.checked == b.checked && sameCases(a.records, b.records) &&
           sameCases(a.start, b.start)));
}

} // namespace swizzle

#endif // SWIZZLE_LIB_ANALYSIS_READ_ABSTRACTVALUE_H
