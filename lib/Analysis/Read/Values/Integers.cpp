//===- Integers.cpp - Integer arithmetic --------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The integers of the llvm dialect as the machine has them: arithmetic wraps
// around, unless a flag of the operation (`nsw`) or the range of its operands
// excludes it. What may wrap is not affine:
//
//   add i32 %x, 1            affine if x is known to be below 2^31 - 1
//   add nsw i32 %x, 1        affine; poison where it wraps
//   lshr i32 %x, 3           affine if x is known not to be negative
//
// LLVM computes remainders in as few bits as the range of a number takes, and
// there the greater half of the unsigned ones are negative:
//
//   trunc i32 %x to i8       for x below 256: x < 128 ? x : x - 256
//   urem i8 %t, 9            of the number as it was: x - 9 * floor(x / 9)
//   sub i8 %t, %m            the same, for m = 9 * floor(x / 9) in 8 bits
//
// Numbers of more than 62 bits are followed only where they stay below 2^62,
// the widest that a Domain knows. A number of one bit is 0 or 1 here; as a
// signed one it is 0 or -1, so that signed operations on it are turned round.
//
//===----------------------------------------------------------------------===//

#include "../Handlers.h"
#include "../KernelReader.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace swizzle::analysis {

/// What fits into `type` without wrapping around.
static Interval intervalOf(Type type) {
  unsigned bits = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64;
  if (bits == 1)
    return {0, 1};
  if (bits > 62)
    return {1 - kUnbounded, kUnbounded - 1};
  return {-(int64_t(1) << (bits - 1)), (int64_t(1) << (bits - 1)) - 1};
}

CasesRef KernelReader::fitted(const CasesRef &tree, Type type) {
  return scalars.requireRange(tree, intervalOf(type),
                              kMayWrap.str() + " in " +
                                  std::to_string(type.getIntOrFloatBitWidth()) +
                                  " bits");
}

CasesRef KernelReader::unsignedBits(const CasesRef &number, Type type) {
  unsigned bits = type.getIntOrFloatBitWidth();
  std::optional<int64_t> known = scalars.constantOf(number);
  if (!known || bits >= 62)
    return scalars.requireNonNegative(number);
  return scalars.constant(
      int64_t(uint64_t(*known) & llvm::maskTrailingOnes<uint64_t>(bits)));
}

namespace {
/// What an operation with two operands does to numbers of any size.
struct IntegerRule {
  enum Sign : uint8_t { Either, Signed, Unsigned };
  using Function = CasesRef (Scalars::*)(const CasesRef &, const CasesRef &);
  Function apply = nullptr;
  Sign sign = Either; ///< of the numbers that the operands are taken for
};

/// Arithmetic on the lanes of one operation.
class LaneArithmetic {
public:
  LaneArithmetic(KernelReader &reader, Operation *op)
      : reader(reader), scalars(reader.scalars), op(op),
        source(getElementTypeOrSelf(op->getOperand(0).getType())),
        result(getElementTypeOrSelf(op->getResult(0).getType())) {}

  /// Null, with a reason, if the result is not affine.
  CasesRef apply(SmallVector<CasesRef> in);
  /// The result rests on a promise that the ranges do not bear out.
  bool maybePoison = false;

private:
  CasesRef exact(ArrayRef<CasesRef> in);
  CasesRef combine(const CasesRef &a, CasesRef b);
  CasesRef compare(LLVM::ICmpPredicate predicate, const CasesRef &a,
                   const CasesRef &b);
  bool keepsPromises(ArrayRef<CasesRef> in, const CasesRef &value);
  CasesRef asUnsigned(const CasesRef &number);
  CasesRef wrapped(const CasesRef &value);
  CasesRef nearer(const APInt &constant, const CasesRef &other);
  CasesRef trusted(CasesRef value) {
    maybePoison = true;
    return value;
  }

  KernelReader &reader;
  Scalars &scalars;
  Operation *op;
  Type source, result; ///< types of a lane
};
} // namespace

