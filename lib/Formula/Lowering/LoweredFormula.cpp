//===- LoweredFormula.cpp - Running and weighing operations ---------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the operations mean, by the book: the oracle of the emitters' tests.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Formula/Orders/Curves.h"
#include "swizzle/Formula/Lowering/Lowering.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cassert>
#include <set>

namespace swizzle {

static bool isHilbert(LoweredKind kind) {
  return kind == LoweredKind::HilbertX || kind == LoweredKind::HilbertY;
}

/// One coordinate of the i-th point of a curve over w x h; 0 if there is none.
static uint64_t evaluateCurve(LoweredKind kind, uint64_t i, uint64_t w,
                              uint64_t h) {
  if (!isCurvePoint(i, w, h))
    return 0;
  CurvePoint point = curvePoint(isHilbert(kind), i, w, h);
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

WorkgroupId LoweredFormula::evaluate(WorkgroupId id, const Grid &grid) const {
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
    const LoweredOp &op = ops[results[axis]];
    uint64_t bits = values[results[axis]];
    return op.low >= 0 ? int64_t(bits) : llvm::SignExtend64(bits, op.width);
  };
  return {result(0), result(1), result(2)};
}

static const char *nameOf(LoweredKind kind) {
  static constexpr const char *names[] = {
      "constant", "id",       "extent",   "add",     "sub",     "mul",
      "umulhi",   "udiv",     "urem",     "sdiv",    "srem",    "and",
      "or",       "xor",      "shl",      "lshr",    "ashr",    "umin",
      "umax",     "smin",     "smax",     "cmpeq",   "cmpne",   "cmpult",
      "cmpule",   "cmpslt",   "cmpsle",   "select",  "zext",    "sext",
      "trunc",    "hilbertx", "hilberty", "mortonx", "mortony",
  };
  return names[static_cast<unsigned>(kind)];
}

std::string LoweredFormula::print() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (size_t i = 0; i < ops.size(); ++i) {
    const LoweredOp &op = ops[i];
    os << '%' << i << " = " << nameOf(op.kind) << " i" << unsigned(op.width);
    if (!op.numOperands)
      os << ' ' << op.value;
    for (unsigned k = 0; k < op.numOperands; ++k)
      os << " %" << op.operands[k];
    os << "  ; " << op.low << " .. " << op.high
       << (op.total ? "" : " if needed") << '\n';
  }
  os << "return %" << results[0] << ", %" << results[1] << ", %" << results[2]
     << '\n';
  return text;
}

int64_t estimateCost(const LoweredFormula &lowered) {
  int64_t cost = 0;
  // A comparison that is used more than once leaves the condition flag: it is
  // kept as a mask, and tested again for each use.
  std::vector<unsigned> uses(lowered.ops.size(), 0);
  for (const LoweredOp &op : lowered.ops)
    for (unsigned k = 0; k < op.numOperands; ++k)
      ++uses[op.operands[k]];
  for (size_t i = 0; i < lowered.ops.size(); ++i)
    if (lowered.ops[i].width == 1 && uses[i] > 1)
      cost += 1 + uses[i];
  for (const LoweredOp &op : lowered.ops) {
    int64_t one = 1;
    switch (op.kind) {
    case LoweredKind::Constant:
    case LoweredKind::Id:
    case LoweredKind::Extent:
    case LoweredKind::Trunc:
    case LoweredKind::ZExt:
      one = 0;
      break;
    case LoweredKind::UDiv:
    case LoweredKind::URem: {
      bool constant = lowered.ops[op.operands[1]].kind == LoweredKind::Constant;
      one = constant ? 4 : 22;
      break;
    }
    case LoweredKind::SDiv:
    case LoweredKind::SRem:
      one = 30;
      break;
    case LoweredKind::HilbertX:
    case LoweredKind::HilbertY:
    case LoweredKind::MortonX:
    case LoweredKind::MortonY: {
      // One level for each halving of the side; x and y of a curve share a
      // loop. Levels of whole squares are bits of i, others count cells.
      const LoweredOp &w = lowered.ops[op.operands[1]];
      const LoweredOp &h = lowered.ops[op.operands[2]];
      bool whole = w.low == w.high && h.low == h.high &&
                   llvm::isPowerOf2_64(std::min(w.high, h.high)) &&
                   std::max(w.high, h.high) % std::min(w.high, h.high) == 0;
      bool hilbert = isHilbert(op.kind);
      int64_t levels = llvm::Log2_64_Ceil(std::max<int64_t>(
          {hilbert ? std::min(w.high, h.high) : std::max(w.high, h.high), 2}));
      one = levels * (hilbert ? (whole ? 7 : 24) : 9);
      break;
    }
    default:
      break;
    }
    bool wide = op.width == 64;
    if (wide && (op.kind == LoweredKind::Mul || op.kind == LoweredKind::UDiv ||
                 op.kind == LoweredKind::SDiv))
      one *= 6;
    else if (wide)
      one *= 2;
    cost += one;
  }
  return cost;
}

std::optional<int64_t> estimateVectorCost(const LoweredFormula &lowered) {
  std::set<uint32_t> divisors;
  for (const LoweredOp &op : lowered.ops)
    switch (op.kind) {
    case LoweredKind::HilbertX:
    case LoweredKind::HilbertY:
    case LoweredKind::MortonX:
    case LoweredKind::MortonY:
      return std::nullopt;
    case LoweredKind::UDiv:
    case LoweredKind::URem:
    case LoweredKind::SDiv:
    case LoweredKind::SRem:
      if (lowered.ops[op.operands[1]].kind == LoweredKind::Constant)
        break;
      if (op.width == 64)
        return std::nullopt;
      divisors.insert(op.operands[1]);
      break;
    default:
      break;
    }
  // Two conversions, the reciprocal, its scaling, and back to a scalar.
  return 5 * int64_t(divisors.size());
}

} // namespace swizzle
