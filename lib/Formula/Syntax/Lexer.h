//===- Lexer.h - Tokens of the formula language -----------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text as tokens. A line break ends a statement, as `;` does, except inside
// brackets. What cannot be a token becomes one `Error` token that carries its
// message and ends the stream, so that the parser reports faults in the order
// in which they stand in the text.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_FORMULA_SYNTAX_LEXER_H
#define SWIZZLE_LIB_FORMULA_SYNTAX_LEXER_H

#include "Diagnostic.h"

namespace swizzle::formula {

enum class TokenKind : uint8_t {
  Number,
  Name,         ///< keywords included
  Symbol,       ///< an operator or a bracket, by its spelling
  StatementEnd, ///< a line break outside brackets, or `;`
  End,
  Error,
};

struct Token {
  TokenKind kind = TokenKind::End;
  llvm::StringRef spelling;
  SourcePosition position;
  int64_t value = 0;   ///< Number
  std::string message; ///< Error

  bool is(llvm::StringRef symbol) const {
    return kind == TokenKind::Symbol && spelling == symbol;
  }
  bool isWord(llvm::StringRef word) const {
    return kind == TokenKind::Name && spelling == word;
  }
  bool endsStatement() const {
    return kind == TokenKind::StatementEnd || kind == TokenKind::End;
  }
};

/// All tokens of `text`; the last one is `End` or `Error`. Spellings point into
/// `text`. A magnitude of exactly 2^63 is a Number with the value INT64_MIN:
/// it is good only after a minus sign.
std::vector<Token> tokenise(llvm::StringRef text);

} // namespace swizzle::formula

#endif // SWIZZLE_LIB_FORMULA_SYNTAX_LEXER_H