static IntegerRule ruleOf(Operation *op) {
  using Rule = IntegerRule;
  static const llvm::StringMap<Rule> rules = {
      {"llvm.add", {&Scalars::add}},
      {"llvm.sub", {&Scalars::subtract}},
      {"llvm.mul", {&Scalars::multiply}},
      {"llvm.sdiv", {&Scalars::truncDivide, Rule::Signed}},
      {"llvm.udiv", {&Scalars::floorDivide, Rule::Unsigned}},
      {"llvm.srem", {&Scalars::truncRemainder, Rule::Signed}},
      {"llvm.urem", {&Scalars::floorRemainder, Rule::Unsigned}},
      {"llvm.and", {&Scalars::bitAnd}},
      {"llvm.or", {&Scalars::bitOr}},
      {"llvm.xor", {&Scalars::bitXor}},
      {"llvm.shl", {&Scalars::shiftLeft, Rule::Signed}},
      {"llvm.ashr", {&Scalars::shiftRight, Rule::Signed}},
      {"llvm.lshr", {&Scalars::shiftRight, Rule::Unsigned}},
      {"llvm.intr.smin", {&Scalars::minimum, Rule::Signed}},
      {"llvm.intr.umin", {&Scalars::minimum, Rule::Unsigned}},
      {"llvm.intr.smax", {&Scalars::maximum, Rule::Signed}},
      {"llvm.intr.umax", {&Scalars::maximum, Rule::Unsigned}},
      {"llvm.intr.usub.sat", {&Scalars::excess, Rule::Unsigned}},
  };
  return rules.lookup(op->getName().getStringRef());
}

bool isIntegerArithmetic(Operation *op) {
  return isa<LLVM::ICmpOp, LLVM::SelectOp, LLVM::AbsOp, LLVM::SCmpOp,
             LLVM::UCmpOp, LLVM::SExtOp, LLVM::ZExtOp, LLVM::TruncOp>(op) ||
         ruleOf(op).apply;
}

CasesRef LaneArithmetic::compare(LLVM::ICmpPredicate predicate,
                                 const CasesRef &a, const CasesRef &b) {
  using Predicate = LLVM::ICmpPredicate;
  switch (predicate) {
  case Predicate::eq:
    return scalars.compare(Comparison::Equal, a, b);
  case Predicate::ne:
    return scalars.compare(Comparison::NotEqual, a, b);
  case Predicate::sgt:
    return compare(Predicate::slt, b, a);
  case Predicate::sge:
    return compare(Predicate::sle, b, a);
  case Predicate::ugt:
    return compare(Predicate::ult, b, a);
  case Predicate::uge:
    return compare(Predicate::ule, b, a);
  case Predicate::slt:
  case Predicate::sle: {
    Comparison kind =
        predicate == Predicate::slt ? Comparison::Less : Comparison::LessEqual;
    return source.isInteger(1) ? scalars.compare(kind, b, a)
                               : scalars.compare(kind, a, b);
  }
  case Predicate::ult:
  case Predicate::ule:
    break;
  }
  // Unsigned: negative numbers are the largest, in their own order.
  CasesRef zero = scalars.constant(0), one = scalars.constant(1);
  CasesRef less = scalars.compare(
      predicate == Predicate::ult ? Comparison::Less : Comparison::LessEqual, a,
      b);
  CasesRef positiveA = scalars.compare(Comparison::LessEqual, zero, a);
  CasesRef positiveB = scalars.compare(Comparison::LessEqual, zero, b);
  return scalars.select(positiveB, scalars.select(positiveA, less, zero),
                        scalars.select(positiveA, one, less));
}

/// True for the types that LLVM narrows arithmetic to where ranges allow. In
/// wider ones, what wraps around does so too many times to be told apart.
static bool isNarrow(Type type) {
  return type.isInteger() && type.getIntOrFloatBitWidth() > 1 &&
         type.getIntOrFloatBitWidth() <= 16;
}

/// An operand as the unsigned number that its bits stand for.
CasesRef LaneArithmetic::asUnsigned(const CasesRef &number) {
  if (!isNarrow(source))
    return reader.unsignedBits(number, source);
  AffineForm count = makeConstant(int64_t(1) << source.getIntOrFloatBitWidth());
  return scalars.map(number, [&](const AffineForm &form) {
    CasesRef same = scalars.leaf(form), above = scalars.leaf(form + count);
    return scalars.branch({form, false}, same, above);
  });
}

