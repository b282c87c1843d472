//===- ReadIntegers.cpp - Integer arithmetic by cases ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The integer operations of the arith, index and llvm dialects differ in their
// names only; one table serves all three. Values are read as signed. Results
// that may wrap around in a narrow type, and unsigned operations on values that
// may be negative, are not affine.
//
//===----------------------------------------------------------------------===//

#include "KernelReader.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace swizzle {

/// Vectors of more lanes than this are not followed.
static constexpr int64_t kMaxLanes = 256;

namespace {
enum class Code {
  None,
  Add,
  Sub,
  Mul,
  DivS,
  DivU,
  RemS,
  RemU,
  CeilS,
  CeilU,
  FloorS,
  And,
  Or,
  Xor,
  Shl,
  ShrS,
  ShrU,
  MinS,
  MinU,
  MaxS,
  MaxU
};
} // namespace

static Code codeOf(StringRef name) {
  return llvm::StringSwitch<Code>(name)
      .Cases({"arith.addi", "index.add", "llvm.add"}, Code::Add)
      .Cases({"arith.subi", "index.sub", "llvm.sub"}, Code::Sub)
      .Cases({"arith.muli", "index.mul", "llvm.mul"}, Code::Mul)
      .Cases({"arith.divsi", "index.divs", "llvm.sdiv"}, Code::DivS)
      .Cases({"arith.divui", "index.divu", "llvm.udiv"}, Code::DivU)
      .Cases({"arith.remsi", "index.rems", "llvm.srem"}, Code::RemS)
      .Cases({"arith.remui", "index.remu", "llvm.urem"}, Code::RemU)
      .Cases({"arith.ceildivsi", "index.ceildivs"}, Code::CeilS)
      .Cases({"arith.ceildivui", "index.ceildivu"}, Code::CeilU)
      .Cases({"arith.floordivsi", "index.floordivs"}, Code::FloorS)
      .Cases({"arith.andi", "index.and", "llvm.and"}, Code::And)
      .Cases({"arith.ori", "index.or", "llvm.or"}, Code::Or)
      .Cases({"arith.xori", "index.xor", "llvm.xor"}, Code::Xor)
      .Cases({"arith.shli", "index.shl", "llvm.shl"}, Code::Shl)
      .Cases({"arith.shrsi", "index.shrs", "llvm.ashr"}, Code::ShrS)
      .Cases({"arith.shrui", "index.shru", "llvm.lshr"}, Code::ShrU)
      .Cases({"arith.minsi", "index.mins", "llvm.intr.smin"}, Code::MinS)
      .Cases({"arith.minui", "index.minu", "llvm.intr.umin"}, Code::MinU)
      .Cases({"arith.maxsi", "index.maxs", "llvm.intr.smax"}, Code::MaxS)
      .Cases({"arith.maxui", "index.maxu", "llvm.intr.umax"}, Code::MaxU)
      .Default(Code::None);
}

static Interval signedInterval(Type type) {
  unsigned bits = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64;
  if (bits == 1)
    return {0, 1};
  if (bits >= 62)
    return {-kUnbounded, kUnbounded};
  return {-(int64_t(1) << (bits - 1)), (int64_t(1) << (bits - 1)) - 1};
}

CasesRef KernelReader::fitted(const CasesRef &tree, Type type) {
  Interval interval = signedInterval(type);
  if (interval.high == kUnbounded)
    return tree;
  return scalars_.requireRange(
      tree, interval,
      "may wrap around in " + std::to_string(type.getIntOrFloatBitWidth()) +
          " bits");
}

