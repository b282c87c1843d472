//===- LoweredFormula.cpp - What lowered operations cost ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints operations, and counts what a machine spends on them.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Formula/Lowering/Lowering.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <set>

namespace swizzle {

static bool isHilbert(LoweredKind kind) {
  return kind == LoweredKind::HilbertX || kind == LoweredKind::HilbertY;
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
