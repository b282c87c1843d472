//===- MachineDivision.cpp - Divisions as multiplications, shifts, masks --===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Division by a constant becomes the upper half of a product; division by one
// of a few constants becomes a choice between their multipliers, and one
// product. Only a divisor that nothing is known about is divided by, and never
// where it could be zero.
//
//   x // 3 for x < 64:    (x * 43) >> 7
//   x // 12 for x < 64:   ((x >> 2) * 11) >> 5     halved first
//   x % 3:                x - 3 * (x // 3)
//
// Sources: T. Granlund, P. L. Montgomery, Division by Invariant Integers using
// Multiplication, PLDI 1994; H. S. Warren, Hacker's Delight, chapter 10.
//
//===----------------------------------------------------------------------===//

#include "MachineBuilder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace swizzle::formula {

/// The multiplier for n / d as mulhi(n, m) >> shift, if it fits 32 bits.
static std::optional<uint64_t> highMultiplier(int64_t divisor, int64_t most,
                                              unsigned shift) {
  std::optional<uint64_t> result = multiplierFor(divisor, most, 32 + shift);
  return result && *result <= UINT32_MAX ? result : std::nullopt;
}

OpId MachineBuilder::unsignedDivByConstant(OpId a, int64_t divisor, Range known,
                                           bool visible) {
  Range x = range(a);
  if (x.high < divisor)
    return constant(0);
  if (llvm::isPowerOf2_64(divisor))
    return shr(a, constant(llvm::Log2_64(divisor)), known);
  Range result = Range{x.low / divisor, x.high / divisor, x.total}.meet(known);
  if (visible) // (n * m) >> shift in 32 bits, with the largest shift
    for (unsigned shift = 31; shift > 0; --shift) {
      std::optional<uint64_t> m = multiplierFor(divisor, x.high, shift);
      if (m && *m * (unsigned __int128)x.high <= UINT32_MAX)
        return shr(mul(a, constant(*m)), constant(shift), known);
    }
  if (x.high <= int64_t(UINT32_MAX)) {
    for (unsigned shift = 0; shift < 32; ++shift) {
      std::optional<uint64_t> m = highMultiplier(divisor, x.high, shift);
      if (!m)
        continue;
      if (shift && divisor % 2 == 0) {
        // Halving first never needs a longer sequence.
        unsigned zeros = llvm::countr_zero(uint64_t(divisor));
        return unsignedDivByConstant(shr(a, constant(zeros)), divisor >> zeros,
                                     known);
      }
      Range product{0, int64_t((uint64_t(x.high) * *m) >> 32), x.total};
      if (!shift)
        product = result;
      OpId high = emit(LoweredKind::UMulHi, 32,
                       {convert(a, 32), convert(constant(*m), 32)}, product);
      return shr(high, constant(shift), known);
    }
    if (divisor % 2 == 0)
      return unsignedDivByConstant(shr(a, constant(1)), divisor / 2, known);
    return emit(LoweredKind::UDiv, 32,
                {convert(a, 32), convert(constant(divisor), 32)}, result);
  }
  return emit(LoweredKind::UDiv, 64,
              {convert(a, 64), convert(constant(divisor), 64)}, result);
}

OpId MachineBuilder::divByVariable(OpId a, OpId b, Range known) {
  Range x = range(a), y = range(b);
  bool isUnsigned;
  unsigned width = commonWidth(a, b, isUnsigned);
  if (isUnsigned) {
    Range result =
        Range{x.low / std::max<int64_t>(y.high, 1),
              x.high / std::max<int64_t>(y.low, 1), x.total && y.total}
            .meet(known);
    OpId divisor = convert(b, width);
    if (!y.total || y.low < 1)
      divisor =
          emit(LoweredKind::UMax, width, {divisor, convert(constant(1), width)},
               {1, width == 32 ? int64_t(UINT32_MAX) : INT64_MAX, true});
    return emit(LoweredKind::UDiv, width, {convert(a, width), divisor}, result);
  }

  // Signs differ or are unknown. Divisors 0 and -1 are replaced by 1: the first
  // is undefined, the second could overflow and is a negation.
  if (x.low <= INT32_MIN)
    width = 64;
  Range any{INT64_MIN, INT64_MAX, false};
  if (width == 32)
    any = {INT32_MIN, INT32_MAX, false};
  OpId n = convert(a, width), d = convert(b, width);
  auto number = [&](int64_t value) { return convert(constant(value), width); };
  OpId unsafe = emit(
      LoweredKind::CmpULt, 1,
      {emit(LoweredKind::Add, width, {d, number(1)}, any), number(2)}, {0, 1});
  OpId safe = emit(LoweredKind::Select, width, {unsafe, number(1), d}, any);
  OpId quotient = emit(LoweredKind::SDiv, width, {n, safe}, any);
  OpId product = emit(LoweredKind::Mul, width, {quotient, safe}, any);
  OpId rest = emit(LoweredKind::Sub, width, {n, product}, any);
  OpId signs = emit(LoweredKind::Xor, width, {rest, safe}, any);
  OpId inexact = emit(LoweredKind::CmpNe, 1, {rest, number(0)}, {0, 1});
  OpId differ = emit(LoweredKind::CmpSLt, 1, {signs, number(0)}, {0, 1});
  OpId roundDown = emit(LoweredKind::And, 1, {inexact, differ}, {0, 1});
  OpId less = emit(LoweredKind::Sub, width, {quotient, number(1)}, any);
  OpId floor =
      emit(LoweredKind::Select, width, {roundDown, less, quotient}, any);
  OpId isMinusOne = emit(LoweredKind::CmpEq, 1, {d, number(-1)}, {0, 1});
  OpId negated = emit(LoweredKind::Sub, width, {number(0), n}, any);
  known.total = false;
  return emit(LoweredKind::Select, width, {isMinusOne, negated, floor},
              any.meet(known));
}

