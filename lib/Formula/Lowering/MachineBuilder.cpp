//===- MachineBuilder.cpp - Builds LoweredFormula, narrow and shared ------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sharing, widths, ranges, and everything but division (MachineDivision.cpp).
//
// Ranges are of the integers that the operations stand for. An operation whose
// result fits 32 bits is done in 32 bits if its low bits depend on low bits
// only; otherwise its operands must fit as well.
//
//===----------------------------------------------------------------------===//

#include "MachineBuilder.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace swizzle::formula {

Range Range::meet(const Range &other) const {
  Range result{std::max(low, other.low), std::min(high, other.high),
               total && other.total};
  if (result.low > result.high) // Never needed; any range will do.
    return {low, high, false};
  return result;
}

static bool fits(const Range &range, unsigned width) {
  if (width == 64)
    return true;
  return range.low >= 0 ? range.high <= int64_t(UINT32_MAX)
                        : range.low >= INT32_MIN && range.high <= INT32_MAX;
}

static unsigned widthFor(const Range &range) {
  return fits(range, 32) ? 32 : 64;
}

std::optional<int64_t> MachineBuilder::asConstant(OpId id) const {
  if (op(id).kind == LoweredKind::Constant)
    return op(id).value;
  return std::nullopt;
}

Range MachineBuilder::range(OpId id) const {
  return {op(id).low, op(id).high, op(id).total};
}

OpId MachineBuilder::emit(LoweredKind kind, unsigned width,
                          llvm::ArrayRef<OpId> operands, Range range,
                          int64_t value) {
  // Where the range does not hold the value is not needed.
  if (range.low == range.high && kind != LoweredKind::Constant && width != 1)
    return constant(range.low);
  LoweredOp made;
  made.kind = kind;
  made.width = width;
  made.value = value;
  made.numOperands = operands.size();
  std::copy(operands.begin(), operands.end(), made.operands);
  made.low = range.low;
  made.high = range.high;
  made.total = range.total;
  Key key{
      kind, width, value, made.operands[0], made.operands[1], made.operands[2]};
  auto [entry, inserted] = interned.try_emplace(key, formula.ops.size());
  if (inserted) {
    formula.ops.push_back(made);
    return entry->second;
  }
  // The same operation: what is known about either is known about it.
  LoweredOp &known = formula.ops[entry->second];
  if (known.total == made.total) {
    known.low = std::max(known.low, made.low);
    known.high = std::min(known.high, made.high);
  } else if (made.total) {
    known.low = made.low;
    known.high = made.high;
    known.total = true;
  }
  return entry->second;
}

OpId MachineBuilder::constant(int64_t value) {
  Range range{value, value};
  return emit(LoweredKind::Constant, widthFor(range), {}, range, value);
}

OpId MachineBuilder::id(unsigned axis, int64_t extent) {
  if (extent == 1)
    return constant(0);
  int64_t high = extent == kUnknownExtent ? INT32_MAX - 1 : extent - 1;
  return emit(LoweredKind::Id, 32, {}, {0, high, trustIds}, axis);
}

OpId MachineBuilder::extent(unsigned axis) {
  return emit(LoweredKind::Extent, 32, {}, {1, INT32_MAX}, axis);
}

OpId MachineBuilder::convert(OpId id, unsigned width) {
  const LoweredOp from = op(id);
  if (from.width == width)
    return id;
  if (from.kind == LoweredKind::Constant)
    return emit(LoweredKind::Constant, width, {}, range(id), from.value);
  if (width < from.width)
    return emit(LoweredKind::Trunc, width, {id}, range(id));
  LoweredKind kind = from.low >= 0 ? LoweredKind::ZExt : LoweredKind::SExt;
  return emit(kind, width, {id}, range(id));
}

unsigned MachineBuilder::commonWidth(OpId a, OpId b, bool &isUnsigned) const {
  Range x = range(a), y = range(b);
  isUnsigned = x.low >= 0 && y.low >= 0;
  return widthFor({hull(x, y), true});
}

/// A range cut to what 64 bits hold.
static Interval cut(WideInterval wide) {
  if (!wide.fits())
    return {INT64_MIN, INT64_MAX};
  return {int64_t(wide.low), int64_t(wide.high)};
}

/// An operation whose low bits depend on the low bits of its operands only.
OpId MachineBuilder::modular(LoweredKind kind, OpId a, OpId b, Interval values,
                             Range known, bool always) {
  bool total = always || (op(a).total && op(b).total);
  Range range = Range{values, total}.meet(known);
  unsigned width = widthFor(range);
  return emit(kind, width, {convert(a, width), convert(b, width)}, range);
}

OpId MachineBuilder::add(OpId a, OpId b, Range known) {
  if (asConstant(a))
    std::swap(a, b);
  if (asConstant(b) == 0)
    return a;
  return modular(LoweredKind::Add, a, b, cut(range(a).wide() + range(b).wide()),
                 known);
}

OpId MachineBuilder::sub(OpId a, OpId b, Range known) {
  if (asConstant(b) == 0)
    return a;
  if (a == b)
    return constant(0);
  return modular(LoweredKind::Sub, a, b, cut(range(a).wide() - range(b).wide()),
                 known);
}

