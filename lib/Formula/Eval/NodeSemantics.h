//===- NodeSemantics.h - What each kind of node computes ------ -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inline, so that a loop over many workgroups decides the kind once.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_FORMULA_EVAL_NODESEMANTICS_H
#define SWIZZLE_LIB_FORMULA_EVAL_NODESEMANTICS_H

#include "WideGraph.h"
#include "swizzle/Formula/Orders/Curves.h"
#include <algorithm>

namespace swizzle::lowering {

/// Division that rounds down; nullopt if it has no result in 64 bits.
inline std::optional<int64_t> floorDivide(int64_t a, int64_t b) {
  if (b == 0 || (a == INT64_MIN && b == -1))
    return std::nullopt;
  int64_t quotient = a / b;
  return quotient - (a % b != 0 && (a < 0) != (b < 0));
}

/// The value of one operation; nullopt where it is undefined.
inline std::optional<int64_t> evaluateKind(NodeKind kind, int64_t a, int64_t b,
                                           int64_t c) {
  int64_t result;
  switch (kind) {
  case NodeKind::Constant:
  case NodeKind::Id:
  case NodeKind::Extent:
    return std::nullopt;
  case NodeKind::Add:
    return __builtin_add_overflow(a, b, &result) ? std::nullopt
                                                 : std::optional(result);
  case NodeKind::Sub:
    return __builtin_sub_overflow(a, b, &result) ? std::nullopt
                                                 : std::optional(result);
  case NodeKind::Mul:
    return __builtin_mul_overflow(a, b, &result) ? std::nullopt
                                                 : std::optional(result);
  case NodeKind::FloorDiv:
    return floorDivide(a, b);
  case NodeKind::FloorMod:
    if (b == 0)
      return std::nullopt;
    if (b == -1)
      return 0;
    result = a % b;
    return result && (result < 0) != (b < 0) ? result + b : result;
  case NodeKind::And:
    return a & b;
  case NodeKind::Or:
    return a | b;
  case NodeKind::Xor:
    return a ^ b;
  case NodeKind::Shl:
    if (b < 0 || b > 63)
      return std::nullopt;
    result = int64_t(uint64_t(a) << b);
    return (result >> b) == a ? std::optional(result) : std::nullopt;
  case NodeKind::Shr:
    return b < 0 || b > 63 ? std::nullopt : std::optional(a >> b);
  case NodeKind::Min:
    return std::min(a, b);
  case NodeKind::Max:
    return std::max(a, b);
  case NodeKind::Less:
    return a < b;
  case NodeKind::LessEqual:
    return a <= b;
  case NodeKind::Equal:
    return a == b;
  case NodeKind::NotEqual:
    return a != b;
  case NodeKind::Select:
    return a ? b : c;
  case NodeKind::HilbertX:
  case NodeKind::HilbertY:
  case NodeKind::MortonX:
  case NodeKind::MortonY: {
    if (!isCurvePoint(a, b, c))
      return std::nullopt;
    bool hilbert = kind == NodeKind::HilbertX || kind == NodeKind::HilbertY;
    CurvePoint point = hilbert ? hilbertPoint(a, b, c) : mortonPoint(a, b, c);
    bool wantsX = kind == NodeKind::HilbertX || kind == NodeKind::MortonX;
    return wantsX ? point.x : point.y;
  }
  }
  return std::nullopt;
}

} // namespace swizzle::lowering

#endif // SWIZZLE_LIB_FORMULA_EVAL_NODESEMANTICS_H