OpId MachineBuilder::floorDiv(OpId a, OpId b, Range known, bool visible) {
  std::optional<int64_t> divisor = asConstant(b);
  if (!divisor || *divisor == 0 || *divisor == INT64_MIN)
    return divByVariable(a, b, known);
  if (*divisor == 1)
    return a;
  if (*divisor < 0)
    return floorDiv(sub(constant(0), a), constant(-*divisor), known);
  if (llvm::isPowerOf2_64(*divisor))
    return shr(a, constant(llvm::Log2_64(*divisor)), known);
  Range x = range(a);
  if (x.low >= 0)
    return unsignedDivByConstant(a, *divisor, known, visible);
  // Shift the dividend up by a multiple of the divisor, and the quotient down.
  __int128 steps = (-(__int128)x.low + *divisor - 1) / *divisor;
  __int128 bias = steps * *divisor;
  if (bias > INT64_MAX || bias + x.high > INT64_MAX)
    return divByVariable(a, b, known);
  OpId raised = add(a, constant(int64_t(bias)));
  return sub(unsignedDivByConstant(raised, *divisor, {}),
             constant(int64_t(steps)), known);
}

OpId MachineBuilder::floorMod(OpId a, OpId b, Range known, bool visible) {
  Range x = range(a);
  std::optional<int64_t> divisor = asConstant(b);
  if (divisor && *divisor > 0) {
    if (*divisor == 1)
      return constant(0);
    if (x.total && x.low >= 0 && x.high < *divisor)
      return a;
    if (llvm::isPowerOf2_64(*divisor))
      return bitAnd(a, constant(*divisor - 1), known);
    known = known.meet({0, *divisor - 1, x.total});
  } else if (divisor && *divisor < 0 && *divisor != INT64_MIN) {
    OpId rest = floorMod(sub(constant(0), a), constant(-*divisor));
    return sub(constant(0), rest, known);
  }
  return remainder(a, b, floorDiv(a, b, {}, visible), known);
}

OpId MachineBuilder::remainder(OpId a, OpId b, OpId quotient, Range known) {
  Range x = range(a), y = range(b), multiple;
  if (x.low >= 0 && y.low >= 0)
    multiple = {0, x.high, x.total && y.total};
  return sub(a, mul(quotient, b, multiple), known);
}

OpId MachineBuilder::floorDivByOneOf(OpId a, OpId divisor,
                                     llvm::ArrayRef<int64_t> values,
                                     std::optional<OpId> isSecond,
                                     Range known) {
  Range x = range(a);
  if (x.low < 0 || llvm::any_of(values, [](int64_t v) { return v <= 0; }))
    return divByVariable(a, divisor, known);

  // One of a number of operations, by the divisor's value.
  auto choose = [&](llvm::ArrayRef<OpId> choices) {
    OpId result = choices[0];
    for (size_t i = 1; i < values.size(); ++i) {
      OpId test = values.size() == 2 && isSecond
                      ? *isSecond
                      : equal(divisor, constant(values[i]));
      result = select(test, choices[i], result);
    }
    return result;
  };
  llvm::SmallVector<OpId, 4> choices;
  if (llvm::all_of(values, [](int64_t v) { return llvm::isPowerOf2_64(v); })) {
    for (int64_t value : values)
      choices.push_back(constant(llvm::Log2_64(value)));
    return shr(a, choose(choices), known);
  }
  if (x.high <= int64_t(UINT32_MAX) && values[0] > 1) {
    for (unsigned shift = 0; shift < 32; ++shift) {
      choices.clear();
      for (int64_t value : values)
        if (std::optional<uint64_t> m = highMultiplier(value, x.high, shift))
          choices.push_back(constant(*m));
      if (choices.size() != values.size())
        continue;
      Range product{0, x.high, x.total};
      if (!shift)
        product = product.meet(known);
      OpId high = emit(LoweredKind::UMulHi, 32,
                       {convert(a, 32), convert(choose(choices), 32)}, product);
      return shr(high, constant(shift), known);
    }
    choices.clear();
  }
  for (int64_t value : values)
    choices.push_back(floorDiv(a, constant(value)));
  return choose(choices);
}

} // namespace swizzle::formula
