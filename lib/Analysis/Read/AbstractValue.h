//===- AbstractValue.h - What is known of an SSA value ----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An SSA value of a lowered kernel as the symbolic execution sees it: a number
// or a pointer, each with a list of lanes (one, unless it is a vector), a
// struct of such values, one of two pointers by a condition, or unknown for a
// stated reason.
//
//   %i = add i32 %x, 1          Number: x + 1
//   %p = getelementptr %a[%i]   Pointer: buffer 0, 4*x + 4
//   %m = icmp slt <4 x i64>     Number: four lanes, each 0 or 1
//
// Numbers are the signed ones that their bits stand for; those of one bit are 0
// and 1.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_ANALYSIS_READ_ABSTRACTVALUE_H
#define SWIZZLE_LIB_ANALYSIS_READ_ABSTRACTVALUE_H

#include "../Affine/Scalars.h"

namespace swizzle::analysis {

enum class MemorySpace : uint8_t { Global, Workgroup, Private };

/// A buffer that is not known.
inline constexpr uint32_t kNoBuffer = UINT32_MAX;

struct AbstractValue {
  enum class Kind : uint8_t { Unknown, Number, Pointer, Aggregate, Choice };
  Kind kind = Kind::Unknown;
  /// The value may be poison: it rests on a promise (`nsw`) that the ranges do
  /// not bear out. Using it as an address is undefined then, freezing it is
  /// not.
  bool maybePoison = false;
  std::string reason; ///< why the value, or a lane of it, is not known
  /// Number, Pointer: the number, or the bytes from the start of the buffer, of
  /// each lane; null: not affine. Choice: the condition.
  std::vector<CasesRef> lanes;
  /// Aggregate: by index. Choice: where the condition holds, and where not.
  std::vector<AbstractValue> members;
  /// \name Pointer; of private memory no more than the space is known
  /// @{
  MemorySpace space = MemorySpace::Global;
  uint32_t buffer = kNoBuffer; ///< in the model, of global or workgroup memory
  CasesRef start;       ///< of a buffer resource: the offset that it begins at
  CasesRef records;     ///< bytes that a buffer resource lets through, if known
  bool checked = false; ///< a buffer resource: accesses beyond it do nothing
  /// @}

  static AbstractValue unknown(std::string reason) {
    AbstractValue value;
    value.reason = std::move(reason);
    return value;
  }
  static AbstractValue of(std::vector<CasesRef> lanes) {
    AbstractValue value;
    value.kind = Kind::Number;
    value.lanes = std::move(lanes);
    return value;
  }
  /// A null tree becomes unknown for `reason`.
  static AbstractValue of(CasesRef number, const std::string &reason) {
    return number ? of(std::vector{std::move(number)}) : unknown(reason);
  }
  static AbstractValue pointer(MemorySpace space, uint32_t buffer,
                               CasesRef offset) {
    AbstractValue value = of(std::vector{std::move(offset)});
    value.kind = Kind::Pointer;
    value.space = space;
    value.buffer = buffer;
    return value;
  }
  static AbstractValue local(MemorySpace space) {
    return pointer(space, kNoBuffer, nullptr);
  }
  static AbstractValue choice(CasesRef condition, AbstractValue yes,
                              AbstractValue no) {
    AbstractValue value = of(std::vector{std::move(condition)});
    value.kind = Kind::Choice;
    value.members = {std::move(yes), std::move(no)};
    return value;
  }

  bool isUnknown() const { return kind == Kind::Unknown; }
  bool isNumber() const { return kind == Kind::Number; }
  bool isPointer() const { return kind == Kind::Pointer; }
  bool isGlobal() const { return isPointer() && space == MemorySpace::Global; }
  /// The only lane; null for a vector.
  CasesRef single() const { return lanes.size() == 1 ? lanes[0] : nullptr; }
};

/// True for two pointers that differ in their offsets at most: to one kind of
/// memory, into one buffer, with the same bounds.
inline bool sameMemory(const AbstractValue &a, const AbstractValue &b) {
  if (!a.isPointer() || !b.isPointer() || a.space != b.space)
    return false;
  return a.space != MemorySpace::Global ||
         (a.buffer == b.buffer && a.lanes.size() == b.lanes.size() &&
          a.checked == b.checked && sameCases(a.records, b.records) &&
          sameCases(a.start, b.start));
}

} // namespace swizzle::analysis

#endif // SWIZZLE_LIB_ANALYSIS_READ_ABSTRACTVALUE_H
