//===- MachineBuilder.h - Builds a LoweredFormula ------------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The second half of lowering: operations of fixed width. The builder shares
// equal operations, folds constants, drops what does nothing, picks the width
// from the range, and turns divisions by constants into multiplications, shifts
// and masks. A caller may pass a tighter range than the operands imply.
//
// What it makes is total: whatever the ids are, no operation divides by zero or
// shifts too far.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_FORMULA_LOWERING_MACHINEBUILDER_H
#define SWIZZLE_LIB_FORMULA_LOWERING_MACHINEBUILDER_H

#include "swizzle/Formula/Lowering/Lowering.h"
#include "swizzle/Support/IntegerMath.h"
#include "swizzle/Support/Interval.h"
#include <map>
#include <tuple>

namespace swizzle::formula {

/// Index into `LoweredFormula::ops`.
using OpId = uint32_t;

/// The values that an operation can have.
struct Range : Interval {
  /// Holds for every workgroup, not only where the value matters.
  bool total;

  Range(int64_t low = INT64_MIN, int64_t high = INT64_MAX, bool total = true)
      : Interval{low, high}, total(total) {}
  Range(Interval values, bool total) : Interval(values), total(total) {}
  /// What both say; the claim of either about unneeded workgroups may be
  /// weaker.
  Range meet(const Range &other) const;
};

class MachineBuilder {
public:
  /// `trustIds`: every id is inside the grid that ranges are given for.
  explicit MachineBuilder(LoweredFormula &formula, bool trustIds = true)
      : formula(formula), trustIds(trustIds) {}

  const LoweredOp &op(OpId id) const { return formula.ops[id]; }
  std::optional<int64_t> asConstant(OpId id) const;
  Range range(OpId id) const;

  OpId constant(int64_t value);
  OpId id(unsigned axis, int64_t extent);
  OpId extent(unsigned axis);

  /// Integer arithmetic. The result's width follows from its range; `known`
  /// tightens that range. Operands may have any width.
  OpId add(OpId a, OpId b, Range known = {});
  OpId sub(OpId a, OpId b, Range known = {});
  OpId mul(OpId a, OpId b, Range known = {});
  /// Both halves of the unsigned product of two 32-bit values.
  OpId mulLow32(OpId a, OpId b);
  OpId mulHigh32(OpId a, OpId b);
  OpId bitAnd(OpId a, OpId b, Range known = {});
  OpId bitOr(OpId a, OpId b, Range known = {});
  OpId bitXor(OpId a, OpId b, Range known = {});
  OpId shl(OpId a, OpId amount, Range known = {});
  OpId shr(OpId a, OpId amount, Range known = {});
  OpId min(OpId a, OpId b, Range known = {}) {
    return extreme(true, a, b, known);
  }
  OpId max(OpId a, OpId b, Range known = {}) {
    return extreme(false, a, b, known);
  }
  /// Division that rounds down, and its remainder. Any divisor. With
  /// `visible`, the quotient's size is to be seen from its last operation.
  OpId floorDiv(OpId a, OpId b, Range known = {}, bool visible = false);
  OpId floorMod(OpId a, OpId b, Range known = {}, bool visible = false);
  /// a - b * `quotient`, which is the remainder.
  OpId remainder(OpId a, OpId b, OpId quotient, Range known);
  /// As above, where the divisor is known to have one of `values` (two to four
  /// of them, none zero). `isSecond`, of width 1, tells the second of two.
  OpId floorDivByOneOf(OpId a, OpId divisor, llvm::ArrayRef<int64_t> values,
                       std::optional<OpId> isSecond, Range known = {});
  /// Tests, of width 1.
  OpId less(OpId a, OpId b) {
    return compare(LoweredKind::CmpSLt, LoweredKind::CmpULt, a, b);
  }
  OpId lessEqual(OpId a, OpId b) {
    return compare(LoweredKind::CmpSLe, LoweredKind::CmpULe, a, b);
  }
  OpId equal(OpId a, OpId b) {
    return compare(LoweredKind::CmpEq, LoweredKind::CmpEq, a, b);
  }
  OpId notEqual(OpId a, OpId b) {
    return compare(LoweredKind::CmpNe, LoweredKind::CmpNe, a, b);
  }
  OpId select(OpId condition, OpId a, OpId b, Range known = {});
  /// A test as the integer 0 or 1, and an integer as a test.
  OpId asInteger(OpId test);
  OpId asTest(OpId integer);
  OpId curve(LoweredKind kind, OpId i, OpId w, OpId h, Range known);

  /// `value`, whose range is 0 .. `high`, in a form that shows it to a back
  /// end: unchanged where its last few operations do, else with a minimum that
  /// does nothing.
  OpId showBound(OpId value, int64_t high);

  /// Removes what the results do not need.
  void finish(OpId x, OpId y, OpId z);

private:
  OpId emit(LoweredKind kind, unsigned width, llvm::ArrayRef<OpId> operands,
            Range range, int64_t value = 0);
  OpId convert(OpId id, unsigned width);
  /// Width in which both operands are what they mean, read with one sign.
  unsigned commonWidth(OpId a, OpId b, bool &isUnsigned) const;
  OpId extreme(bool isMin, OpId a, OpId b, Range known);
  /// `values`: what the operands' ranges say of the result, `always` or where
  /// those hold.
  OpId modular(LoweredKind kind, OpId a, OpId b, Interval values, Range known,
               bool always = false);
  OpId shift(LoweredKind kind, unsigned width, OpId a, OpId amount,
             Range result);
  OpId unsignedDivByConstant(OpId a, int64_t divisor, Range known,
                             bool visible = false);
  int64_t visibleBound(OpId id, unsigned depth) const;
  OpId divByVariable(OpId a, OpId b, Range known);
  OpId compare(LoweredKind isSigned, LoweredKind isUnsigned, OpId a, OpId b);

  using Key = std::tuple<LoweredKind, unsigned, int64_t, OpId, OpId, OpId>;
  LoweredFormula &formula;
  bool trustIds;
  std::map<Key, OpId> interned;
};

} // namespace swizzle::formula

#endif // SWIZZLE_LIB_FORMULA_LOWERING_MACHINEBUILDER_H
