//===- EvaluateLowered.cpp - Lowered operations, one by one ---------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One operation after the other, on the bits of its operands.
//
//===----------------------------------------------------------------------===//

#include "EvaluateLowered.h"
#include "swizzle/Formula/Orders/Curves.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cassert>

namespace swizzle {

/// One coordinate of the i-th point of a curve over w x h; 0 if there is none.
static uint64_t evaluateCurve(LoweredKind kind, uint64_t i, uint64_t w,
                              uint64_t h) {
  if (!isCurvePoint(i, w, h))
    return 0;
  bool isHilbert =
      kind == LoweredKind::HilbertX || kind == LoweredKind::HilbertY;
  CurvePoint point = curvePoint(isHilbert, i, w, h);
  return kind == LoweredKind::HilbertX || kind == LoweredKind::MortonX
             ? point.x
             : point.y;
}

/// One operation on the bits of its operands; `width` is theirs.
static uint64_t evaluateOp(const LoweredOp &op, unsigned width, uint64_t a,
                           uint64_t b, uint64_t c) {
  int64_t sa = llvm::SignExtend64(a, width), sb = llvm::SignExtend64(b, width);
  switch (op.kind) {
  case LoweredKind::Constant:
    return op.value;
  case LoweredKind::Id:
  case LoweredKind::Extent:
    return 0; // The caller knows.
  case LoweredKind::Add:
    return a + b;
  case LoweredKind::Sub:
    return a - b;
  case LoweredKind::Mul:
    return a * b;
  case LoweredKind::UMulHi:
    return uint64_t(((unsigned __int128)a * b) >> width);
  case LoweredKind::UDiv:
    assert(b && "a divisor that can be zero");
    return a / b;
  case LoweredKind::URem:
    assert(b && "a divisor that can be zero");
    return a % b;
  case LoweredKind::SDiv:
    assert(sb && sb != -1 && "a divisor that can be zero or -1");
    return sa / sb;
  case LoweredKind::SRem:
    assert(sb && sb != -1 && "a divisor that can be zero or -1");
    return sa % sb;
  case LoweredKind::And:
    return a & b;
  case LoweredKind::Or:
    return a | b;
  case LoweredKind::Xor:
    return a ^ b;
  case LoweredKind::Shl:
    assert(b < width && "a shift that is too far");
    return a << b;
  case LoweredKind::LShr:
    assert(b < width && "a shift that is too far");
    return a >> b;
  case LoweredKind::AShr:
    assert(b < width && "a shift that is too far");
    return sa >> b;
  case LoweredKind::UMin:
    return std::min(a, b);
  case LoweredKind::UMax:
    return std::max(a, b);
  case LoweredKind::SMin:
    return std::min(sa, sb);
  case LoweredKind::SMax:
    return std::max(sa, sb);
  case LoweredKind::CmpEq:
    return a == b;
  case LoweredKind::CmpNe:
    return a != b;
  case LoweredKind::CmpULt:
    return a < b;
  case LoweredKind::CmpULe:
    return a <= b;
  case LoweredKind::CmpSLt:
    return sa < sb;
  case LoweredKind::CmpSLe:
    return sa <= sb;
  case LoweredKind::Select:
    return a ? b : c;
  case LoweredKind::ZExt:
  case LoweredKind::Trunc:
    return a;
  case LoweredKind::SExt:
    return sa;
  case LoweredKind::HilbertX:
  case LoweredKind::HilbertY:
  case LoweredKind::MortonX:
  case LoweredKind::MortonY:
    return evaluateCurve(op.kind, a, b, c);
  }
  return 0;
}

WorkgroupId evaluate(const LoweredFormula &lowered, WorkgroupId id,
                     const Grid &grid) {
  const std::vector<LoweredOp> &ops = lowered.ops;
  std::vector<uint64_t> values(ops.size());
  const int64_t ids[3] = {id.x, id.y, id.z};
  for (size_t i = 0; i < ops.size(); ++i) {
    const LoweredOp &op = ops[i];
    uint64_t operands[3] = {0, 0, 0};
    for (unsigned k = 0; k < op.numOperands; ++k)
      operands[k] = values[op.operands[k]];
    // A choice has operands of two widths; that of the condition says nothing.
    unsigned width = op.numOperands ? ops[op.operands[0]].width : op.width;
    if (op.kind == LoweredKind::Select)
      width = op.width;
    uint64_t value =
        op.kind == LoweredKind::Id ? uint64_t(ids[op.value])
        : op.kind == LoweredKind::Extent
            ? uint64_t(grid[op.value])
            : evaluateOp(op, width, operands[0], operands[1], operands[2]);
    values[i] = value & llvm::maskTrailingOnes<uint64_t>(op.width);
  }
  auto result = [&](unsigned axis) {
    const LoweredOp &op = ops[lowered.results[axis]];
    uint64_t bits = values[lowered.results[axis]];
    return op.low >= 0 ? int64_t(bits) : llvm::SignExtend64(bits, op.width);
  };
  return {result(0), result(1), result(2)};
}

} // namespace swizzle
