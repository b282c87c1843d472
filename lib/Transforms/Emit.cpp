//===- Emit.cpp - Emit operations as arith --------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One to one: each operation of a lowered formula becomes one of `arith`, in
// the width it was given. Only what is proved for every workgroup is promised
// to the back end (`overflow<nsw, nuw>`). Curves are loops: EmitCurve.cpp.
//
//===----------------------------------------------------------------------===//

#include "EmitCurve.h"
#include "swizzle/Transforms/Materialize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/DenseMap.h"

namespace swizzle {

using namespace mlir;

namespace {

class Emitter {
public:
  Emitter(OpBuilder &builder, Location loc, const LoweredFormula &lowered,
          llvm::ArrayRef<Value> ids, llvm::ArrayRef<Value> extents)
      : builder(builder), loc(loc), lowered(lowered), ids(ids),
        extents(extents) {}

  std::array<Value, 3> run();

private:
  Value emitOp(const LoweredOp &op);
  arith::IntegerOverflowFlags overflowFlags(const LoweredOp &op) const;
  Value operand(const LoweredOp &op, unsigned i) const {
    return values[op.operands[i]];
  }
  template <typename OpTy> Value binary(const LoweredOp &op) {
    return OpTy::create(builder, loc, operand(op, 0), operand(op, 1));
  }
  template <typename OpTy> Value wrapping(const LoweredOp &op) {
    return OpTy::create(builder, loc, operand(op, 0), operand(op, 1),
                        overflowFlags(op));
  }
  Value compare(const LoweredOp &op, arith::CmpIPredicate predicate) {
    return arith::CmpIOp::create(builder, loc, predicate, operand(op, 0),
                                 operand(op, 1));
  }

