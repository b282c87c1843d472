//===- Lexer.cpp - Tokens of the formula language -------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Longest match over a small table of symbols. Spellings of Python and C that
// the language leaves out are in the table too, each with what to write
// instead.
//
//===----------------------------------------------------------------------===//

#include "Lexer.h"

#include "llvm/ADT/StringExtras.h"

namespace swizzle::formula {

namespace {

/// The symbols of the language.
constexpr llvm::StringLiteral kSymbols[] = {
    "//", "<<", ">>", "<=", ">=", "==", "!=", "+", "-", "*", "%", "&",
    "|",  "^",  "~",  "<",  ">",  "=",  "(",  ")", "{", "}", ","};

/// What other languages have, and what to write instead.
constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> kRefused[] = {
    {"**=", "`**=` is not in the language: write `a = a * a`"},
    {"//=", "`//=` is not in the language: write `a = a // b`"},
    {"<<=", "`<<=` is not in the language: write `a = a << b`"},
    {">>=", "`>>=` is not in the language: write `a = a >> b`"},
    {"+=", "`+=` is not in the language: write `a = a + b`"},
    {"-=", "`-=` is not in the language: write `a = a - b`"},
    {"*=", "`*=` is not in the language: write `a = a * b`"},
    {"/=", "`/=` is not in the language: write `a = a // b`"},
    {"%=", "`%=` is not in the language: write `a = a % b`"},
    {"&=", "`&=` is not in the language: write `a = a & b`"},
    {"|=", "`|=` is not in the language: write `a = a | b`"},
    {"^=", "`^=` is not in the language: write `a = a ^ b`"},
    {":=", "`:=` is not in the language: assign on a line of its own"},
    {"**", "`**` is not in the language: multiply, or write `1 << n` for a "
           "power of two"},
    {"++", "`++` is not in the language: write `a = a + 1`"},
    {"&&", "`&&` is not in the language: write `and`"},
    {"||", "`||` is not in the language: write `or`"},
    {"->", "`->` is not in the language: a formula ends in `return`"},
    {"<>", "`<>` is not in the language: write `!=`"},
    {"/", "`/` gives a fraction: write `//`, which rounds down, or `cdiv(a, "
          "b)`, which rounds up"},
    {"!", "`!` is not in the language: write `not`"},
    {"?", "`?` is not in the language: write `a if c else b`"},
    {":", "`:` is not in the language: there are no blocks; write `a if c "
          "else b` in one line"},
    {"[", "there are no lists: give each value a name"},
    {"]", "there are no lists: give each value a name"},
    {".", "there are no attributes and no fractions: values are integers"},
    {"@", "`@name` stands for a catalogue entry only as the whole formula"},
    {"'", "there are no strings: values are integers"},
    {"\"", "there are no strings: values are integers"},
    {"`", "leave the backquotes out"},
    {"\\", "a line cannot be continued with `\\`: put the expression in "
           "parentheses"},
};

bool isNameStart(char c) { return llvm::isAlpha(c) || c == '_'; }
bool isNamePart(char c) { return llvm::isAlnum(c) || c == '_'; }

class Lexer {
public:
  explicit Lexer(llvm::StringRef text) : text(text) {}

  std::vector<Token> run() {
    while (!failed && offset < text.size())
      step();
    if (!failed)
      push(TokenKind::End, 0);
    return std::move(tokens);
  }

private:
  void push(TokenKind kind, size_t length) {
    Token token;
    token.kind = kind;
    token.spelling = text.substr(offset, length);
    token.position = {line, uint32_t(offset - lineStart + 1)};
    tokens.push_back(std::move(token));
    offset += length;
  }

  void fail(size_t length, const llvm::Twine &message) {
    push(TokenKind::Error, length);
    tokens.back().message = message.str();
    failed = true;
  }

