//===- EmitCurve.cpp - Curves as loops ------------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The algorithms of Formula/Curves.cpp, one level of the square a trip: halve
// the square, find the quarter that holds the point by counting the cells of
// the quarters before it, go on in there. The trip count is a constant, the
// state is a handful of integers, and choices are selections, so that nothing
// diverges. Where all squares are whole the counts are powers of four, and the
// quarter is two bits of i.
//
//===----------------------------------------------------------------------===//

#include "EmitCurve.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

namespace swizzle {

using namespace mlir;

namespace {

/// Arithmetic on integers of one type, folding constants.
class Arithmetic {
public:
  Arithmetic(OpBuilder &builder, Location loc, Type type)
      : builder(builder), loc(loc), type(type) {}

  Value number(int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, value));
  }
  template <typename OpTy> Value op(Value a, Value b) {
    return builder.createOrFold<OpTy>(loc, a, b);
  }
  Value add(Value a, Value b) { return op<arith::AddIOp>(a, b); }
  Value sub(Value a, Value b) { return op<arith::SubIOp>(a, b); }
  Value mul(Value a, Value b) { return op<arith::MulIOp>(a, b); }
  Value select(Value condition, Value a, Value b) {
    return builder.createOrFold<arith::SelectOp>(loc, condition, a, b);
  }
  /// All ones if a < b, else 0; the difference fits.
  Value below(Value a, Value b) {
    return op<arith::ShRSIOp>(sub(a, b),
                              number(type.getIntOrFloatBitWidth() - 1));
  }
  Value both(Value a, Value b) { return op<arith::AndIOp>(a, b); }
  Value differ(Value a, Value b) { return op<arith::XOrIOp>(a, b); }
  /// `yes` where `mask` is all ones, `no` where it is 0.
  Value choose(Value mask, Value yes, Value no) {
    Value isSet = builder.createOrFold<arith::CmpIOp>(
        loc, arith::CmpIPredicate::slt, mask, number(0));
    return select(isSet, yes, no);
  }
  /// Cells of the near and of the far half of [origin, origin + 2 * half) that
  /// lie below `extent`; `origin` does.
  std::pair<Value, Value> halves(Value origin, Value half, Value extent) {
    Value rest = sub(extent, origin);
    Value near = op<arith::MinSIOp>(rest, half);
    Value all = op<arith::MinSIOp>(rest, add(half, half));
    return {near, sub(all, near)};
  }
  /// The smallest power of two that is at least `value` >= 1.
  Value roundUpToPowerOfTwo(Value value) {
    Value ones = sub(value, number(1));
    for (unsigned shift = 1; shift < type.getIntOrFloatBitWidth(); shift *= 2)
      ones = op<arith::OrIOp>(ones, op<arith::ShRUIOp>(ones, number(shift)));
    return add(ones, number(1));
  }

  /// A loop of `levels` trips; `body` maps the state to the next one.
  llvm::SmallVector<Value>
  repeat(unsigned levels, llvm::ArrayRef<Value> state,
         llvm::function_ref<llvm::SmallVector<Value>(ValueRange)> body) {
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
    Value one =
        arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(1));
    Value end = arith::ConstantOp::create(builder, loc,
                                          builder.getI32IntegerAttr(levels));
    auto loop = scf::ForOp::create(
        builder, loc, zero, end, one, state,
        [&](OpBuilder &, Location, Value, ValueRange arguments) {
          scf::YieldOp::create(builder, loc, body(arguments));
        });
    return llvm::SmallVector<Value>(loop.getResults());
  }

private:
  OpBuilder &builder;
  Location loc;
  Type type;
};

std::optional<int64_t> asConstant(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  return std::nullopt;
}

} // namespace