/// The number of any size `value` in the bits of a narrow result, if it wraps
/// around no more than twice; of a wider one, if it always does as many times:
/// LLVM writes `(i - 1) << 11` as `(i + 0x1fffff) << 11` where 32 bits are left.
CasesRef LaneArithmetic::wrapped(const CasesRef &value) {
  std::string why = scalars.reason; // of what does not fit
  int64_t count = int64_t(1) << result.getIntOrFloatBitWidth();
  return scalars.map(value, [&](const AffineForm &form) {
    Interval interval = scalars.domain.range(form);
    if (interval.low <= -kUnbounded || interval.high >= kUnbounded)
      return scalars.fail(why);
    int64_t first = floorDiv(interval.low + count / 2, count);
    int64_t last = floorDiv(interval.high + count / 2, count);
    if (last - first > (isNarrow(result) ? 2 : 0))
      return scalars.fail(why);
    auto turned = [&](int64_t times) {
      return scalars.leaf(form - makeConstant(times * count));
    };
    CasesRef cases = turned(last);
    for (int64_t times = last; times-- > first;) {
      AffineForm greatest = makeConstant(times * count + count / 2 - 1);
      cases = scalars.branch({greatest - form, false}, turned(times), cases);
    }
    return cases;
  });
}

/// An operation that has a rule.
CasesRef LaneArithmetic::combine(const CasesRef &a, CasesRef b) {
  auto [apply, sign] = ruleOf(op);
  if (source.isInteger(1) && sign == IntegerRule::Signed) {
    // There, 1 stands for -1: the least number is the greatest of 0 and 1. All
    // else comes to the same, or is undefined.
    if (apply == &Scalars::minimum)
      return scalars.maximum(a, b);
    if (apply == &Scalars::maximum)
      return scalars.minimum(a, b);
  }
  if (isa<LLVM::ShlOp, LLVM::AShrOp, LLVM::LShrOp>(op))
    // By as many bits as there are, or more, is poison.
    b = scalars.requireRange(b,
                             {0, int64_t(result.getIntOrFloatBitWidth()) - 1},
                             "shift by as many bits as the number has");
  // The bit of the sign alone, as compilers ask for it.
  if (isa<LLVM::LShrOp>(op) && source.getIntOrFloatBitWidth() > 1 &&
      scalars.constantOf(b) == int64_t(source.getIntOrFloatBitWidth()) - 1)
    return scalars.scale(scalars.shiftRight(a, b), -1);
  if (sign == IntegerRule::Unsigned)
    return (scalars.*apply)(asUnsigned(a), asUnsigned(b));
  return (scalars.*apply)(a, b);
}

/// The result as a number of any size.
CasesRef LaneArithmetic::exact(ArrayRef<CasesRef> in) {
  const CasesRef &a = in[0];
  bool oneBit = source.isInteger(1);
  return llvm::TypeSwitch<Operation *, CasesRef>(op)
      .Case([&](LLVM::ICmpOp compares) {
        return compare(compares.getPredicate(), a, in[1]);
      })
      .Case([&](LLVM::SelectOp) { return scalars.select(a, in[1], in[2]); })
      .Case<LLVM::SCmpOp, LLVM::UCmpOp>([&](Operation *) {
        using Predicate = LLVM::ICmpPredicate;
        Predicate less =
            isa<LLVM::SCmpOp>(op) ? Predicate::slt : Predicate::ult;
        return scalars.subtract(compare(less, in[1], a),
                                compare(less, a, in[1]));
      })
      .Case([&](LLVM::AbsOp) {
        return oneBit ? scalars.fail("signed arithmetic on one bit")
                      : scalars.maximum(a, scalars.scale(a, -1));
      })
      .Case([&](LLVM::SExtOp) {
        // The only number of one bit beside 0 is -1 as a signed one.
        return oneBit ? scalars.scale(a, -1) : a;
      })
      .Case([&](LLVM::ZExtOp extends) {
        if (!extends.getNonNeg() && scalars.constantOf(a))
          return reader.unsignedBits(a, source);
        CasesRef positive = scalars.requireNonNegative(a);
        if (positive || !extends.getNonNeg())
          return positive ? positive : asUnsigned(a);
        return trusted(a);
      })
      .Case([&](LLVM::TruncOp trunc) {
        // Of one bit, the lowest one.
        if (result.isInteger(1))
          return scalars.bitAnd(a, scalars.constant(1));
        // Two members of a structure that are read at once are taken apart so.
        std::optional<int64_t> known = scalars.constantOf(a);
        unsigned width = result.getIntOrFloatBitWidth();
        if (known && width < 64 &&
            trunc.getOverflowFlags() == LLVM::IntegerOverflowFlags::none)
          return scalars.constant(llvm::SignExtend64(uint64_t(*known), width));
        return a;
      })
      .Case([&](LLVM::OrOp either) {
        CasesRef known = combine(a, in[1]);
        return known || !either.getIsDisjoint()
                   ? known
                   : trusted(scalars.add(a, in[1]));
      })
      .Default([&](Operation *) { return combine(a, in[1]); });
}

