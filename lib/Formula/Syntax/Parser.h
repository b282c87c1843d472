//===- Parser.h - From tokens to a tree -------------------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What statements and expressions share: the tokens, the names known so far and
// the tree under construction. Statements are in Parser.cpp; expressions, whose
// nesting has no bound, are read with stacks of their own in
// ExpressionParser.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_FORMULA_SYNTAX_PARSER_H
#define SWIZZLE_LIB_FORMULA_SYNTAX_PARSER_H

#include "Lexer.h"
#include "Operators.h"

#include <map>
#include <set>

namespace swizzle::formula {

class Parser {
public:
  explicit Parser(const SourceText &source);

  llvm::Expected<FormulaAST> run();

private:
  /// One value of an expression list and where it starts.
  struct Value {
    ExprId id = 0;
    SourcePosition position;
    int tuple = -1; ///< index into `tuples` if it is a parenthesised list
  };
  struct Pending; ///< an operator or bracket whose right side is unread

  // Parser.cpp
  llvm::Error statement();
  llvm::Error paramDecl();
  llvm::Error requirement();
  llvm::Error returnStatement();
  llvm::Error assignment();
  llvm::Error target(std::vector<std::string> &targets);
  llvm::Error checkNewName(const Token &name);
  llvm::Error expectEnd();
  llvm::Error unknownName(const Token &name);
  llvm::Error misplaced(const Token &token);

  // ExpressionParser.cpp
  /// Reads `e, e, ...` up to the end of the statement; a parenthesised list
  /// that is the whole counts as the list.
  llvm::Error expressionList(std::vector<ExprId> &values);
  llvm::Error operand();
  llvm::Error nameOperand();
  llvm::Error notAValue(const Token &name);
  llvm::Error afterOperand(bool &done);
  llvm::Error closeParen();
  llvm::Error comma();
  llvm::Error pushBinary(ExprKind kind, unsigned precedence);
  llvm::Error pushComparison(ExprKind kind);
  llvm::Error keywordIf();
  llvm::Error keywordElse();
  /// Applies pending operators that bind at least as tightly as `precedence`.
  llvm::Error reduce(unsigned precedence);
  /// Applies everything down to the innermost open bracket.
  llvm::Error reduceToBracket();
  llvm::Error apply();
  llvm::Error missingOperand();
  /// The innermost open bracket, if the statement has visibly ended inside it.
  const Pending *bracketLeftOpen() const;

  // Shared
  const Token &peek(unsigned ahead = 0) const {
    return tokens[std::min(index + ahead, tokens.size() - 1)];
  }
  const Token &take() { return tokens[std::min(index++, tokens.size() - 1)]; }
  /// The message of an `Error` token wins over `message`.
  llvm::Error fail(const Token &token, const llvm::Twine &message);
  llvm::Error fail(SourcePosition position, const llvm::Twine &message);
  ExprId add(Expr expr);

  SourceText source;
  std::vector<Token> tokens;
  size_t index = 0;
  FormulaAST ast;
  /// Assigned names and params; true if the value depends on x, y or z.
  std::map<std::string, bool> names;
  std::set<std::string> paramNames;
  /// For each expression, whether it depends on x, y or z.
  std::vector<bool> varies;

  std::vector<Value> values;
  std::vector<Pending> pending;
  std::vector<std::vector<Value>> tuples;

public:
  ~Parser();
};

} // namespace swizzle::formula

#endif // SWIZZLE_LIB_FORMULA_SYNTAX_PARSER_H
