//===- EmitCurve.h - Curves as loops, for every IR ------------ -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The algorithms of Formula/Orders/Curves.cpp, one level of the square a trip:
// halve the square, find the quarter that holds the point by counting the cells
// of the quarters before it, go on in there. The trip count is a constant, the
// state is a handful of integers, and choices are selections, so that nothing
// diverges. Where all squares are whole the counts are powers of four, and the
// quarter is two bits of i.
//
//   Hilbert, 4 x 4 (two trips):    i = 6 = 0b0110
//     0  1 14 15                   quarter 01, then quarter 10
//     3  2 13 12                   at x = 1, y = 3
//     4  7  8 11
//     5  6  9 10
//
// `Backend` is described in Emit.h.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_EMIT_EMITCURVE_H
#define SWIZZLE_EMIT_EMITCURVE_H

#include "swizzle/Formula/Lowering/Lowering.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

namespace swizzle {

/// Promises of a sum, difference, product or left shift.
struct Wrapping {
  bool noSigned = false, noUnsigned = false;
};

template <typename Value> struct CurveOperands {
  Value i, w, h;      ///< of one integer type
  int64_t maxW, maxH; ///< at least 1: the largest values of w and h
};

/// Writes the i-th point of a curve over w x h, as (x, y) of the operands'
/// type; any value if there is no such point. Never traps.
template <typename Backend> class CurveEmitter {
public:
  using Value = typename Backend::Value;
  using Point = std::pair<Value, Value>;

  CurveEmitter(Backend &backend, const CurveOperands<Value> &curve)
      : backend(backend), curve(curve), width(backend.widthOf(curve.i)) {}

  Point hilbert() {
    // The long side is walked square by square; turn the rectangle if it
    // stands.
    Value tall = op(LoweredKind::CmpULt, curve.w, curve.h);
    Value longSide = select(tall, curve.h, curve.w);
    Value shortSide = select(tall, curve.w, curve.h);
    int64_t maxShort = std::min(curve.maxW, curve.maxH);
    if (std::optional<int64_t> known = backend.asConstant(shortSide))
      maxShort = *known;
    unsigned levels = llvm::Log2_64_Ceil(std::max<int64_t>(maxShort, 1));

    Value side = roundUpToPowerOfTwo(shortSide);
    Value cells = mul(side, shortSide);
    if (!backend.asConstant(cells)) // Never divide by zero.
      cells = op(LoweredKind::UMax, cells, number(1));
    Value square = op(LoweredKind::UDiv, curve.i, cells);
    Value rest = sub(curve.i, mul(square, cells));
    Value left = mul(square, side);

    std::optional<int64_t> constantShort = backend.asConstant(shortSide);
    std::optional<int64_t> constantLong = backend.asConstant(longSide);
    Point point;
    if (constantShort && constantLong && llvm::isPowerOf2_64(*constantShort) &&
        *constantLong % *constantShort == 0 && levels < 16)
      point = hilbertInWholeSquare(rest, levels);
    else
      point = hilbertInPart(rest, sub(longSide, left), shortSide, levels);
    Value along = add(left, point.first);
    return {select(tall, point.second, along),
            select(tall, along, point.second)};
  }

  Point morton() {
    Value zero = number(0), one = number(1), ones = number(-1);
    int64_t longest = std::max<int64_t>({curve.maxW, curve.maxH, 1});
    unsigned levels = llvm::Log2_64_Ceil(longest);
    if (levels == 0)
      return {zero, zero};
    States state = backend.repeat(
        levels, {curve.i, zero, zero, number((int64_t(1) << levels) / 2)},
        [&](llvm::ArrayRef<Value> s) -> States {
          Value i = s[0], x = s[1], y = s[2], half = s[3];
          auto [left, right] = halves(x, half, curve.w);
          auto [lower, upper] = halves(y, half, curve.h);
          Value cells = mul(add(left, right), lower);
          Value isUpper = differ(below(i, cells), ones);
          i = sub(i, both(cells, isUpper));
          y = add(y, both(half, isUpper));
          cells = mul(left, choose(isUpper, upper, lower));
          Value isRight = differ(below(i, cells), ones);
          i = sub(i, both(cells, isRight));
          x = add(x, both(half, isRight));
          return {i, x, y, op(LoweredKind::LShr, half, one)};
        });
    return {state[1], state[2]};
  }

private:
  using States = llvm::SmallVector<Value>;

  /// Squares of side 2^levels that are all whole: `i` within a square. Quarter
  /// q has the corner bits a = q >> 1, b = a ^ (q & 1).
  Point hilbertInWholeSquare(Value i, unsigned levels) {
    Value zero = number(0), one = number(1), two = number(2);
    if (levels == 0)
      return {zero, zero};
    States state = backend.repeat(
        levels, {zero, zero, zero, zero, number(2 * (levels - 1))},
        [&](llvm::ArrayRef<Value> s) -> States {
          Value x = s[0], y = s[1], turned = s[2], flipped = s[3], shift = s[4];
          Value quarter = op(LoweredKind::LShr, i, shift);
          Value a = both(op(LoweredKind::LShr, quarter, one), one);
          Value odd = both(quarter, one);
          // The bit along x is turned ? b : a, along y the other one.
          Value swap = both(turned, odd);
          Value along = differ(differ(a, swap), flipped);
          Value across = differ(along, odd);
          x = add(op(LoweredKind::Shl, x, one), along);
          y = add(op(LoweredKind::Shl, y, one), across);
          // b is 0 in the first and the last quarter.
          Value notB = differ(differ(a, odd), one);
          turned = differ(turned, notB);
          flipped = differ(flipped, both(a, odd));
          flipped = both(flipped, one);
          shift = both(sub(shift, two), number(31));
          return {x, y, turned, flipped, shift};
        });
    return {state[0], state[1]};
  }

  /// One square of side 2^levels, of which the part inside across x up counts;
  /// `half` is half the side at the first trip, and trips with half >= `up` do
  /// nothing. Choices are masks, so that no condition is kept from trip to
  /// trip.
  Point hilbertInPart(Value start, Value across, Value up, unsigned levels) {
    Value firstHalf = number((int64_t(1) << levels) / 2);
    Value zero = number(0), one = number(1), ones = number(-1);
    if (levels == 0)
      return {zero, zero};
    States state = backend.repeat(
        levels, {start, zero, zero, zero, zero, firstHalf},
        [&](llvm::ArrayRef<Value> s) -> States {
          Value i = s[0], x = s[1], y = s[2], turned = s[3], flipped = s[4];
          Value half = s[5];
          auto [x0, x1] = halves(x, half, across);
          auto [y0, y1] = halves(y, half, up);
          // Near and far halves along each axis, and the way between them.
          Value nearX = choose(flipped, x1, x0);
          Value farX = choose(flipped, x0, x1);
          Value nearY = choose(flipped, y1, y0);
          Value farY = choose(flipped, y0, y1);
          Value cells0 = mul(nearX, nearY);
          Value sideX = choose(turned, farX, nearX);
          Value sideY = choose(turned, nearY, farY);
          Value cells1 = mul(sideX, sideY);
          Value cells2 = mul(farX, farY);
          Value end1 = add(cells0, cells1);
          Value end2 = add(end1, cells2);
          Value past0 = differ(below(i, cells0), ones);
          Value past1 = differ(below(i, end1), ones);
          Value past2 = differ(below(i, end2), ones);
          Value before = add(both(cells0, past0), both(cells1, past1));
          before = add(before, both(cells2, past2));
          // a: quarters 2 and 3; b: quarters 1 and 2.
          Value a = past1, b = differ(past0, past2);
          Value swap = both(turned, differ(a, b));
          Value alongX = differ(differ(a, swap), flipped);
          Value alongY = differ(differ(b, swap), flipped);
          Value moves = below(half, up);
          Value step = both(half, moves);
          i = sub(i, both(before, moves));
          x = add(x, both(step, alongX));
          y = add(y, both(step, alongY));
          turned = differ(turned, both(differ(b, ones), moves));
          flipped = differ(flipped, both(past2, moves));
          return {i, x, y, turned, flipped, op(LoweredKind::LShr, half, one)};
        });
    return {state[1], state[2]};
  }

  Value number(int64_t value) { return backend.constant(width, value); }
  Value op(LoweredKind kind, Value a, Value b) {
    return backend.fold(kind, a, b);
  }
  Value add(Value a, Value b) { return op(LoweredKind::Add, a, b); }
  Value sub(Value a, Value b) { return op(LoweredKind::Sub, a, b); }
  Value mul(Value a, Value b) { return op(LoweredKind::Mul, a, b); }
  Value both(Value a, Value b) { return op(LoweredKind::And, a, b); }
  Value differ(Value a, Value b) { return op(LoweredKind::Xor, a, b); }
  Value select(Value condition, Value a, Value b) {
    return backend.foldSelect(condition, a, b);
  }
  /// All ones if a < b, else 0; the difference fits.
  Value below(Value a, Value b) {
    return op(LoweredKind::AShr, sub(a, b), number(width - 1));
  }
  /// `yes` where `mask` is all ones, `no` where it is 0.
  Value choose(Value mask, Value yes, Value no) {
    return select(op(LoweredKind::CmpSLt, mask, number(0)), yes, no);
  }
  /// Cells of the near and of the far half of [origin, origin + 2 * half) that
  /// lie below `extent`; `origin` does.
  Point halves(Value origin, Value half, Value extent) {
    Value rest = sub(extent, origin);
    Value near = op(LoweredKind::SMin, rest, half);
    Value all = op(LoweredKind::SMin, rest, add(half, half));
    return {near, sub(all, near)};
  }
  /// The smallest power of two that is at least `value` >= 1.
  Value roundUpToPowerOfTwo(Value value) {
    Value ones = sub(value, number(1));
    for (unsigned shift = 1; shift < width; shift *= 2)
      ones =
          op(LoweredKind::Or, ones, op(LoweredKind::LShr, ones, number(shift)));
    return add(ones, number(1));
  }

  Backend &backend;
  CurveOperands<Value> curve;
  unsigned width;
};

} // namespace swizzle

#endif // SWIZZLE_EMIT_EMITCURVE_H
