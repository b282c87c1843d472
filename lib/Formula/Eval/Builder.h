//===- Builder.h - Instructions with ranges, folded and shared --*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Appends instructions to a program. Each value carries the range of what it
// can be; constants fold, equal instructions are shared, and a check is added
// only where the ranges leave a fault possible.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_FORMULA_EVAL_BUILDER_H
#define SWIZZLE_LIB_FORMULA_EVAL_BUILDER_H

#include "Program.h"
#include "swizzle/Support/Interval.h"

#include "llvm/ADT/SmallVector.h"
#include <map>
#include <tuple>

namespace swizzle::formula {

class Builder {
public:
  explicit Builder(BoundFormula::Program &program)
      : code(program.code), undefined(program.undefined) {}

  Slot constant(int64_t value);
  /// An input column (X, Y, Z, Linear) with its range, which starts at 0.
  Slot input(Op op, int64_t high);
  Slot extent(unsigned axis);
  /// `y * extent + x` is the linear id of a grid with one layer, and so on:
  /// declares that `a + b` (both slots) is the input `value`.
  void declareSum(Slot a, Slot b, Slot value);

  /// A value that the language defines; adds the checks that it needs under
  /// the current guard. `position` is for the checks.
  Slot binary(ExprKind kind, Slot a, Slot b, SourcePosition position);
  Slot negate(Slot a, SourcePosition position);
  Slot absolute(Slot a, SourcePosition position);
  Slot curve(ExprKind kind, Slot i, Slot w, Slot h, SourcePosition position);
  Slot select(Slot condition, Slot then, Slot otherwise);
  Slot less(Slot a, Slot b);
  /// 0 or 1.
  Slot truth(Slot a);
  Slot logicalNot(Slot a);
  /// Both are 0 or 1.
  Slot both(Slot a, Slot b);

  /// Adds a check that `a` lies in 0 .. bound-1.
  void checkBelow(Slot a, int64_t bound, SourcePosition position);
  /// The linear id of coordinates that `checkBelow` has checked.
  Slot linearise(Slot x, Slot y, Slot z, const Grid &grid);

  bool isConstant(Slot a) const { return code[a].op == Op::Constant; }
  int64_t low(Slot a) const { return code[a].low; }
  int64_t high(Slot a) const { return code[a].high; }
  Interval range(Slot a) const { return {low(a), high(a)}; }

  /// Checks count only where this slot holds; kNoSlot: everywhere.
  Slot guard = kNoSlot;
  /// True once an unguarded check can only fail.
  bool alwaysFaults = false;

private:
  Slot emit(Op op, Slot a, Slot b, Slot c, int64_t imm, Interval range);
  void checkAlways(Fault fault, SourcePosition position);
  /// The slot of the check.
  Slot check(Op op, Slot a, Slot b, int64_t imm, SourcePosition position);
  /// `value`, which is undefined where one of `checks` says so.
  Slot undefinedWhere(Slot value, llvm::ArrayRef<Slot> checks);
  Slot arithmetic(Op op, Slot a, Slot b, SourcePosition position);
  Slot divide(bool remainder, Slot a, Slot b, SourcePosition position);
  Slot ceilDivide(Slot a, Slot b, SourcePosition position);
  Slot minMax(Op op, Slot a, Slot b);
  Slot bitwise(Op op, Slot a, Slot b);
  Slot shift(Op op, Slot a, Slot b, SourcePosition position);
  Slot compare(Op op, Slot a, Slot b);

  using Key = std::tuple<Op, Slot, Slot, Slot, int64_t>;
  std::vector<Instruction> &code;
  std::vector<std::pair<Slot, Slot>> &undefined;
  std::map<Key, Slot> shared;
};

} // namespace swizzle::formula

#endif // SWIZZLE_LIB_FORMULA_EVAL_BUILDER_H