OpId MachineBuilder::mul(OpId a, OpId b, Range known) {
  if (asConstant(a))
    std::swap(a, b);
  if (std::optional<int64_t> factor = asConstant(b)) {
    if (*factor == 0)
      return b;
    if (*factor == 1)
      return a;
    if (*factor > 0 && llvm::isPowerOf2_64(*factor))
      return shl(a, constant(llvm::Log2_64(*factor)), known);
  }
  return modular(LoweredKind::Mul, a, b, cut(range(a).wide() * range(b).wide()),
                 known);
}

OpId MachineBuilder::mulLow32(OpId a, OpId b) {
  return emit(LoweredKind::Mul, 32, {convert(a, 32), convert(b, 32)},
              {0, UINT32_MAX, false});
}

OpId MachineBuilder::mulHigh32(OpId a, OpId b) {
  return emit(LoweredKind::UMulHi, 32, {convert(a, 32), convert(b, 32)},
              {0, UINT32_MAX, false});
}

OpId MachineBuilder::bitAnd(OpId a, OpId b, Range known) {
  if (asConstant(a))
    std::swap(a, b);
  Range x = range(a);
  std::optional<int64_t> mask = asConstant(b);
  if (mask) {
    if (*mask == 0)
      return b;
    bool lowOnes = *mask > 0 && llvm::isMask_64(*mask);
    if (*mask == -1 || (lowOnes && x.low >= 0 && x.high <= *mask && x.total))
      return a;
  }
  if (mask && *mask >= 0 && !x.total) // The mask alone bounds the result.
    return modular(LoweredKind::And, a, b, {0, *mask}, known, true);
  return modular(LoweredKind::And, a, b, rangeOfAnd(x, range(b)), known);
}

OpId MachineBuilder::bitOr(OpId a, OpId b, Range known) {
  if (asConstant(a) == 0)
    return b;
  if (asConstant(b) == 0 || a == b)
    return a;
  return modular(LoweredKind::Or, a, b, rangeOfOr(range(a), range(b)), known);
}

OpId MachineBuilder::bitXor(OpId a, OpId b, Range known) {
  if (asConstant(a) == 0)
    return b;
  if (asConstant(b) == 0)
    return a;
  if (a == b)
    return constant(0);
  return modular(LoweredKind::Xor, a, b, rangeOfXor(range(a), range(b)), known);
}

/// In `width` bits, or in 64 if the amount needs that.
OpId MachineBuilder::shift(LoweredKind kind, unsigned width, OpId a,
                           OpId amount, Range result) {
  Range s = range(amount);
  if (s.low < 0 || s.high >= int64_t(width))
    width = 64;
  if (!s.total || s.low < 0 || s.high >= int64_t(width))
    amount = bitAnd(amount, constant(width - 1));
  return emit(kind, width, {convert(a, width), convert(amount, width)}, result);
}

OpId MachineBuilder::shl(OpId a, OpId amount, Range known) {
  if (asConstant(amount) == 0 || asConstant(a) == 0)
    return a;
  Range x = range(a), s = range(amount);
  Range result{INT64_MIN, INT64_MAX, x.total && s.total};
  if (s.low >= 0 && s.high <= 62)
    result = {cut(rangeOfShl(x, s)), result.total};
  result = result.meet(known);
  return shift(LoweredKind::Shl, widthFor(result), a, amount, result);
}

OpId MachineBuilder::shr(OpId a, OpId amount, Range known) {
  if (asConstant(amount) == 0 || asConstant(a) == 0)
    return a;
  Range x = range(a), s = range(amount);
  Range result{std::min<int64_t>(x.low, 0), std::max<int64_t>(x.high, 0),
               x.total && s.total};
  if (s.low >= 0 && s.high <= 63)
    result = {rangeOfShr(x, s), x.total && s.total};
  result = result.meet(known);
  // The operand must be what it means; a wide one has to be shifted wide.
  unsigned width = op(a).width == 64 && !fits(x, 32) ? 64 : 32;
  LoweredKind kind = x.low >= 0 ? LoweredKind::LShr : LoweredKind::AShr;
  return shift(kind, width, a, amount, result);
}

OpId MachineBuilder::extreme(bool isMin, OpId a, OpId b, Range known) {
  if (a == b)
    return a;
  Range x = range(a), y = range(b);
  bool total = x.total && y.total;
  if (total && (x.high <= y.low || y.high <= x.low))
    return (x.high <= y.low) == isMin ? a : b;
  bool isUnsigned;
  unsigned width = commonWidth(a, b, isUnsigned);
  Range result{isMin ? rangeOfMin(x, y) : rangeOfMax(x, y), total};
  LoweredKind kind = isMin ? isUnsigned ? LoweredKind::UMin : LoweredKind::SMin
                     : isUnsigned ? LoweredKind::UMax
                                  : LoweredKind::SMax;
  return emit(kind, width, {convert(a, width), convert(b, width)},
              result.meet(known));
}

