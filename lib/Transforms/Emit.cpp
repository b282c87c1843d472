//===- Emit.cpp - Lowered operations as arith -----------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The back end of Emit/Emit.h that writes `arith`, with `scf.for` for
// curves. Ids and extents are of type index.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Emit/Emit.h"
#include "swizzle/Transforms/Materialize.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

namespace swizzle {

using namespace mlir;

namespace {

class ArithBackend {
public:
  using Value = mlir::Value;

  ArithBackend(OpBuilder &builder, Location loc, ArrayRef<Value> ids,
               ArrayRef<Value> extents)
      : builder(builder), loc(loc), ids(ids), extents(extents) {}

  Value constant(unsigned width, int64_t value) {
    APInt number(width, value, /*isSigned=*/true, /*implicitTrunc=*/true);
    return arith::ConstantOp::create(
        builder, loc,
        builder.getIntegerAttr(builder.getIntegerType(width), number));
  }
  Value given(unsigned axis) { return ids[axis]; }
  Value id(unsigned axis, unsigned width) {
    return arith::IndexCastOp::create(builder, loc,
                                      builder.getIntegerType(width), ids[axis]);
  }
  Value extent(unsigned axis, unsigned width) {
    return arith::IndexCastOp::create(
        builder, loc, builder.getIntegerType(width), extents[axis]);
  }
  Value asGiven(Value value) {
    return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                        value);
  }

  Value binary(LoweredKind kind, Value a, Value b, Wrapping wrapping) {
    auto flags = arith::IntegerOverflowFlags::none;
    if (wrapping.noSigned)
      flags = flags | arith::IntegerOverflowFlags::nsw;
    if (wrapping.noUnsigned)
      flags = flags | arith::IntegerOverflowFlags::nuw;
    switch (kind) {
#define SWIZZLE_WRAPPING(kind, arithOp, llvmOp)                                \
  case LoweredKind::kind:                                                      \
    return arith::arithOp::create(builder, loc, a, b, flags);
#define SWIZZLE_BINARY(kind, arithOp, llvmOp)                                  \
  case LoweredKind::kind:                                                      \
    return arith::arithOp::create(builder, loc, a, b);
#define SWIZZLE_EXTREME(kind, arithOp, llvmOp)                                 \
  SWIZZLE_BINARY(kind, arithOp, llvmOp)
#define SWIZZLE_COMPARISON(kind, predicate, llvmOp)                            \
  case LoweredKind::kind:                                                      \
    return arith::CmpIOp::create(builder, loc,                                 \
                                 arith::CmpIPredicate::predicate, a, b);
#include "swizzle/Emit/LoweredOps.def"
    default:
      llvm_unreachable("no operation of two operands");
    }
  }

  Value fold(LoweredKind kind, Value a, Value b) {
    switch (kind) {
#define SWIZZLE_WRAPPING(kind, arithOp, llvmOp)                                \
  case LoweredKind::kind:                                                      \
    return builder.createOrFold<arith::arithOp>(loc, a, b);
#define SWIZZLE_BINARY(kind, arithOp, llvmOp)                                  \
  SWIZZLE_WRAPPING(kind, arithOp, llvmOp)
#define SWIZZLE_EXTREME(kind, arithOp, llvmOp)                                 \
  SWIZZLE_WRAPPING(kind, arithOp, llvmOp)
#define SWIZZLE_COMPARISON(kind, predicate, llvmOp)                            \
  case LoweredKind::kind:                                                      \
    return builder.createOrFold<arith::CmpIOp>(                                \
        loc, arith::CmpIPredicate::predicate, a, b);
#include "swizzle/Emit/LoweredOps.def"
    default:
      llvm_unreachable("no operation of two operands");
    }
  }

  Value convert(LoweredKind kind, unsigned width, Value value) {
    Type type = builder.getIntegerType(width);
    switch (kind) {
#define SWIZZLE_CONVERSION(kind, arithOp, llvmOp)                              \
  case LoweredKind::kind:                                                      \
    return arith::arithOp::create(builder, loc, type, value);
#include "swizzle/Emit/LoweredOps.def"
    default:
      llvm_unreachable("no conversion");
    }
  }

  Value select(Value condition, Value then, Value otherwise) {
    return arith::SelectOp::create(builder, loc, condition, then, otherwise);
  }
  Value foldSelect(Value condition, Value then, Value otherwise) {
    return builder.createOrFold<arith::SelectOp>(loc, condition, then,
                                                 otherwise);
  }
  Value mulHigh(Value a, Value b) {
    return arith::MulUIExtendedOp::create(builder, loc, a, b).getHigh();
  }

  std::optional<int64_t> asConstant(Value value) {
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)))
      return constant.getSExtValue();
    return std::nullopt;
  }
  unsigned widthOf(Value value) {
    return value.getType().getIntOrFloatBitWidth();
  }

  SmallVector<Value>
  repeat(unsigned times, ArrayRef<Value> state,
         llvm::function_ref<SmallVector<Value>(ArrayRef<Value>)> body) {
    Value zero = constant(32, 0), one = constant(32, 1);
    Value end = constant(32, times);
    auto loop = scf::ForOp::create(
        builder, loc, zero, end, one, state,
        [&](OpBuilder &, Location, Value, ValueRange arguments) {
          SmallVector<Value> now(arguments);
          scf::YieldOp::create(builder, loc, body(now));
        });
    return SmallVector<Value>(loop.getResults());
  }

private:
  OpBuilder &builder;
  Location loc;
  ArrayRef<Value> ids, extents;
};

} // namespace

std::array<Value, 3> emit(OpBuilder &builder, Location loc,
                          const LoweredFormula &lowered, ArrayRef<Value> ids,
                          ArrayRef<Value> extents) {
  ArithBackend backend(builder, loc, ids, extents);
  return emitFormula(backend, lowered);
}

void guardGrid(OpBuilder &builder, Location loc, const Grid &grid,
               ArrayRef<Value> ids, ArrayRef<Value> extents,
               std::array<Value, 3> &results) {
  ArithBackend backend(builder, loc, ids, extents);
  emitGridGuard(backend, grid, results);
}

} // namespace swizzle