/// Hilbert in squares of side 2^levels that are all whole: `i` within a square.
/// Quarter q has the corner bits a = q >> 1, b = a ^ (q & 1).
static std::pair<Value, Value> hilbertInWholeSquare(Arithmetic &arith, Value i,
                                                    unsigned levels) {
  Value zero = arith.number(0), one = arith.number(1), two = arith.number(2);
  if (levels == 0)
    return {zero, zero};
  auto state = arith.repeat(
      levels, {zero, zero, zero, zero, arith.number(2 * (levels - 1))},
      [&](ValueRange s) -> llvm::SmallVector<Value> {
        Value x = s[0], y = s[1], turned = s[2], flipped = s[3], shift = s[4];
        Value quarter = arith.op<arith::ShRUIOp>(i, shift);
        Value a = arith.op<arith::AndIOp>(
            arith.op<arith::ShRUIOp>(quarter, one), one);
        Value odd = arith.op<arith::AndIOp>(quarter, one);
        // The bit along x is turned ? b : a, along y the other one.
        Value swap = arith.op<arith::AndIOp>(turned, odd);
        Value along =
            arith.op<arith::XOrIOp>(arith.op<arith::XOrIOp>(a, swap), flipped);
        Value across = arith.op<arith::XOrIOp>(along, odd);
        x = arith.add(arith.op<arith::ShLIOp>(x, one), along);
        y = arith.add(arith.op<arith::ShLIOp>(y, one), across);
        // b is 0 in the first and the last quarter.
        Value notB =
            arith.op<arith::XOrIOp>(arith.op<arith::XOrIOp>(a, odd), one);
        turned = arith.op<arith::XOrIOp>(turned, notB);
        flipped =
            arith.op<arith::XOrIOp>(flipped, arith.op<arith::AndIOp>(a, odd));
        flipped = arith.op<arith::AndIOp>(flipped, one);
        shift =
            arith.op<arith::AndIOp>(arith.sub(shift, two), arith.number(31));
        return {x, y, turned, flipped, shift};
      });
  return {state[0], state[1]};
}

/// Hilbert in one square whose part inside width x height counts; `half` is
/// half the side at the first of `levels` trips, and trips with half >=
/// `active` do nothing. Choices are masks, so that no condition is kept from
/// trip to trip.
static std::pair<Value, Value> hilbertInPart(Arithmetic &arith, Value i,
                                             Value width, Value height,
                                             unsigned levels, Value half,
                                             Value active) {
  Value zero = arith.number(0), one = arith.number(1), ones = arith.number(-1);
  if (levels == 0)
    return {zero, zero};
  auto state = arith.repeat(
      levels, {i, zero, zero, zero, zero, half},
      [&](ValueRange s) -> llvm::SmallVector<Value> {
        Value i = s[0], x = s[1], y = s[2], turned = s[3], flipped = s[4];
        Value half = s[5];
        auto [x0, x1] = arith.halves(x, half, width);
        auto [y0, y1] = arith.halves(y, half, height);
        // Near and far halves along each axis, and the way between them.
        Value nearX = arith.choose(flipped, x1, x0);
        Value farX = arith.choose(flipped, x0, x1);
        Value nearY = arith.choose(flipped, y1, y0);
        Value farY = arith.choose(flipped, y0, y1);
        Value cells0 = arith.mul(nearX, nearY);
        Value cells1 = arith.mul(arith.choose(turned, farX, nearX),
                                 arith.choose(turned, nearY, farY));
        Value cells2 = arith.mul(farX, farY);
        Value end1 = arith.add(cells0, cells1);
        Value end2 = arith.add(end1, cells2);
        Value past0 = arith.differ(arith.below(i, cells0), ones);
        Value past1 = arith.differ(arith.below(i, end1), ones);
        Value past2 = arith.differ(arith.below(i, end2), ones);
        Value start = arith.add(
            arith.add(arith.both(cells0, past0), arith.both(cells1, past1)),
            arith.both(cells2, past2));
        // a: quarters 2 and 3; b: quarters 1 and 2.
        Value a = past1, b = arith.differ(past0, past2);
        Value swap = arith.both(turned, arith.differ(a, b));
        Value alongX = arith.differ(arith.differ(a, swap), flipped);
        Value alongY = arith.differ(arith.differ(b, swap), flipped);
        Value moves = arith.below(half, active);
        Value step = arith.both(half, moves);
        return {arith.sub(i, arith.both(start, moves)),
                arith.add(x, arith.both(step, alongX)),
                arith.add(y, arith.both(step, alongY)),
                arith.differ(turned, arith.both(arith.differ(b, ones), moves)),
                arith.differ(flipped, arith.both(past2, moves)),
                arith.op<arith::ShRUIOp>(half, one)};
      });
  return {state[1], state[2]};
}

