//===- PtxParser.cpp - The grammar of inline PTX --------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recursive descent over the text, one function a rule.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Import/Ptx.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace swizzle {

namespace {
class Parser {
public:
  explicit Parser(StringRef text) : all(text), rest(text) {}

  Expected<SmallVector<PtxStatement, 4>> parse();

private:
  /// Each returns false where the text does not fit.
  bool statement(PtxStatement &result);
  bool opcode(PtxStatement &result);
  bool operand(PtxOperand &result);
  bool list(PtxOperand &result);
  bool address(PtxOperand &result);
  bool registerNumber(unsigned &number);
  bool number(int64_t &result);
  bool fraction();

  /// Blanks, and comments up to the end of their line.
  void skipSpace() {
    rest = rest.ltrim(" \t\n\r");
    while (rest.starts_with("//"))
      rest = rest.drop_until([](char c) { return c == '\n'; }).ltrim(" \t\n\r");
  }
  bool take(StringRef token) {
    skipSpace();
    return rest.consume_front(token);
  }

  StringRef all, rest;
};
} // namespace

bool Parser::registerNumber(unsigned &number) {
  return take("$") && !rest.empty() && isDigit(rest.front()) &&
         !rest.consumeInteger(10, number);
}

bool Parser::number(int64_t &result) {
  bool negative = take("-");
  if (!negative)
    skipSpace();
  unsigned base = rest.consume_front("0x") ? 16 : 10;
  if (rest.empty() || !isHexDigit(rest.front()))
    return false;
  uint64_t value;
  if (rest.consumeInteger(base, value) || value > INT64_MAX)
    return false;
  result = negative ? -int64_t(value) : int64_t(value);
  // "12ab" is no number.
  return rest.empty() || !isAlnum(rest.front());
}

/// Takes a number with a decimal point or with the bits of a float, and nothing
/// otherwise; its value is not kept.
bool Parser::fraction() {
  StringRef after = rest;
  after.consume_front("-");
  auto takeDigits = [&after](auto &&isOne) {
    size_t length = after.take_while(isOne).size();
    after = after.drop_front(length);
    return length > 0;
  };
  bool fits = after.consume_front("0f") || after.consume_front("0d")
                  ? takeDigits(isHexDigit)
                  : takeDigits(isDigit) && after.consume_front(".") &&
                        takeDigits(isDigit);
  if (!fits || (!after.empty() && isAlnum(after.front())))
    return false;
  rest = after;
  return true;
}

bool Parser::list(PtxOperand &result) {
  result.kind = PtxOperand::List;
  do
    if (!registerNumber(result.registers.emplace_back()))
      return false;
  while (take(","));
  return take("}");
}

bool Parser::address(PtxOperand &result) {
  result.kind = PtxOperand::Address;
  if (!registerNumber(result.registers.emplace_back()))
    return false;
  if (take("+") && !number(result.number))
    return false;
  return take("]");
}

bool Parser::operand(PtxOperand &result) {
  if (take("{"))
    return list(result);
  if (take("["))
    return address(result);
  skipSpace();
  if (rest.starts_with("$")) {
    result.kind = PtxOperand::Register;
    return registerNumber(result.registers.emplace_back());
  }
  if (fraction()) {
    result.kind = PtxOperand::Fraction;
    return true;
  }
  result.kind = PtxOperand::Number;
  return number(result.number);
}

bool Parser::opcode(PtxStatement &result) {
  skipSpace();
  do {
    StringRef word = rest.take_while(
        [](char c) { return isAlnum(c) || c == '_' || c == ':'; });
    // A single colon ends a label.
    if (word.empty() || word.ends_with(":") || word.starts_with(":"))
      return false;
    result.opcode.push_back(word);
    rest = rest.drop_front(word.size());
  } while (rest.consume_front("."));
  return true;
}

bool Parser::statement(PtxStatement &result) {
  if (take("@")) {
    result.negated = take("!");
    if (!registerNumber(result.predicate.emplace()))
      return false;
  }
  if (!opcode(result))
    return false;
  if (take(";"))
    return true;
  do
    if (!operand(result.operands.emplace_back()))
      return false;
  while (take(","));
  return take(";");
}

Expected<SmallVector<PtxStatement, 4>> Parser::parse() {
  SmallVector<PtxStatement, 4> statements;
  for (skipSpace(); !rest.empty(); skipSpace()) {
    StringRef before = rest;
    if (!statement(statements.emplace_back()))
      return createStringError(
          "at character " + Twine(all.size() - rest.size()) + ", in '" +
          before.take_until([](char c) { return c == ';' || c == '\n'; })
              .take_front(80) +
          "'");
  }
  return std::move(statements);
}

Expected<SmallVector<PtxStatement, 4>> parsePtx(StringRef text) {
  return Parser(text).parse();
}

} // namespace swizzle