  OpBuilder &builder;
  Location loc;
  const LoweredFormula &lowered;
  llvm::ArrayRef<Value> ids, extents;
  std::vector<Value> values;
  /// Points of curves, by kind (Hilbert or Morton) and operands.
  std::map<std::tuple<bool, uint32_t, uint32_t, uint32_t>,
           std::pair<Value, Value>>
      curves;
};

} // namespace

/// What may be promised of a sum, difference, product or left shift: operands
/// and result are the integers that they stand for, for every workgroup.
arith::IntegerOverflowFlags Emitter::overflowFlags(const LoweredOp &op) const {
  bool total = op.total, isUnsigned = op.low >= 0;
  int64_t low = op.low, high = op.high;
  for (unsigned i = 0; i < 2; ++i) {
    const LoweredOp &from = lowered.ops[op.operands[i]];
    total &= from.total;
    isUnsigned &= from.low >= 0;
    low = std::min(low, from.low);
    high = std::max(high, from.high);
  }
  auto flags = arith::IntegerOverflowFlags::none;
  if (!total)
    return flags;
  int64_t signedMin = op.width == 64 ? INT64_MIN : INT32_MIN;
  int64_t signedMax = op.width == 64 ? INT64_MAX : INT32_MAX;
  int64_t unsignedMax = op.width == 64 ? INT64_MAX : int64_t(UINT32_MAX);
  if (low >= signedMin && high <= signedMax)
    flags = flags | arith::IntegerOverflowFlags::nsw;
  if (isUnsigned && high <= unsignedMax)
    flags = flags | arith::IntegerOverflowFlags::nuw;
  return flags;
}

Value Emitter::emitOp(const LoweredOp &op) {
  Type type = builder.getIntegerType(op.width);
  switch (op.kind) {
  case LoweredKind::Constant:
    return arith::ConstantOp::create(
        builder, loc,
        builder.getIntegerAttr(type,
                               APInt(op.width, op.value, /*isSigned=*/true,
                                     /*implicitTrunc=*/true)));
  case LoweredKind::Id:
    return arith::IndexCastOp::create(builder, loc, type, ids[op.value]);
  case LoweredKind::Extent:
    return arith::IndexCastOp::create(builder, loc, type, extents[op.value]);
  case LoweredKind::Add:
    return wrapping<arith::AddIOp>(op);
  case LoweredKind::Sub:
    return wrapping<arith::SubIOp>(op);
  case LoweredKind::Mul:
    return wrapping<arith::MulIOp>(op);
  case LoweredKind::Shl:
    return wrapping<arith::ShLIOp>(op);
  case LoweredKind::UMulHi:
    return arith::MulUIExtendedOp::create(builder, loc, operand(op, 0),
                                          operand(op, 1))
        .getHigh();
  case LoweredKind::UDiv:
    return binary<arith::DivUIOp>(op);
  case LoweredKind::URem:
    return binary<arith::RemUIOp>(op);
  case LoweredKind::SDiv:
    return binary<arith::DivSIOp>(op);
  case LoweredKind::SRem:
    return binary<arith::RemSIOp>(op);
  case LoweredKind::And:
    return binary<arith::AndIOp>(op);
  case LoweredKind::Or:
    return binary<arith::OrIOp>(op);
  case LoweredKind::Xor:
    return binary<arith::XOrIOp>(op);
  case LoweredKind::LShr:
    return binary<arith::ShRUIOp>(op);
  case LoweredKind::AShr:
    return binary<arith::ShRSIOp>(op);
  case LoweredKind::UMin:
    return binary<arith::MinUIOp>(op);
  case LoweredKind::UMax:
    return binary<arith::MaxUIOp>(op);
  case LoweredKind::SMin:
    return binary<arith::MinSIOp>(op);
  case LoweredKind::SMax:
    return binary<arith::MaxSIOp>(op);
  case LoweredKind::CmpEq:
    return compare(op, arith::CmpIPredicate::eq);
  case LoweredKind::CmpNe:
    return compare(op, arith::CmpIPredicate::ne);
  case LoweredKind::CmpULt:
    return compare(op, arith::CmpIPredicate::ult);
  case LoweredKind::CmpULe:
    return compare(op, arith::CmpIPredicate::ule);
  case LoweredKind::CmpSLt:
    return compare(op, arith::CmpIPredicate::slt);
  case LoweredKind::CmpSLe:
    return compare(op, arith::CmpIPredicate::sle);
  case LoweredKind::Select:
    return arith::SelectOp::create(builder, loc, operand(op, 0), operand(op, 1),
                                   operand(op, 2));
  case LoweredKind::ZExt:
    return arith::ExtUIOp::create(builder, loc, type, operand(op, 0));
  case LoweredKind::SExt:
    return arith::ExtSIOp::create(builder, loc, type, operand(op, 0));
  case LoweredKind::Trunc:
    return arith::TruncIOp::create(builder, loc, type, operand(op, 0));
  case LoweredKind::HilbertX:
  case LoweredKind::HilbertY:
  case LoweredKind::MortonX:
  case LoweredKind::MortonY: {
    bool hilbert =
        op.kind == LoweredKind::HilbertX || op.kind == LoweredKind::HilbertY;
    std::pair<Value, Value> &point =
        curves[{hilbert, op.operands[0], op.operands[1], op.operands[2]}];
    if (!point.first) {
      CurveOperands curve{operand(op, 0), operand(op, 1), operand(op, 2),
                          lowered.ops[op.operands[1]].high,
                          lowered.ops[op.operands[2]].high};
      point = hilbert ? emitHilbert(builder, loc, curve)
                      : emitMorton(builder, loc, curve);
    }
    bool wantsX =
        op.kind == LoweredKind::HilbertX || op.kind == LoweredKind::MortonX;
    return wantsX ? point.first : point.second;
  }
  }
  return {};
}

std::array<Value, 3> Emitter::run() {
  for (const LoweredOp &op : lowered.ops)
    values.push_back(emitOp(op));
  std::array<Value, 3> results;
  for (unsigned axis = 0; axis < 3; ++axis) {
    const LoweredOp &op = lowered.ops[lowered.results[axis]];
    if (op.kind == LoweredKind::Id)
      results[axis] = ids[op.value];
    else
      results[axis] = arith::IndexCastUIOp::create(
          builder, loc, builder.getIndexType(), values[lowered.results[axis]]);
  }
  return results;
}

std::array<Value, 3> emit(OpBuilder &builder, Location loc,
                          const LoweredFormula &lowered,
                          llvm::ArrayRef<Value> ids,
                          llvm::ArrayRef<Value> extents) {
  return Emitter(builder, loc, lowered, ids, extents).run();
}

} // namespace swizzle