/// True if all that the operation promises holds where it yields `value`, which
/// fits into its type: `nsw` does, apart from numbers of one bit.
bool LaneArithmetic::keepsPromises(ArrayRef<CasesRef> in,
                                   const CasesRef &value) {
  auto exact = dyn_cast<LLVM::ExactFlagInterface>(op);
  auto disjoint = dyn_cast<LLVM::DisjointFlagInterface>(op);
  if ((exact && exact.getIsExact()) || (disjoint && disjoint.getIsDisjoint()))
    return false;
  auto wraps = dyn_cast<LLVM::IntegerOverflowFlagsInterface>(op);
  auto positive = dyn_cast<LLVM::NonNegFlagInterface>(op);
  bool isSigned =
      (wraps && wraps.hasNoSignedWrap()) || (positive && positive.getNonNeg());
  bool isUnsigned = wraps && wraps.hasNoUnsignedWrap();
  if ((isSigned || isUnsigned) && (source.isInteger(1) || result.isInteger(1)))
    return false;
  auto isNegative = [&](const CasesRef &number) {
    return scalars.range(number).low < 0;
  };
  return !isUnsigned || (!isNegative(value) && llvm::none_of(in, isNegative));
}

/// True if what wraps around is poison; but `nsw` alone.
static bool promisesNotToWrap(Operation *op) {
  auto flags = dyn_cast<LLVM::IntegerOverflowFlagsInterface>(op);
  auto abs = dyn_cast<LLVM::AbsOp>(op);
  return (flags && flags.hasNoUnsignedWrap()) ||
         (abs && abs.getIsIntMinPoison());
}

/// A number that can be told, for a constant that is too far from zero to be:
/// it comes to the same beside `other`. Null if there is none.
CasesRef LaneArithmetic::nearer(const APInt &constant, const CasesRef &other) {
  constexpr int64_t far = int64_t(1) << 59;
  if (!other || constant.getBitWidth() > 64)
    return nullptr;
  Interval interval = scalars.range(other);
  if (interval.low <= -far || interval.high >= far)
    return nullptr;
  // Bits that the other number does not have may be set as well.
  if (isa<LLVM::AndOp>(op) && interval.low >= 0)
    return scalars.constant(
        int64_t(uint64_t(constant.getSExtValue()) | -uint64_t(far)));
  if (isa<LLVM::ICmpOp, LLVM::SMinOp, LLVM::SMaxOp, LLVM::UMinOp, LLVM::UMaxOp>(
          op))
    return scalars.constant(constant.isNegative() ? 1 - far : far - 1);
  return nullptr;
}

