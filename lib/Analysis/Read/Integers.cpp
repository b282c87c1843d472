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
// Numbers of 62 bits and more are followed only where they stay below 2^62, the
// widest that a Domain knows. A number of one bit is 0 or 1 here; as a signed
// one it is 0 or -1, so that signed operations on it are turned round.
//
//===----------------------------------------------------------------------===//

#include "KernelReader.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace swizzle {

/// Vectors of more lanes than this are not followed.
static constexpr int64_t kMaxLanes = 256;

/// What fits into `type` without wrapping around.
static Interval intervalOf(Type type) {
  unsigned bits = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64;
  if (bits == 1)
    return {0, 1};
  if (bits >= 62)
    return {1 - kUnbounded, kUnbounded - 1};
  return {-(int64_t(1) << (bits - 1)), (int64_t(1) << (bits - 1)) - 1};
}

CasesRef KernelReader::fitted(const CasesRef &tree, Type type) {
  return scalars.requireRange(
      tree, intervalOf(type),
      "may wrap around in " + std::to_string(type.getIntOrFloatBitWidth()) +
          " bits");
}

namespace {
enum class Code : uint8_t {
  None,
  Add,
  Sub,
  Mul,
  DivS,
  DivU,
  RemS,
  RemU,
  And,
  Or,
  Xor,
  Shl,
  ShrS,
  ShrU,
  MinS,
  MinU,
  MaxS,
  MaxU,
  Abs,
  SExt,
  ZExt,
  Trunc,
  Compare,
  Select
};

/// One operation on integers, as far as its operands do not matter.
struct IntegerOperation {
  Code code = Code::None;
  Type source, result; ///< types of a lane
  std::string predicate;
  /// It promises not to wrap around (or that its operand is not negative), and
  /// is poison otherwise.
  bool promises = false;
  bool disjoint = false; ///< an `or` of bits that never meet
};
} // namespace

static Code codeOf(Operation *op) {
  return llvm::StringSwitch<Code>(op->getName().getStringRef())
      .Case("llvm.add", Code::Add)
      .Case("llvm.sub", Code::Sub)
      .Case("llvm.mul", Code::Mul)
      .Case("llvm.sdiv", Code::DivS)
      .Case("llvm.udiv", Code::DivU)
      .Case("llvm.srem", Code::RemS)
      .Case("llvm.urem", Code::RemU)
      .Case("llvm.and", Code::And)
      .Case("llvm.or", Code::Or)
      .Case("llvm.xor", Code::Xor)
      .Case("llvm.shl", Code::Shl)
      .Case("llvm.ashr", Code::ShrS)
      .Case("llvm.lshr", Code::ShrU)
      .Case("llvm.intr.smin", Code::MinS)
      .Case("llvm.intr.umin", Code::MinU)
      .Case("llvm.intr.smax", Code::MaxS)
      .Case("llvm.intr.umax", Code::MaxU)
      .Case("llvm.intr.abs", Code::Abs)
      .Case("llvm.sext", Code::SExt)
      .Case("llvm.zext", Code::ZExt)
      .Case("llvm.trunc", Code::Trunc)
      .Case("llvm.icmp", Code::Compare)
      .Case("llvm.select", Code::Select)
      .Default(Code::None);
}

static IntegerOperation describeInteger(Operation *op) {
  IntegerOperation result;
  result.code = codeOf(op);
  if (result.code == Code::None)
    return result;
  result.source = getElementTypeOrSelf(op->getOperand(0).getType());
  result.result = getElementTypeOrSelf(op->getResult(0).getType());
  if (auto compare = dyn_cast<LLVM::ICmpOp>(op))
    result.predicate =
        LLVM::stringifyICmpPredicate(compare.getPredicate()).str();
  if (auto flags = dyn_cast<LLVM::IntegerOverflowFlagsInterface>(op))
    result.promises = flags.hasNoSignedWrap();
  if (auto flags = dyn_cast<LLVM::NonNegFlagInterface>(op))
    result.promises = flags.getNonNeg();
  if (auto either = dyn_cast<LLVM::OrOp>(op))
    result.disjoint = either.getIsDisjoint();
  return result;
}

/// Signed operations on one bit are the unsigned ones of 0 and 1 turned round:
/// there, 1 stands for -1. What has no such counterpart is None.
static Code onOneBit(Code code) {
  switch (code) {
  case Code::MinS:
    return Code::MaxU;
  case Code::MaxS:
    return Code::MinU;
  case Code::DivS:
  case Code::RemS:
  case Code::ShrS:
  case Code::Shl:
  case Code::Abs:
    return Code::None;
  default:
    return code;
  }
}

namespace {
/// Arithmetic on the lanes of one operation.
class LaneArithmetic {
public:
  LaneArithmetic(KernelReader &reader, const IntegerOperation &op)
      : reader(reader), scalars(reader.scalars), op(op) {}

