//===- Builder.cpp - Instructions with ranges, folded and shared ----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ranges are computed in 128 bits, so that an overflow is seen as a range that
// leaves 64 bits; the value then wraps and a check stands beside it.
//
//===----------------------------------------------------------------------===//

#include "Builder.h"
#include "swizzle/Formula/Orders/Curves.h"
#include "swizzle/Support/IntegerMath.h"
#include "llvm/Support/ErrorHandling.h"

#include <algorithm>

namespace swizzle::formula {

namespace {

using Wide = __int128;

constexpr int64_t kMin = INT64_MIN, kMax = INT64_MAX;

} // namespace

Slot Builder::emit(Op op, Slot a, Slot b, Slot c, int64_t imm, Interval range) {
  if (range.low == range.high && !isCheck(op))
    return constant(range.low);
  auto [at, isNew] = shared.try_emplace(Key{op, a, b, c, imm}, code.size());
  if (isNew)
    code.push_back({op, a, b, c, imm, range.low, range.high, {}});
  return at->second;
}

Slot Builder::check(Op op, Slot a, Slot b, int64_t imm,
                    SourcePosition position) {
  size_t before = code.size();
  Slot slot = emit(op, a, b, guard, imm, {0, 0});
  if (code.size() > before)
    code[slot].position = position;
  return slot;
}

Slot Builder::undefinedWhere(Slot value, llvm::ArrayRef<Slot> checks) {
  for (Slot check : checks)
    undefined.emplace_back(value, check);
  return value;
}

void Builder::checkAlways(Fault fault, SourcePosition position) {
  check(Op::CheckAlways, kNoSlot, kNoSlot, int64_t(fault), position);
  alwaysFaults |= guard == kNoSlot;
}

Slot Builder::constant(int64_t value) {
  auto [at, isNew] = shared.try_emplace(
      Key{Op::Constant, kNoSlot, kNoSlot, kNoSlot, value}, code.size());
  if (isNew)
    code.push_back(constantInstruction(value));
  return at->second;
}

Slot Builder::input(Op op, int64_t high) {
  return emit(op, kNoSlot, kNoSlot, kNoSlot, 0, {0, high});
}

Slot Builder::extent(unsigned axis) {
  return emit(Op::Extent, kNoSlot, kNoSlot, kNoSlot, axis, {1, INT32_MAX});
}

void Builder::declareSum(Slot a, Slot b, Slot value) {
  shared[Key{Op::Add, std::min(a, b), std::max(a, b), kNoSlot, 0}] = value;
}

Slot Builder::binary(ExprKind kind, Slot a, Slot b, SourcePosition position) {
  switch (kind) {
  case ExprKind::Add:
    return arithmetic(Op::Add, a, b, position);
  case ExprKind::Sub:
    return arithmetic(Op::Sub, a, b, position);
  case ExprKind::Mul:
    return arithmetic(Op::Mul, a, b, position);
  case ExprKind::FloorDiv:
  case ExprKind::Mod:
    return divide(kind == ExprKind::Mod, a, b, position);
  case ExprKind::CeilDiv:
    return ceilDivide(a, b, position);
  case ExprKind::And:
    return bitwise(Op::And, a, b);
  case ExprKind::Or:
    return bitwise(Op::Or, a, b);
  case ExprKind::Xor:
    return bitwise(Op::Xor, a, b);
  case ExprKind::Shl:
  case ExprKind::Shr:
    return shift(kind == ExprKind::Shl ? Op::Shl : Op::Shr, a, b, position);
  case ExprKind::Greater:
    std::swap(a, b);
    [[fallthrough]];
  case ExprKind::Less:
    return compare(Op::Less, a, b);
  case ExprKind::GreaterEqual:
    std::swap(a, b);
    [[fallthrough]];
  case ExprKind::LessEqual:
    return compare(Op::LessEqual, a, b);
  case ExprKind::Equal:
  case ExprKind::NotEqual:
    return compare(kind == ExprKind::Equal ? Op::Equal : Op::NotEqual,
                   std::min(a, b), std::max(a, b));
  case ExprKind::Min:
  case ExprKind::Max:
    return minMax(kind == ExprKind::Min ? Op::Min : Op::Max, a, b);
  default:
    llvm_unreachable("no operation on two values");
  }
}

Slot Builder::arithmetic(Op op, Slot a, Slot b, SourcePosition position) {
  if (op != Op::Sub && a > b)
    std::swap(a, b);
  WideInterval ra = range(a).wide(), rb = range(b).wide();
  WideInterval r = op == Op::Add ? ra + rb : op == Op::Sub ? ra - rb : ra * rb;
  if (op == Op::Sub && a == b)
    return constant(0);
  // x + 0, x - 0, x * 1
  for (auto [value, other] : {std::pair(a, b), std::pair(b, a)})
    if (isConstant(other) && low(other) == (op == Op::Mul ? 1 : 0) &&
        (op != Op::Sub || other == b))
      return value;
  llvm::SmallVector<Slot, 1> checks;
  if (!r.fits()) {
    bool always = r.high < kMin || r.low > kMax;
    Op kind = op == Op::Add   ? Op::CheckAdd
              : op == Op::Sub ? Op::CheckSub
                              : Op::CheckMul;
    if (always)
      checkAlways(Fault::Overflow, position);
    else
      checks.push_back(check(kind, a, b, 0, position));
    // What wraps has been refused: beyond the check the value is in range.
    r = {std::clamp<Wide>(r.low, kMin, kMax),
         std::clamp<Wide>(r.high, kMin, kMax)};
    if (always)
      return constant(0);
    // The column exists even if only one value is legal.
    if (r.low == r.high)
      r = {r.low - (r.low != kMin), r.high + (r.low == kMin)};
  }
  Interval range = {int64_t(r.low), int64_t(r.high)};
  return undefinedWhere(emit(op, a, b, kNoSlot, 0, range), checks);
}

Slot Builder::divide(bool remainder, Slot a, Slot b, SourcePosition position) {
  llvm::SmallVector<Slot, 2> checks;
  if (low(b) <= 0 && high(b) >= 0) {
    if (isConstant(b)) {
      checkAlways(Fault::DivisionByZero, position);
      return constant(0);
    }
    checks.push_back(check(Op::CheckZero, b, kNoSlot, 0, position));
  }
  bool wraps = low(a) == kMin && low(b) <= -1 && high(b) >= -1;
  if (wraps && !remainder) {
    if (isConstant(a) && isConstant(b)) {
      checkAlways(Fault::Overflow, position);
      return constant(0);
    }
    checks.push_back(check(Op::CheckMinByMinus, a, b, 0, position));
  }
  if (isConstant(a) && isConstant(b))
    return constant(remainder ? floorMod(low(a), low(b))
                              : floorDiv(low(a), low(b)));
  int64_t divisor = isConstant(b) ? low(b) : 0;
  if (remainder) {
    if (divisor == 1 || divisor == -1)
      return constant(0);
    if (low(b) > 0 && low(a) >= 0 && high(a) < low(b))
      return a;
    int64_t lo = low(b) < 0 ? std::min<int64_t>(0, low(b) + 1) : 0;
    int64_t hi = high(b) > 0 ? high(b) - 1 : 0;
    if (low(a) >= 0 && low(b) >= 0)
      hi = std::min(hi, high(a));
    return undefinedWhere(emit(Op::Mod, a, b, kNoSlot, 0, {lo, hi}), checks);
  }
  if (divisor == 1)
    return a;
  // Extremes lie at the ends of both ranges and, for divisors, next to 0.
  Wide lo = 0, hi = 0;
  bool first = true;
  auto visit = [&](int64_t n, int64_t d) {
    if (d == 0)
      return;
    Wide q = floorDiv<Wide>(n, d);
    lo = first ? q : std::min(lo, q);
    hi = first ? q : std::max(hi, q);
    first = false;
  };
  for (int64_t n : {low(a), high(a)}) {
    visit(n, low(b));
    visit(n, high(b));
    if (low(b) < 0 && high(b) >= 0)
      visit(n, -1);
    if (low(b) <= 0 && high(b) > 0)
      visit(n, 1);
  }
  if (low(b) <= 0 && high(b) >= 0) { // the value where the divisor is 0
    lo = std::min<Wide>(lo, 0);
    hi = std::max<Wide>(hi, 0);
  }
  hi = std::min<Wide>(hi, kMax);
  if (wraps)
    lo = kMin; // where the quotient wraps
  Interval range = {int64_t(lo), int64_t(hi)};
  return undefinedWhere(emit(Op::Div, a, b, kNoSlot, 0, range), checks);
}

Slot Builder::ceilDivide(Slot a, Slot b, SourcePosition position) {
  // ceil(a / b) = floor(a / b) + (a % b != 0); only the floor can fault.
  Slot floor = divide(false, a, b, position);
  Slot rest = divide(true, a, b, position);
  Slot ceiling = arithmetic(Op::Add, floor, truth(rest), position);
  // The sum cannot overflow, and a tighter range keeps columns narrow.
  if (low(a) >= 0 && low(b) > 0 && code[ceiling].op == Op::Add)
    code[ceiling].high = std::min<int64_t>(
        code[ceiling].high, high(a) / low(b) + (high(a) % low(b) != 0));
  return ceiling;
}

Slot Builder::minMax(Op op, Slot a, Slot b) {
  if (a > b)
    std::swap(a, b);
  bool isMin = op == Op::Min;
  if (a == b || (isMin ? high(a) <= low(b) : low(a) >= high(b)))
    return a;
  if (isMin ? high(b) <= low(a) : low(b) >= high(a))
    return b;
  return emit(op, a, b, kNoSlot, 0,
              isMin ? rangeOfMin(range(a), range(b))
                    : rangeOfMax(range(a), range(b)));
}

Slot Builder::bitwise(Op op, Slot a, Slot b) {
  if (a > b)
    std::swap(a, b);
  if (isConstant(a) && isConstant(b))
    return constant(op == Op::And  ? low(a) & low(b)
                    : op == Op::Or ? low(a) | low(b)
                                   : low(a) ^ low(b));
  return emit(op, a, b, kNoSlot, 0,
              op == Op::And  ? rangeOfAnd(range(a), range(b))
              : op == Op::Or ? rangeOfOr(range(a), range(b))
                             : rangeOfXor(range(a), range(b)));
}

Slot Builder::shift(Op op, Slot a, Slot b, SourcePosition position) {
  if (high(b) < 0 || low(b) > 63) {
    checkAlways(Fault::BadShift, position);
    return constant(0);
  }
  llvm::SmallVector<Slot, 2> checks;
  bool amountOpen = low(b) < 0 || high(b) > 63;
  if (amountOpen)
    checks.push_back(check(Op::CheckShift, b, kNoSlot, 0, position));
  Interval amounts = amountOpen ? Interval{0, 63} : range(b);
  if (op == Op::Shr)
    return undefinedWhere(
        emit(op, a, b, kNoSlot, 0, rangeOfShr(range(a), amounts)), checks);
  WideInterval r = rangeOfShl(range(a), amounts);
  if (!r.fits()) {
    bool always = r.high < kMin || r.low > kMax;
    if (always) {
      checkAlways(Fault::Overflow, position);
      return constant(0);
    }
    checks.push_back(check(Op::CheckShl, a, b, 0, position));
    r = {kMin, kMax}; // a wrapped shift can be anything
  }
  Interval range = {int64_t(r.low), int64_t(r.high)};
  return undefinedWhere(emit(op, a, b, kNoSlot, 0, range), checks);
}

Slot Builder::compare(Op op, Slot a, Slot b) {
  bool apart = high(a) < low(b) || high(b) < low(a);
  if (op == Op::Equal || op == Op::NotEqual) {
    if (a == b)
      return constant(op == Op::Equal);
    if (apart)
      return constant(op == Op::NotEqual);
  } else {
    bool orEqual = op == Op::LessEqual;
    if (a == b)
      return constant(orEqual);
    if (orEqual ? high(a) <= low(b) : high(a) < low(b))
      return constant(1);
    if (orEqual ? low(a) > high(b) : low(a) >= high(b))
      return constant(0);
  }
  return emit(op, a, b, kNoSlot, 0, {0, 1});
}

Slot Builder::less(Slot a, Slot b) { return compare(Op::Less, a, b); }

Slot Builder::truth(Slot a) {
  if (low(a) >= 0 && high(a) <= 1)
    return a;
  Slot zero = constant(0);
  return compare(Op::NotEqual, std::min(a, zero), std::max(a, zero));
}

Slot Builder::logicalNot(Slot a) {
  Slot zero = constant(0);
  return compare(Op::Equal, std::min(a, zero), std::max(a, zero));
}

Slot Builder::both(Slot a, Slot b) {
  if (a == kNoSlot)
    return b;
  if (isConstant(a))
    return low(a) ? b : a;
  if (isConstant(b))
    return low(b) ? a : b;
  return bitwise(Op::And, a, b);
}

Slot Builder::negate(Slot a, SourcePosition position) {
  return arithmetic(Op::Sub, constant(0), a, position);
}

Slot Builder::absolute(Slot a, SourcePosition position) {
  if (low(a) >= 0)
    return a;
  // |a| = max(a, -a); only the negation can overflow.
  return minMax(Op::Max, a, negate(a, position));
}

Slot Builder::curve(ExprKind kind, Slot i, Slot w, Slot h,
                    SourcePosition position) {
  // Both enumerations list the curves in this order.
  Op op = Op(unsigned(kind) - unsigned(ExprKind::HilbertX) +
             unsigned(Op::HilbertX));
  bool good = low(w) > 0 && low(h) > 0 && high(w) < (int64_t(1) << 31) &&
              high(h) < (int64_t(1) << 31) && low(i) >= 0 &&
              high(i) < low(w) * low(h);
  bool isX = givesX(op);
  if (isConstant(i) && isConstant(w) && isConstant(h)) {
    if (!isCurvePoint(low(i), low(w), low(h))) {
      checkAlways(Fault::BadCurve, position);
      return constant(0);
    }
    CurvePoint point = curvePoint(isHilbert(op), low(i), low(w), low(h));
    return constant(isX ? point.x : point.y);
  }
  llvm::SmallVector<Slot, 1> checks;
  if (!good)
    checks.push_back(check(Op::CheckCurve, i, w, h, position));
  int64_t high = std::clamp<int64_t>(this->high(isX ? w : h), 1, INT32_MAX) - 1;
  if (high == 0)
    return constant(0);
  return undefinedWhere(emit(op, i, w, h, 0, {0, high}), checks);
}

Slot Builder::select(Slot condition, Slot then, Slot otherwise) {
  if (isConstant(condition))
    return low(condition) ? then : otherwise;
  if (then == otherwise)
    return then;
  return emit(Op::Select, condition, then, otherwise, 0,
              hull(range(then), range(otherwise)));
}

void Builder::checkBelow(Slot a, int64_t bound, SourcePosition position) {
  if (low(a) < 0 || high(a) >= bound)
    check(Op::CheckBelow, a, kNoSlot, bound, position);
}

Slot Builder::linearise(Slot x, Slot y, Slot z, const Grid &grid) {
  // The checks have put each coordinate inside the grid, whatever its range
  // says, so the sums stay below the number of ids.
  auto step = [&](Slot outer, int64_t extent, Slot inner, int64_t count) {
    if (isConstant(outer) && low(outer) == 0)
      return inner;
    Slot scaled = outer;
    if (extent != 1)
      scaled = emit(Op::Mul, std::min(outer, constant(extent)),
                    std::max(outer, constant(extent)), kNoSlot, 0, {0, count});
    if (isConstant(inner) && low(inner) == 0)
      return scaled;
    return emit(Op::Add, std::min(scaled, inner), std::max(scaled, inner),
                kNoSlot, 0, {0, count});
  };
  int64_t layer = grid.x() * grid.y();
  return step(step(z, grid.y(), y, layer), grid.x(), x, grid.count());
}

} // namespace swizzle::formula