CasesRef LaneArithmetic::apply(SmallVector<CasesRef> in) {
  for (size_t i = 0; i < in.size() && in.size() == 2; ++i)
    if (APInt constant;
        !in[i] && matchPattern(op->getOperand(i), m_ConstantInt(&constant)))
      in[i] = nearer(constant, in[1 - i]);
  if (llvm::is_contained(in, nullptr))
    return nullptr;
  CasesRef value = exact(in);
  if (!value || isa<LLVM::SelectOp, LLVM::ICmpOp>(op))
    return value;
  if (CasesRef fits = reader.fitted(value, result)) {
    maybePoison |= !keepsPromises(in, fits);
    return fits;
  }
  // It may promise not to wrap around, and is poison otherwise. The widest
  // numbers must be seen to fit all the same: a range that nobody knows has no
  // form.
  auto flags = dyn_cast<LLVM::IntegerOverflowFlagsInterface>(op);
  Interval all = scalars.range(value);
  bool isPromised = flags && flags.hasNoSignedWrap();
  // Numbers that nobody knows are too large for 32 bits, rather than others.
  bool mayTurn = isNarrow(result) ||
                 (result.isInteger(32) &&
                  (isa<LLVM::TruncOp>(op) || !scalars.constantOf(value)));
  if (!isPromised && mayTurn) {
    CasesRef bits = wrapped(value);
    maybePoison |= bits && (promisesNotToWrap(op) || !keepsPromises(in, bits));
    return bits;
  }
  if (!isPromised || all.low <= -kUnbounded || all.high >= kUnbounded)
    return nullptr;
  return trusted(value);
}

/// Lane `lane` of what an operand holds; null if it is not affine.
static CasesRef laneOf(Scalars &scalars, const AbstractValue &value,
                       size_t lane, size_t count) {
  CasesRef known;
  if (value.isNumber())
    known = value.lanes.size() == count ? value.lanes[lane] : value.single();
  return known ? known
               : scalars.fail(value.reason.empty()
                                  ? "lanes of a vector that are not affine"
                                  : value.reason);
}

bool KernelReader::readInteger(Operation *op) {
  if (readNullTest(*this, op) || readBitCount(*this, op) ||
      readAddressBits(*this, op))
    return true;
  if (op->getNumResults() != 1 || !isIntegerArithmetic(op))
    return false;
  if (readJoinedBits(*this, op) || readAddressSum(*this, op))
    return true;
  bool poison = false;
  for (Value operand : op->getOperands())
    poison |= get(operand).maybePoison;

  if (isa<LLVM::SelectOp>(op) &&
      !isa<VectorType>(op->getOperand(0).getType())) {
    CasesRef condition = scalar(op->getOperand(0));
    AbstractValue chosen = join(condition, readArm(*this, op, condition, true),
                                readArm(*this, op, condition, false));
    chosen.maybePoison |= poison;
    set(op->getResult(0), std::move(chosen));
    return true;
  }
  auto isNumber = [](Type type) {
    return isa<IntegerType>(getElementTypeOrSelf(type));
  };
  Type type = op->getResult(0).getType();
  if (!isNumber(type) || !isNumber(op->getOperand(0).getType()))
    return false;
  LaneArithmetic arithmetic(*this, op);
  auto vector = dyn_cast<VectorType>(type);
  size_t count = !vector               ? 1
                 : vector.isScalable() ? 0
                                       : vector.getNumElements();
  AbstractValues inputs;
  for (Value operand : op->getOperands())
    inputs.push_back(get(operand));
  std::vector<CasesRef> lanes;
  for (size_t lane = 0; lane < count && count <= size_t(kMaxLanes); ++lane) {
    SmallVector<CasesRef> in;
    for (auto [operand, input] : llvm::zip(op->getOperands(), inputs))
      if (in.empty() || in.back()) // else the reason is that of this one
        in.push_back(vector ? laneOf(scalars, input, lane, count)
                            : scalar(operand));
    lanes.push_back(arithmetic.apply(in));
  }
  AbstractValue result = AbstractValue::unknown(
      vector ? originOf(op, scalars.reason) : scalars.reason);
  if (llvm::any_of(lanes, [](const CasesRef &lane) { return !!lane; }))
    result = AbstractValue::of(std::move(lanes));
  result.maybePoison = poison || arithmetic.maybePoison;
  set(op->getResult(0), std::move(result));
  return true;
}

} // namespace swizzle::analysis