CasesRef KernelReader::binary(StringRef name, Type type, const CasesRef &a,
                              const CasesRef &b) {
  Code code = codeOf(name);
  auto positive = [&](const CasesRef &tree) {
    return scalars_.requireNonNegative(tree);
  };
  CasesRef result;
  switch (code) {
  case Code::None:
    return scalars_.fail("result of " + name.str());
  case Code::Add:
    result = scalars_.add(a, b);
    break;
  case Code::Sub:
    result = scalars_.subtract(a, b);
    break;
  case Code::Mul:
    result = scalars_.multiply(a, b);
    break;
  case Code::DivS:
    result = scalars_.truncDivide(a, b);
    break;
  case Code::DivU:
    result = scalars_.floorDivide(positive(a), positive(b));
    break;
  case Code::RemS:
    result = scalars_.truncRemainder(a, b);
    break;
  case Code::RemU:
    result = scalars_.floorRemainder(positive(a), positive(b));
    break;
  case Code::CeilS:
    result = scalars_.ceilDivide(a, b);
    break;
  case Code::CeilU:
    result = scalars_.ceilDivide(positive(a), positive(b));
    break;
  case Code::FloorS:
    result = scalars_.floorDivide(a, b);
    break;
  case Code::And:
    result = scalars_.bitAnd(a, b);
    break;
  case Code::Or:
    result = scalars_.bitOr(a, b);
    break;
  case Code::Xor:
    result = scalars_.bitXor(a, b);
    break;
  case Code::Shl:
    result = scalars_.shiftLeft(a, b);
    break;
  case Code::ShrS:
    result = scalars_.shiftRight(a, b);
    break;
  case Code::ShrU:
    result = scalars_.shiftRight(positive(a), b);
    break;
  case Code::MinS:
    result = scalars_.minimum(a, b);
    break;
  case Code::MinU:
    result = scalars_.minimum(positive(a), positive(b));
    break;
  case Code::MaxS:
    result = scalars_.maximum(a, b);
    break;
  case Code::MaxU:
    result = scalars_.maximum(positive(a), positive(b));
    break;
  }
  return fitted(result, type);
}

CasesRef KernelReader::compare(StringRef predicate, Type type,
                               const CasesRef &a, const CasesRef &b) {
  if (!a || !b)
    return nullptr;
  if (predicate == "eq")
    return scalars_.compare(Comparison::Equal, a, b);
  if (predicate == "ne")
    return scalars_.compare(Comparison::NotEqual, a, b);
  if (predicate == "sgt" || predicate == "ugt")
    return compare(predicate == "sgt" ? "slt" : "ult", type, b, a);
  if (predicate == "sge" || predicate == "uge")
    return compare(predicate == "sge" ? "sle" : "ule", type, b, a);
  Comparison kind =
      predicate.ends_with("lt") ? Comparison::Less : Comparison::LessEqual;
  if (predicate.starts_with("s"))
    return scalars_.compare(kind, a, b);
  // Unsigned: a negative left side is larger than any right side that is not.
  CasesRef right = scalars_.requireNonNegative(b);
  CasesRef inRange =
      scalars_.compare(Comparison::LessEqual, scalars_.constant(0), a);
  CasesRef less = scalars_.compare(kind, a, right);
  return scalars_.select(inRange, less, scalars_.constant(0));
}

static std::optional<std::string> predicateOf(Operation *op) {
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return arith::stringifyCmpIPredicate(compare.getPredicate()).str();
  if (auto compare = dyn_cast<index::CmpOp>(op))
    return index::stringifyIndexCmpPredicate(compare.getPred()).str();
  if (auto compare = dyn_cast<LLVM::ICmpOp>(op))
    return LLVM::stringifyICmpPredicate(compare.getPredicate()).str();
  return std::nullopt;
}

/// True if the operation promises not to wrap around as a signed one.
static bool hasNoSignedWrap(Operation *op) {
  if (auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
    return flags.hasNoSignedWrap();
  if (auto flags = dyn_cast<LLVM::IntegerOverflowFlagsInterface>(op))
    return flags.hasNoSignedWrap();
  return false;
}

/// Casts between integers.
static bool isCast(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"arith.index_cast", "arith.extsi", "arith.trunci"}, true)
      .Cases({"index.casts", "llvm.sext", "llvm.trunc"}, true)
      .Default(false);
}
static bool isUnsignedCast(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"arith.index_castui", "arith.extui"}, true)
      .Cases({"index.castu", "llvm.zext"}, true)
      .Default(false);
}

