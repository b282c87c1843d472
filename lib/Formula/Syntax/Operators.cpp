//===- Operators.cpp - Operators and functions by name --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tables.
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

namespace swizzle::formula {

namespace {

constexpr OperatorInfo kOperators[] = {
    {"or", ExprKind::LogicalOr, kOr}, {"and", ExprKind::LogicalAnd, kAnd},
    {"|", ExprKind::Or, 5},           {"^", ExprKind::Xor, 6},
    {"&", ExprKind::And, 7},          {"<<", ExprKind::Shl, 8},
    {">>", ExprKind::Shr, 8},         {"+", ExprKind::Add, 9},
    {"-", ExprKind::Sub, 9},          {"*", ExprKind::Mul, 10},
    {"//", ExprKind::FloorDiv, 10},   {"%", ExprKind::Mod, 10},
    {"<", ExprKind::Less, 4},         {"<=", ExprKind::LessEqual, 4},
    {">", ExprKind::Greater, 4},      {">=", ExprKind::GreaterEqual, 4},
    {"==", ExprKind::Equal, 4},       {"!=", ExprKind::NotEqual, 4},
};

constexpr FunctionInfo kFunctions[] = {
    {"abs", ExprKind::Abs, 1, 1, "abs(a)"},
    {"cdiv", ExprKind::CeilDiv, 2, 2, "cdiv(a, b)"},
    {"hilbert_x", ExprKind::HilbertX, 3, 3, "hilbert_x(i, w, h)"},
    {"hilbert_y", ExprKind::HilbertY, 3, 3, "hilbert_y(i, w, h)"},
    {"max", ExprKind::Max, 2, 0, "max(a, b, ...)"},
    {"min", ExprKind::Min, 2, 0, "min(a, b, ...)"},
    {"morton_x", ExprKind::MortonX, 3, 3, "morton_x(i, w, h)"},
    {"morton_y", ExprKind::MortonY, 3, 3, "morton_y(i, w, h)"},
};

} // namespace

llvm::ArrayRef<OperatorInfo> operators() { return kOperators; }

llvm::ArrayRef<FunctionInfo> functions() { return kFunctions; }

const FunctionInfo *findFunction(llvm::StringRef name) {
  for (const FunctionInfo &function : kFunctions)
    if (function.name == name)
      return &function;
  return nullptr;
}

llvm::StringRef spelling(ExprKind kind) {
  for (const OperatorInfo &one : kOperators)
    if (one.kind == kind)
      return one.spelling;
  for (const FunctionInfo &function : kFunctions)
    if (function.kind == kind)
      return function.name;
  return "?";
}

} // namespace swizzle::formula
