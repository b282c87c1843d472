//===- Pending.h - An operator that waits for its right side ----*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entry of the expression parser's own stack.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_FORMULA_SYNTAX_PENDING_H
#define SWIZZLE_LIB_FORMULA_SYNTAX_PENDING_H

#include "Parser.h"

namespace swizzle::formula {

struct Parser::Pending {
  enum Shape : uint8_t { Bracket, Call, If, Else, Unary, Binary, Comparison };

  explicit Pending(Shape shape) : shape(shape) {}

  Shape shape;
  unsigned precedence = 0; ///< of operators; brackets and if/else have 0
  ExprKind kind = ExprKind::Literal;
  SourcePosition position;
  llvm::StringRef spelling;
  const FunctionInfo *function = nullptr; ///< Call
  size_t firstValue = 0;                  ///< Bracket, Call: height of `values`
  std::vector<ExprKind> chain;            ///< Comparison
};

} // namespace swizzle::formula

#endif // SWIZZLE_LIB_FORMULA_SYNTAX_PENDING_H