static Type elementOf(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getElementType();
  return type;
}

bool KernelReader::readInteger(Operation *op) {
  if (op->getNumResults() != 1)
    return false;
  Type type = op->getResult(0).getType();
  StringRef name = op->getName().getStringRef();

  if (isa<arith::SelectOp, LLVM::SelectOp>(op)) {
    if (!isa<VectorType>(op->getOperand(0).getType())) {
      CasesRef condition = scalar(op->getOperand(0));
      set(op->getResult(0),
          join(condition, get(op->getOperand(1)), get(op->getOperand(2))));
      return true;
    }
  }
  if (!elementOf(type).isIntOrIndex())
    return false;

  if (op->hasTrait<OpTrait::ConstantLike>()) {
    if (isa<LLVM::UndefOp, LLVM::PoisonOp, LLVM::ZeroOp>(op))
      return false;
    DenseIntElementsAttr dense;
    auto vector = dyn_cast<VectorType>(type);
    if (vector && matchPattern(op->getResult(0), m_Constant(&dense)) &&
        dense.getNumElements() <= kMaxLanes) {
      std::vector<CasesRef> lanes;
      for (const APInt &lane : dense.getValues<APInt>())
        lanes.push_back(scalars_.constant(lane.getBitWidth() == 1
                                              ? int64_t(lane.getZExtValue())
                                              : lane.getSExtValue()));
      set(op->getResult(0), AbstractValue::of(std::move(lanes)));
    } else {
      values.erase(op->getResult(0));
      set(op->getResult(0), get(op->getResult(0)));
    }
    return true;
  }

  std::optional<std::string> predicate = predicateOf(op);
  bool isBinary = codeOf(name) != Code::None;
  bool cast = isCast(name), unsignedCast = isUnsignedCast(name);
  bool choice = isa<arith::SelectOp, LLVM::SelectOp>(op);
  if (!predicate && !isBinary && !cast && !unsignedCast && !choice)
    return false;

  Type element = elementOf(type);
  Type source = elementOf(op->getOperand(0).getType());
  auto apply = [&](ArrayRef<CasesRef> in) -> CasesRef {
    if (llvm::is_contained(in, nullptr))
      return nullptr;
    if (predicate)
      return compare(*predicate, source, in[0], in[1]);
    if (isBinary)
      return binary(name,
                    hasNoSignedWrap(op) ? IndexType::get(op->getContext())
                                        : element,
                    in[0], in[1]);
    if (choice)
      return scalars_.select(in[0], in[1], in[2]);
    if (unsignedCast)
      return fitted(scalars_.requireNonNegative(in[0]), element);
    // The only value of i1 beside 0 is -1 as a signed number.
    if (source.isInteger(1) && name != "arith.trunci" && name != "llvm.trunc")
      return scalars_.scale(in[0], -1);
    if (element.isInteger(1)) // truncation keeps the lowest bit
      return scalars_.bitAnd(in[0], scalars_.constant(1));
    return fitted(in[0], element);
  };

  if (!isa<VectorType>(type)) {
    set(op->getResult(0), apply(scalars(op->getOperands())));
    return true;
  }
  std::vector<CasesRef> lanes;
  std::vector<AbstractValue> inputs;
  for (Value operand : op->getOperands())
    inputs.push_back(get(operand));
  size_t count = cast_or_null<VectorType>(type).getNumElements();
  for (size_t lane = 0; lane < count && lane < size_t(kMaxLanes); ++lane) {
    SmallVector<CasesRef> in;
    for (const AbstractValue &input : inputs)
      in.push_back(input.lanes.size() == count ? input.lanes[lane]
                   : input.isScalar()          ? input.scalar
                                               : nullptr);
    CasesRef result = apply(in);
    if (!result)
      break;
    lanes.push_back(result);
  }
  if (lanes.size() == count)
    set(op->getResult(0), AbstractValue::of(std::move(lanes)));
  else
    setUnknown(op, "lanes of a vector that are not affine");
  return true;
}

