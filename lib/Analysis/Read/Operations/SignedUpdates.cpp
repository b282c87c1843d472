//===- SignedUpdates.cpp - Maxima of floats by integer updates ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Floats are ordered like signed integers where they are not negative, and the
// other way round like unsigned ones where they are:
//
//   if (bits(v) >= 0)                     if (bits(v) >= 0)
//     atomicrmw max %p, bits(v)             atomicrmw min %p, bits(v)
//   if (bits(v) < 0)                      if (bits(v) < 0)
//     atomicrmw umin %p, bits(v)            atomicrmw umax %p, bits(v)
//
// Under these conditions the two updates of either pair commute, whatever the
// memory holds: max makes it not negative unless it was, and then umin changes
// nothing; so with min, and with the signs exchanged. Without them they do not.
// A float that is at least 0 may be -0, whose bits are the least signed number:
// max with it changes nothing, and min does.
//
//===----------------------------------------------------------------------===//

#include "Operations.h"

using namespace mlir;

namespace swizzle::analysis {

namespace {
enum class Sign : uint8_t { Unknown, Negative, NotNegative, NotBelowZero };
} // namespace

/// True if `value` is the constant `number`, or a float that is 0 for 0.
static bool isNumber(Value value, int64_t number) {
  auto constant = value.getDefiningOp<LLVM::ConstantOp>();
  if (!constant)
    return false;
  if (auto integer = dyn_cast<IntegerAttr>(constant.getValue()))
    return integer.getValue().getSExtValue() == number;
  auto real = dyn_cast<FloatAttr>(constant.getValue());
  return real && number == 0 && real.getValue().isZero();
}

/// What a comparison that came out as `holds` says of the sign of `value`.
static Sign signBy(Operation *comparison, Value value, bool holds) {
  using P = LLVM::ICmpPredicate;
  using F = LLVM::FCmpPredicate;
  if (auto compare = dyn_cast<LLVM::ICmpOp>(comparison)) {
    if (withoutCasts(compare.getLhs()) != value)
      return Sign::Unknown;
    Value with = compare.getRhs();
    P predicate = compare.getPredicate();
    bool negative = (predicate == P::slt && isNumber(with, 0)) ||
                    (predicate == P::sle && isNumber(with, -1));
    bool positive = (predicate == P::sge && isNumber(with, 0)) ||
                    (predicate == P::sgt && isNumber(with, -1));
    if (!negative && !positive)
      return Sign::Unknown;
    return negative == holds ? Sign::Negative : Sign::NotNegative;
  }
  auto compare = dyn_cast<LLVM::FCmpOp>(comparison);
  // A comparison that fails may be one with no number.
  if (!compare || !holds || withoutCasts(compare.getLhs()) != value ||
      !isNumber(compare.getRhs(), 0))
    return Sign::Unknown;
  F predicate = compare.getPredicate();
  return predicate == F::olt   ? Sign::Negative
         : predicate == F::ogt ? Sign::NotNegative
         : predicate == F::oge ? Sign::NotBelowZero
                               : Sign::Unknown;
}

/// The same of a condition that is made of several: all hold, or one does not.
static Sign signUnder(Value condition, Value value, bool holds,
                      unsigned depth = 0) {
  Operation *op = condition.getDefiningOp();
  if (!op || depth > 8)
    return Sign::Unknown;
  auto isFalse = [](Value one) { return isNumber(one, 0); };
  auto logical = dyn_cast<LLVM::SelectOp>(op);
  bool all =
      isa<LLVM::AndOp>(op) || (logical && isFalse(logical.getFalseValue()));
  if (all && holds) {
    Value second = logical ? logical.getTrueValue() : op->getOperand(1);
    Sign sign = signUnder(op->getOperand(0), value, holds, depth + 1);
    return sign == Sign::Unknown ? signUnder(second, value, holds, depth + 1)
                                 : sign;
  }
  if (isa<LLVM::XOrOp>(op) &&
      (isNumber(op->getOperand(1), -1) || isNumber(op->getOperand(1), 1)))
    return signUnder(op->getOperand(0), value, !holds, depth + 1);
  return signBy(op, value, holds);
}

/// The sign that `value` has wherever `block` is reached.
static Sign signIn(Block *block, Value value) {
  for (unsigned depth = 0; depth < 8; ++depth) {
    Block *from = block->getSinglePredecessor();
    if (!from)
      return Sign::Unknown;
    auto branch = dyn_cast<LLVM::CondBrOp>(from->getTerminator());
    if (branch && branch.getTrueDest() != branch.getFalseDest()) {
      Sign sign = signUnder(branch.getCondition(), value,
                            branch.getTrueDest() == block);
      if (sign != Sign::Unknown)
        return sign;
    }
    block = from;
  }
  return Sign::Unknown;
}

StringRef updateBySign(LLVM::AtomicRMWOp atomic) {
  using Update = LLVM::AtomicBinOp;
  Update update = atomic.getBinOp();
  if (update != Update::max && update != Update::min &&
      update != Update::umax && update != Update::umin)
    return "";
  Sign sign = signIn(atomic->getBlock(), withoutCasts(atomic.getVal()));
  bool negative = sign == Sign::Negative;
  bool positive = sign == Sign::NotNegative;
  if (update == Update::max)
    return positive || sign == Sign::NotBelowZero ? "max by sign" : "";
  if (update == Update::umin)
    return negative ? "max by sign" : "";
  if (update == Update::min)
    return positive ? "min by sign" : "";
  return negative ? "min by sign" : "";
}

} // namespace swizzle::analysis
