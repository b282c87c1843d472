//===- Operators.h - Operators and functions by name ------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two tables that the parser reads and the printer writes by: how tightly
// an operator binds (`a + b * c` is `a + (b * c)`: 9 and 10), and how many
// arguments a function takes.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_FORMULA_SYNTAX_OPERATORS_H
#define SWIZZLE_LIB_FORMULA_SYNTAX_OPERATORS_H

#include "swizzle/Formula/Syntax/AST.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace swizzle::formula {

/// Precedences that grammar and printer name; the others stand in the table.
enum : unsigned {
  kConditional = 0,
  kOr = 1,
  kAnd = 2,
  kNot = 3,
  kComparison = 4,
  kUnary = 11,
  kTightest = 12, ///< what never needs parentheses
};

struct OperatorInfo {
  llvm::StringLiteral spelling;
  ExprKind kind;
  unsigned precedence;
};
/// Those with two operands.
llvm::ArrayRef<OperatorInfo> operators();

struct FunctionInfo {
  llvm::StringLiteral name;
  ExprKind kind;
  unsigned minArguments;
  unsigned maxArguments; ///< 0: any number
  llvm::StringLiteral signature;
};
llvm::ArrayRef<FunctionInfo> functions();
const FunctionInfo *findFunction(llvm::StringRef name);

/// The operator of two operands, or the function, as it is written.
llvm::StringRef spelling(ExprKind kind);

} // namespace swizzle::formula

#endif // SWIZZLE_LIB_FORMULA_SYNTAX_OPERATORS_H