//===----------------------------------------------------------------------===//
// Affine maps
//===----------------------------------------------------------------------===//

CasesRef KernelReader::evaluateExpr(AffineExpr expr, unsigned dims,
                                    ArrayRef<CasesRef> operands) {
  switch (expr.getKind()) {
  case AffineExprKind::Constant:
    return scalars_.constant(cast<AffineConstantExpr>(expr).getValue());
  case AffineExprKind::DimId:
    return operands[cast<AffineDimExpr>(expr).getPosition()];
  case AffineExprKind::SymbolId:
    return operands[dims + cast<AffineSymbolExpr>(expr).getPosition()];
  default:
    break;
  }
  auto both = cast<AffineBinaryOpExpr>(expr);
  CasesRef a = evaluateExpr(both.getLHS(), dims, operands);
  CasesRef b = evaluateExpr(both.getRHS(), dims, operands);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return scalars_.add(a, b);
  case AffineExprKind::Mul:
    return scalars_.multiply(a, b);
  case AffineExprKind::Mod:
    return scalars_.floorRemainder(a, b);
  case AffineExprKind::FloorDiv:
    return scalars_.floorDivide(a, b);
  case AffineExprKind::CeilDiv:
    return scalars_.ceilDivide(a, b);
  default:
    return scalars_.fail("an affine expression of an unknown kind");
  }
}

SmallVector<CasesRef> KernelReader::evaluateMap(AffineMap map,
                                                ValueRange operands) {
  SmallVector<CasesRef> inputs = scalars(operands), results;
  for (AffineExpr expr : map.getResults())
    results.push_back(evaluateExpr(expr, map.getNumDims(), inputs));
  return results;
}

bool KernelReader::readIndexArithmetic(Operation *op) {
  auto fold = [&](AffineMap map, ValueRange operands, bool least) {
    SmallVector<CasesRef> results = evaluateMap(map, operands);
    CasesRef best = results.front();
    for (const CasesRef &next : ArrayRef<CasesRef>(results).drop_front())
      best =
          least ? scalars_.minimum(best, next) : scalars_.maximum(best, next);
    set(op->getResult(0), best);
    return true;
  };
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return fold(apply.getAffineMap(), apply.getMapOperands(), true);
  if (auto least = dyn_cast<affine::AffineMinOp>(op))
    return fold(least.getAffineMap(), least.getOperands(), true);
  if (auto most = dyn_cast<affine::AffineMaxOp>(op))
    return fold(most.getAffineMap(), most.getOperands(), false);

  if (auto split = dyn_cast<affine::AffineDelinearizeIndexOp>(op)) {
    // The outermost result is what the inner extents leave over; its own
    // extent, where given, is only a promise.
    SmallVector<OpFoldResult> basis = split.getMixedBasis();
    if (split.hasOuterBound())
      basis.erase(basis.begin());
    CasesRef rest = scalar(split.getLinearIndex());
    unsigned result = split.getNumResults();
    for (OpFoldResult extent : llvm::reverse(basis)) {
      CasesRef size = scalar(extent);
      set(split.getResult(--result), scalars_.floorRemainder(rest, size));
      rest = scalars_.floorDivide(rest, size);
    }
    if (result > 0)
      set(split.getResult(0), rest);
    return true;
  }
  if (auto merge = dyn_cast<affine::AffineLinearizeIndexOp>(op)) {
    SmallVector<OpFoldResult> basis = merge.getMixedBasis();
    OperandRange indices = merge.getMultiIndex();
    if (basis.size() == indices.size() && !basis.empty())
      basis.erase(basis.begin());
    CasesRef sum = scalars_.constant(0);
    for (auto [position, index] : llvm::enumerate(indices)) {
      if (position > 0)
        sum = scalars_.multiply(sum, scalar(basis[position - 1]));
      sum = scalars_.add(sum, scalar(index));
    }
    set(op->getResult(0), sum);
    return true;
  }
  return false;
}

} // namespace swizzle
