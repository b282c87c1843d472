//===- AST.h - Syntax of the formula language -------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tree of a formula: a flat pool of expression nodes that refer to each
// other by index, so that neither parsing nor destroying a deeply nested text
// can overflow the stack. Meaning: docs/formula-language.md.
//
//   return x + 1, y       expressions  0: Name x, 1: Literal 1, 2: Add 0 1,
//                                      3: Name y
//                         results      2, 3
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_FORMULA_SYNTAX_AST_H
#define SWIZZLE_FORMULA_SYNTAX_AST_H

#include <cstdint>
#include <string>
#include <vector>

namespace swizzle {

/// Index of an expression in `FormulaAST::expressions`. Operands always have a
/// smaller index than the expression that uses them.
using ExprId = uint32_t;

enum class ExprKind : uint8_t {
  Literal, ///< `value`
  Name,    ///< `name`
  Add,
  Sub,
  Mul,
  FloorDiv,
  Mod, ///< two operands
  And,
  Or,
  Xor,
  Shl,
  Shr, ///< bitwise, two operands
  Negate,
  Invert,
  LogicalNot, ///< one operand
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual, ///< two; 0 or 1
  LogicalAnd,
  LogicalOr,   ///< two, lazy, yield an operand
  Conditional, ///< condition, then, otherwise; lazy
  Min,
  Max, ///< two or more
  Abs,
  CeilDiv, ///< one; two
  HilbertX,
  HilbertY,
  MortonX,
  MortonY, ///< i, w, h
  /// a < b <= c ...: operands are the compared values; `chain` the comparisons.
  Chain,
};

/// Where an expression stands in the text; both start at 1, 0 if synthesised.
struct SourcePosition {
  uint32_t line = 0, column = 0;
};

struct Expr {
  ExprKind kind = ExprKind::Literal;
  SourcePosition position;
  int64_t value = 0; ///< Literal
  std::string name;  ///< Name
  std::vector<ExprId> operands;
  std::vector<ExprKind> chain; ///< Chain: one fewer than operands
};

/// `a, b = e, f`: all values are computed before any target is assigned.
struct Assignment {
  std::vector<std::string> targets;
  std::vector<ExprId> values; ///< as many as targets
  SourcePosition position;
};

/// `param NAME in {1, 2, 4}`.
struct ParamDecl {
  std::string name;
  std::vector<int64_t> values; ///< distinct, in the order written
  SourcePosition position;
};

/// `require EXPR`.
struct Requirement {
  ExprId condition = 0;
  SourcePosition position;
  /// How many assignments stand before it; it sees only those.
  uint32_t afterAssignments = 0;
};

struct FormulaAST {
  std::vector<Expr> expressions;
  std::vector<ParamDecl> params;
  std::vector<Assignment> assignments; ///< in order
  std::vector<Requirement> requirements;
  std::vector<ExprId> results; ///< one, two or three: new x, y, z
  SourcePosition returnPosition;
};

} // namespace swizzle

#endif // SWIZZLE_FORMULA_SYNTAX_AST_H