  /// Null, with a reason, if the result is not affine.
  CasesRef apply(ArrayRef<CasesRef> in);
  /// The result rests on a promise that the ranges do not bear out.
  bool maybePoison = false;

private:
  CasesRef exact(ArrayRef<CasesRef> in);
  CasesRef compare(StringRef predicate, const CasesRef &a, const CasesRef &b);
  CasesRef extend(const CasesRef &a);
  CasesRef shift(const CasesRef &a, const CasesRef &amount);
  CasesRef natural(const CasesRef &a) { return scalars.requireNonNegative(a); }

  KernelReader &reader;
  Scalars &scalars;
  const IntegerOperation &op;
};
} // namespace

CasesRef LaneArithmetic::compare(StringRef predicate, const CasesRef &a,
                                 const CasesRef &b) {
  if (!a || !b)
    return nullptr;
  if (predicate == "eq")
    return scalars.compare(Comparison::Equal, a, b);
  if (predicate == "ne")
    return scalars.compare(Comparison::NotEqual, a, b);
  if (predicate == "sgt" || predicate == "ugt")
    return compare(predicate == "sgt" ? "slt" : "ult", b, a);
  if (predicate == "sge" || predicate == "uge")
    return compare(predicate == "sge" ? "sle" : "ule", b, a);
  Comparison kind =
      predicate.ends_with("lt") ? Comparison::Less : Comparison::LessEqual;
  if (predicate.starts_with("s"))
    return op.source.isInteger(1) ? scalars.compare(kind, b, a)
                                  : scalars.compare(kind, a, b);
  // Unsigned: a negative left side is larger than any right side that is not.
  CasesRef right = natural(b);
  CasesRef inRange =
      scalars.compare(Comparison::LessEqual, scalars.constant(0), a);
  CasesRef less = scalars.compare(kind, a, right);
  return scalars.select(inRange, less, scalars.constant(0));
}

CasesRef LaneArithmetic::extend(const CasesRef &a) {
  switch (op.code) {
  case Code::SExt:
    // The only number of one bit beside 0 is -1 as a signed one.
    return op.source.isInteger(1) ? scalars.scale(a, -1) : a;
  case Code::ZExt: {
    if (CasesRef positive = natural(a))
      return positive;
    if (!op.promises)
      return nullptr;
    maybePoison = true;
    return a;
  }
  default: // truncation; of one bit, the lowest one
    return op.result.isInteger(1) ? scalars.bitAnd(a, scalars.constant(1)) : a;
  }
}

CasesRef LaneArithmetic::shift(const CasesRef &a, const CasesRef &amount) {
  // By as many bits as there are, or more, is poison.
  CasesRef bits = scalars.requireRange(
      amount, {0, int64_t(op.result.getIntOrFloatBitWidth()) - 1},
      "shift by as many bits as the number has");
  if (op.code == Code::Shl)
    return scalars.shiftLeft(a, bits);
  return scalars.shiftRight(op.code == Code::ShrS ? a : natural(a), bits);
}

/// The result as a number of any size.
CasesRef LaneArithmetic::exact(ArrayRef<CasesRef> in) {
  const CasesRef &a = in[0];
  CasesRef b = in.size() > 1 ? in[1] : nullptr;
  Code code = op.code;
  if (op.source.isInteger(1))
    code = code == Code::Compare || code == Code::Select ? code
                                                         : onOneBit(code);
  switch (code) {
  case Code::None:
    return scalars.fail("signed arithmetic on one bit");
  case Code::Add:
    return scalars.add(a, b);
  case Code::Sub:
    return scalars.subtract(a, b);
  case Code::Mul:
    return scalars.multiply(a, b);
  case Code::DivS:
    return scalars.truncDivide(a, b);
  case Code::DivU:
    return scalars.floorDivide(natural(a), natural(b));
  case Code::RemS:
    return scalars.truncRemainder(a, b);
  case Code::RemU:
    return scalars.floorRemainder(natural(a), natural(b));
  case Code::And:
    return scalars.bitAnd(a, b);
  case Code::Or: {
    CasesRef either = scalars.bitOr(a, b);
    if (either || !op.disjoint)
      return either;
    maybePoison = true;
    return scalars.add(a, b);
  }
  case Code::Xor:
    return scalars.bitXor(a, b);
  case Code::Shl:
  case Code::ShrS:
  case Code::ShrU:
    return shift(a, b);
  case Code::MinS:
    return scalars.minimum(a, b);
  case Code::MinU:
    return scalars.minimum(natural(a), natural(b));
  case Code::MaxS:
    return scalars.maximum(a, b);
  case Code::MaxU:
    return scalars.maximum(natural(a), natural(b));
  case Code::Abs:
    return scalars.maximum(a, scalars.scale(a, -1));
  case Code::SExt:
  case Code::ZExt:
  case Code::Trunc:
    return extend(a);
  case Code::Compare:
    return compare(op.predicate, a, b);
  case Code::Select:
    return scalars.select(a, b, in[2]);
  }
  return nullptr;
}