  void step() {
    char c = text[offset];
    if (c == '\n') {
      if (depth == 0)
        push(TokenKind::StatementEnd, 1);
      else
        ++offset;
      ++line;
      lineStart = offset;
      return;
    }
    if (c == ' ' || c == '\t' || c == '\r') {
      ++offset;
      return;
    }
    if (c == '#') {
      offset = std::min(text.size(), text.find('\n', offset));
      return;
    }
    if (c == ';')
      return push(TokenKind::StatementEnd, 1);
    if (llvm::isDigit(c))
      return number();
    if (isNameStart(c)) {
      size_t length = text.substr(offset).take_while(isNamePart).size();
      return push(TokenKind::Name, length);
    }
    symbol();
  }

  void symbol() {
    llvm::StringRef rest = text.substr(offset);
    char c = rest[0];
    if (rest.size() > 1 && rest[0] == '.' && llvm::isDigit(rest[1]))
      return fail(1, "fractions are not in the language: values are integers");
    // The longest one counts.
    size_t length = 0, refusedLength = 0;
    llvm::StringRef refusal;
    for (llvm::StringRef symbol : kSymbols)
      if (symbol[0] == c && symbol.size() > length && rest.starts_with(symbol))
        length = symbol.size();
    for (const auto &[symbol, instead] : kRefused)
      if (symbol[0] == c && symbol.size() > refusedLength &&
          rest.starts_with(symbol)) {
        refusedLength = symbol.size();
        refusal = instead;
      }
    if (refusedLength > length)
      return fail(refusedLength, refusal);
    if (length) {
      if (c == '(' || c == '{')
        ++depth;
      if ((c == ')' || c == '}') && depth)
        --depth;
      return push(TokenKind::Symbol, length);
    }
    uint8_t byte = rest[0];
    if (byte >= 0x80)
      return fail(1, "only ASCII characters are in the language");
    if (llvm::isPrint(rest[0]))
      return fail(1, "`" + rest.take_front(1) + "` is not in the language");
    fail(1, "byte 0x" + llvm::utohexstr(byte) + " is not text");
  }

  void number() {
    llvm::StringRef digits = text.substr(offset).take_while(isNamePart);
    llvm::StringRef after = text.substr(offset + digits.size());
    bool fraction = after.size() > 0 && after[0] == '.';
    std::string plain;
    for (size_t i = 0; i < digits.size(); ++i)
      if (digits[i] != '_' || i + 1 == digits.size() || digits[i + 1] == '_')
        plain += digits[i];
    unsigned radix = 10;
    llvm::StringRef body = plain;
    if (body.starts_with_insensitive("0x"))
      radix = 16;
    else if (body.starts_with_insensitive("0b"))
      radix = 2;
    else if (body.starts_with_insensitive("0o"))
      radix = 8;
    if (radix != 10)
      body = body.drop_front(2);

    auto isGood = [&](char c) {
      return radix == 16 ? llvm::isHexDigit(c)
                         : llvm::isDigit(c) && unsigned(c - '0') < radix;
    };
    llvm::StringRef tail = body.drop_while(isGood);
    if (fraction ||
        (radix == 10 && tail.size() > 1 && (tail[0] == 'e' || tail[0] == 'E') &&
         llvm::all_of(tail.drop_front(), llvm::isDigit)))
      return fail(digits.size(), "`" + digits + (fraction ? "." : "") +
                                     "` is a fraction: values are integers");
    if (body.empty() || !tail.empty())
      return fail(digits.size(),
                  "`" + digits + "` is neither a number nor a name");
    if (radix == 10 && body.size() > 1 && body[0] == '0')
      return fail(
          digits.size(),
          "a number does not start with 0: write `" +
              llvm::Twine(body.ltrim('0').empty() ? "0" : body.ltrim('0')) +
              "`");
    uint64_t value = 0;
    if (body.getAsInteger(radix, value) || value > uint64_t(1) << 63)
      return fail(digits.size(), "`" + digits + "` does not fit in 64 bits");
    push(TokenKind::Number, digits.size());
    tokens.back().value = static_cast<int64_t>(value);
  }

  llvm::StringRef text;
  std::vector<Token> tokens;
  size_t offset = 0, lineStart = 0;
  uint32_t line = 1;
  unsigned depth = 0;
  bool failed = false;
};

} // namespace

std::vector<Token> tokenise(llvm::StringRef text) { return Lexer(text).run(); }

} // namespace swizzle::formula