std::pair<Value, Value> emitHilbert(OpBuilder &builder, Location loc,
                                    const CurveOperands &curve) {
  Arithmetic arith(builder, loc, curve.i.getType());
  // The long side is walked square by square; turn the rectangle if it stands.
  Value tall = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::ugt, curve.h, curve.w);
  Value longSide = arith.select(tall, curve.h, curve.w);
  Value shortSide = arith.select(tall, curve.w, curve.h);
  int64_t maxShort = std::min(curve.maxW, curve.maxH);
  if (std::optional<int64_t> known = asConstant(shortSide))
    maxShort = *known;
  unsigned levels = llvm::Log2_64_Ceil(std::max<int64_t>(maxShort, 1));

  Value side = arith.roundUpToPowerOfTwo(shortSide);
  Value cells = arith.op<arith::MulIOp>(side, shortSide);
  if (!asConstant(cells)) // Never divide by zero, whatever the operands are.
    cells = arith.op<arith::MaxUIOp>(cells, arith.number(1));
  Value square = arith.op<arith::DivUIOp>(curve.i, cells);
  Value rest = arith.sub(curve.i, arith.mul(square, cells));
  Value left = arith.mul(square, side);

  std::optional<int64_t> constantShort = asConstant(shortSide);
  std::optional<int64_t> constantLong = asConstant(longSide);
  std::pair<Value, Value> point;
  if (constantShort && constantLong && llvm::isPowerOf2_64(*constantShort) &&
      *constantLong % *constantShort == 0 && levels < 16)
    point = hilbertInWholeSquare(arith, rest, levels);
  else
    point =
        hilbertInPart(arith, rest, arith.sub(longSide, left), shortSide, levels,
                      arith.number((int64_t(1) << levels) / 2), shortSide);
  Value along = arith.add(left, point.first);
  return {arith.select(tall, point.second, along),
          arith.select(tall, along, point.second)};
}

std::pair<Value, Value> emitMorton(OpBuilder &builder, Location loc,
                                   const CurveOperands &curve) {
  Arithmetic arith(builder, loc, curve.i.getType());
  Value zero = arith.number(0), one = arith.number(1), ones = arith.number(-1);
  int64_t longest = std::max<int64_t>({curve.maxW, curve.maxH, 1});
  unsigned levels = llvm::Log2_64_Ceil(longest);
  if (levels == 0)
    return {zero, zero};
  auto state = arith.repeat(
      levels, {curve.i, zero, zero, arith.number((int64_t(1) << levels) / 2)},
      [&](ValueRange s) -> llvm::SmallVector<Value> {
        Value i = s[0], x = s[1], y = s[2], half = s[3];
        auto [left, right] = arith.halves(x, half, curve.w);
        auto [lower, upper] = arith.halves(y, half, curve.h);
        Value cells = arith.mul(arith.add(left, right), lower);
        Value isUpper = arith.differ(arith.below(i, cells), ones);
        i = arith.sub(i, arith.both(cells, isUpper));
        y = arith.add(y, arith.both(half, isUpper));
        cells = arith.mul(left, arith.choose(isUpper, upper, lower));
        Value isRight = arith.differ(arith.below(i, cells), ones);
        i = arith.sub(i, arith.both(cells, isRight));
        x = arith.add(x, arith.both(half, isRight));
        return {i, x, y, arith.op<arith::ShRUIOp>(half, one)};
      });
  return {state[1], state[2]};
}

} // namespace swizzle