CasesRef LaneArithmetic::apply(ArrayRef<CasesRef> in) {
  if (llvm::is_contained(in, nullptr))
    return nullptr;
  CasesRef result = exact(in);
  if (!result || op.code == Code::Select || op.code == Code::Compare)
    return result;
  if (CasesRef fits = reader.fitted(result, op.result))
    return fits;
  // The widest numbers must be seen to fit all the same: a range that nobody
  // knows has no form.
  Interval all = scalars.range(result);
  if (!op.promises || op.code == Code::ZExt || all.low <= -kUnbounded ||
      all.high >= kUnbounded)
    return nullptr;
  maybePoison = true;
  return result;
}

/// Lane `lane` of what an operand holds; null if it is not affine.
static CasesRef laneOf(const AbstractValue &value, size_t lane, size_t count) {
  if (value.isScalar())
    return value.scalar;
  return value.lanes.size() == count ? value.lanes[lane] : nullptr;
}

/// Constants; true if `op` is one.
static bool readConstant(KernelReader &reader, Operation *op) {
  if (!isa<LLVM::ConstantOp>(op))
    return false;
  Value result = op->getResult(0);
  auto number = [&](const APInt &value) -> CasesRef {
    if (value.getSignificantBits() > 60)
      return reader.scalars.fail("a constant beyond 2^60");
    return reader.scalars.constant(value.getBitWidth() == 1
                                       ? int64_t(value.getZExtValue())
                                       : value.getSExtValue());
  };
  APInt single;
  DenseIntElementsAttr dense;
  if (auto vector = dyn_cast<VectorType>(result.getType());
      vector && matchPattern(result, m_Constant(&dense)) &&
      dense.getNumElements() <= kMaxLanes) {
    std::vector<CasesRef> lanes;
    for (const APInt &lane : dense.getValues<APInt>())
      lanes.push_back(number(lane));
    reader.set(result, AbstractValue::of(std::move(lanes)));
  } else if (matchPattern(result, m_ConstantInt(&single)) && !vector) {
    reader.set(result, number(single));
  } else {
    reader.set(result, AbstractValue::unknown("a constant of another type"));
  }
  return true;
}

bool KernelReader::readInteger(Operation *op) {
  if (op->getNumResults() != 1)
    return false;
  if (readConstant(*this, op))
    return true;
  Type type = op->getResult(0).getType();
  IntegerOperation what = describeInteger(op);
  if (what.code == Code::None)
    return false;
  bool poison = false;
  for (Value operand : op->getOperands())
    poison |= get(operand).maybePoison;

  if (what.code == Code::Select &&
      !isa<VectorType>(op->getOperand(0).getType())) {
    AbstractValue chosen = join(scalar(op->getOperand(0)),
                                get(op->getOperand(1)), get(op->getOperand(2)));
    chosen.maybePoison |= poison;
    set(op->getResult(0), std::move(chosen));
    return true;
  }
  if (!isa<IntegerType>(what.result) || !isa<IntegerType>(what.source))
    return false;

  LaneArithmetic arithmetic(*this, what);
  AbstractValue result;
  if (auto vector = dyn_cast<VectorType>(type)) {
    SmallVector<AbstractValue> inputs;
    for (Value operand : op->getOperands())
      inputs.push_back(get(operand));
    size_t count = vector.isScalable() ? 0 : vector.getNumElements();
    std::vector<CasesRef> lanes;
    for (size_t lane = 0; lane < count && count <= size_t(kMaxLanes); ++lane) {
      SmallVector<CasesRef> in;
      for (const AbstractValue &input : inputs)
        in.push_back(laneOf(input, lane, count));
      lanes.push_back(arithmetic.apply(in));
    }
    bool any = llvm::any_of(lanes, [](const CasesRef &l) { return bool(l); });
    result = any ? AbstractValue::of(std::move(lanes))
                 : AbstractValue::unknown(
                       originOf(op, "lanes of a vector that are not affine"));
  } else {
    SmallVector<CasesRef> in;
    for (Value operand : op->getOperands()) {
      in.push_back(scalar(operand));
      if (!in.back())
        break; // the reason is that of this one
    }
    bool complete = in.size() == op->getNumOperands() && in.back();
    CasesRef value = complete ? arithmetic.apply(in) : nullptr;
    result = AbstractValue::of(value, scalars.reason);
  }
  result.maybePoison = poison || arithmetic.maybePoison;
  set(op->getResult(0), std::move(result));
  return true;
}

} // namespace swizzle