OpId MachineBuilder::compare(LoweredKind signedKind, LoweredKind unsignedKind,
                             OpId a, OpId b) {
  bool isUnsigned;
  unsigned width = commonWidth(a, b, isUnsigned);
  return emit(isUnsigned ? unsignedKind : signedKind, 1,
              {convert(a, width), convert(b, width)},
              {0, 1, op(a).total && op(b).total});
}

OpId MachineBuilder::select(OpId condition, OpId a, OpId b, Range known) {
  if (a == b)
    return a;
  if (std::optional<int64_t> value = asConstant(condition))
    return *value ? a : b;
  Range x = range(a), y = range(b);
  Range result = Range{hull(x, y), x.total && y.total}.meet(known);
  bool isUnsigned;
  unsigned width = std::min(commonWidth(a, b, isUnsigned), widthFor(result));
  return emit(LoweredKind::Select, width,
              {condition, convert(a, width), convert(b, width)}, result);
}

OpId MachineBuilder::asInteger(OpId test) {
  if (op(test).width != 1)
    return test;
  return emit(LoweredKind::ZExt, 32, {test}, range(test));
}

OpId MachineBuilder::asTest(OpId integer) {
  const LoweredOp &from = op(integer);
  if (from.width == 1)
    return integer;
  if (from.kind == LoweredKind::ZExt && op(from.operands[0]).width == 1)
    return from.operands[0];
  return notEqual(integer, constant(0));
}

OpId MachineBuilder::curve(LoweredKind kind, OpId i, OpId w, OpId h,
                           Range known) {
  Range all = range(i);
  for (OpId operand : {w, h}) {
    Range other = range(operand);
    all = {hull(all, other), all.total && other.total};
  }
  // Up to twice a side squared is formed on the way.
  __int128 area = __int128(range(w).high) * range(h).high;
  __int128 square = __int128(std::min(range(w).high, range(h).high)) *
                    std::min(range(w).high, range(h).high) * 2;
  bool narrow = all.low >= 0 && all.high <= INT32_MAX / 2 &&
                area <= INT32_MAX && square <= INT32_MAX;
  unsigned width = narrow ? 32 : 64;
  known.total &= all.total;
  return emit(kind, width,
              {convert(i, width), convert(w, width), convert(h, width)}, known);
}

/// What a back end sees of a value that is not negative, looking at its last
/// few operations only, as instruction selection does.
int64_t MachineBuilder::visibleBound(OpId id, unsigned depth) const {
  constexpr int64_t nothing = UINT32_MAX;
  const LoweredOp &from = op(id);
  if (from.kind == LoweredKind::Constant)
    return from.value;
  if (from.kind == LoweredKind::Id)
    return from.high;
  if (from.width != 32 || depth == 0)
    return nothing;
  auto operand = [&](unsigned i) {
    return visibleBound(from.operands[i], depth - 1);
  };
  auto cut = [&](__int128 bound) {
    return bound < 0 || bound > nothing ? nothing : int64_t(bound);
  };
  std::optional<int64_t> amount =
      from.numOperands > 1 ? asConstant(from.operands[1]) : std::nullopt;
  switch (from.kind) {
  case LoweredKind::Add:
    return cut(__int128(operand(0)) + operand(1));
  case LoweredKind::Mul:
    return cut(__int128(operand(0)) * operand(1));
  case LoweredKind::Shl:
    return amount ? cut(__int128(operand(0)) << *amount) : nothing;
  case LoweredKind::LShr:
    return amount ? operand(0) >> *amount : nothing;
  case LoweredKind::And:
  case LoweredKind::UMin:
    return std::min(operand(0), operand(1));
  default:
    return nothing;
  }
}

OpId MachineBuilder::showBound(OpId value, int64_t high) {
  constexpr unsigned depth = 4;
  if (op(value).width != 32 || op(value).low < 0 ||
      visibleBound(value, depth) / 4 <= high)
    return value;
  return emit(LoweredKind::UMin, 32,
              {value, emit(LoweredKind::Constant, 32, {}, {high, high}, high)},
              {0, high, true});
}

void MachineBuilder::finish(OpId x, OpId y, OpId z) {
  std::vector<bool> needed(formula.ops.size(), false);
  for (OpId result : {x, y, z})
    needed[result] = true;
  for (size_t i = formula.ops.size(); i-- > 0;)
    if (needed[i])
      for (unsigned k = 0; k < formula.ops[i].numOperands; ++k)
        needed[formula.ops[i].operands[k]] = true;
  std::vector<OpId> moved(formula.ops.size(), 0);
  std::vector<LoweredOp> kept;
  for (size_t i = 0; i < formula.ops.size(); ++i) {
    if (!needed[i])
      continue;
    LoweredOp op = formula.ops[i];
    for (unsigned k = 0; k < op.numOperands; ++k)
      op.operands[k] = moved[op.operands[k]];
    moved[i] = kept.size();
    kept.push_back(op);
  }
  formula.ops = std::move(kept);
  formula.results[0] = moved[x];
  formula.results[1] = moved[y];
  formula.results[2] = moved[z];
  interned.clear();
}

} // namespace swizzle::formula
