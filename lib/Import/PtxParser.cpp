//===- PtxParser.cpp - The grammar of inline PTX --------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recursive descent over the text, one function a rule. Blocks are taken apart:
// names that a block declares stand for numbers from then on.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Import/Ptx.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace swizzle {

static constexpr size_t kMostRegisters = 1024;
/// What "WARP_SZ" stands for.
static constexpr int64_t kLanesOfWarp = 32;

namespace {
class Parser {
public:
  explicit Parser(StringRef text) : all(text), rest(text) {}

  Expected<PtxText> parse();

private:
  /// Each returns false where the text does not fit.
  bool statement();
  bool declaration();
  bool declare(StringRef name, unsigned bits);
  bool instruction(PtxStatement &result);
  bool opcode(PtxStatement &result);
  bool operand(PtxOperand &result);
  bool list(PtxOperand &result);
  bool address(PtxOperand &result);
  bool registerNumber(unsigned &number);
  bool namedRegister(StringRef name, unsigned &number);
  bool number(int64_t &result, uint64_t most = INT64_MAX);
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
  /// A name of a register or of a label; empty if none stands here.
  StringRef takeName();

  StringRef all, rest;
  PtxText text;
  /// By name, the number of what each open block declares.
  SmallVector<StringMap<unsigned>, 2> scopes{{}};
  StringMap<unsigned> ofMachine;
  bool isLabelled = false; ///< the next instruction
  StringSet<> labels;
};
} // namespace

static bool isInName(char c) { return isAlnum(c) || c == '_'; }

StringRef Parser::takeName() {
  skipSpace();
  StringRef after = rest;
  after.consume_front("%");
  if (after.empty() || !(isAlpha(after.front()) || after.front() == '_' ||
                         after.starts_with("$$")))
    return "";
  // Two dollars stand for one. What LLVM puts for "${:uid}" is another number
  // in each copy of the text.
  do
    after = after.drop_while(isInName);
  while (after.consume_front("${:uid}") || after.consume_front("$$"));
  StringRef name = rest.drop_back(after.size());
  rest = after;
  return name;
}

/// The bits of ".pred", ".b32" and their like; 0 if `word` is none.
static unsigned bitsOfType(StringRef word) {
  if (word == "pred")
    return 1;
  unsigned bits;
  if (!word.empty() && StringRef("busf").contains(word.front()) &&
      !word.drop_front().getAsInteger(10, bits) &&
      (bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128))
    return bits;
  return 0;
}

bool Parser::declare(StringRef name, unsigned bits) {
  if (text.registers.size() >= kMostRegisters ||
      !scopes.back()
           .try_emplace(name, kFirstPtxRegister + text.registers.size())
           .second)
    return false;
  text.registers.push_back({name.str(), bits});
  return true;
}

bool Parser::declaration() {
  if (!take(".reg") || !take("."))
    return false;
  StringRef type = rest.take_while(isAlnum);
  rest = rest.drop_front(type.size());
  unsigned bits = bitsOfType(type);
  if (!bits)
    return false;
  do {
    StringRef name = takeName();
    if (name.empty() || name == "_")
      return false;
    if (!take("<")) {
      if (!declare(name, bits))
        return false;
      continue;
    }
    // "%f<3>": %f0, %f1 and %f2.
    unsigned count;
    if (rest.consumeInteger(10, count) || !take(">"))
      return false;
    for (unsigned index = 0; index < count; ++index)
      if (!declare((name + Twine(index)).str(), bits))
        return false;
  } while (take(","));
  return take(";");
}

bool Parser::namedRegister(StringRef name, unsigned &number) {
  for (const StringMap<unsigned> &scope : reverse(scopes))
    if (auto found = scope.find(name); found != scope.end()) {
      number = found->second;
      return true;
    }
  PtxRegister result;
  if (name == "_") {
    result = {name.str(), 128};
  } else if (name.consume_front("%")) {
    // "%tid.x": the name goes on behind a period.
    StringRef after = rest;
    if (after.consume_front(".")) {
      after = after.drop_while(isAlnum);
      name = StringRef(name.data(), after.data() - name.data());
      rest = after;
    }
    result = {name.str(), 0, /*ofMachine=*/true};
    auto [known, isNew] =
        ofMachine.try_emplace(name, kFirstPtxRegister + text.registers.size());
    number = known->second;
    if (!isNew)
      return true;
  } else {
    return false;
  }
  if (text.registers.size() >= kMostRegisters)
    return false;
  number = kFirstPtxRegister + text.registers.size();
  text.registers.push_back(result);
  return true;
}

bool Parser::registerNumber(unsigned &number) {
  skipSpace();
  if (!rest.starts_with("$$") && take("$"))
    return !rest.empty() && isDigit(rest.front()) &&
           !rest.consumeInteger(10, number) && number < kFirstPtxRegister;
  StringRef name = takeName();
  return !name.empty() && namedRegister(name, number);
}

/// Takes a number of at most `most`; a larger one than INT64_MAX is kept as its
/// bits. "U" behind it says that it has no sign.
bool Parser::number(int64_t &result, uint64_t most) {
  bool negative = take("-");
  if (!negative)
    skipSpace();
  unsigned base = rest.consume_front_insensitive("0x") ? 16 : 10;
  // "010" would be eight.
  if (base == 10 && rest.size() > 1 && rest.front() == '0' && isDigit(rest[1]))
    return false;
  if (rest.empty() || !isHexDigit(rest.front()))
    return false;
  uint64_t value;
  if (rest.consumeInteger(base, value) ||
      value > (negative ? uint64_t(INT64_MAX) : most))
    return false;
  result = negative ? -int64_t(value) : int64_t(value);
  rest.consume_front("U");
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
  bool fits = after.consume_front_insensitive("0f") ||
                      after.consume_front_insensitive("0d")
                  ? takeDigits(isHexDigit)
                  : takeDigits(isDigit) && after.consume_front(".") &&
                        takeDigits(isDigit);
  if (!fits || (!after.empty() && isAlnum(after.front())))
    return false;
  rest = after;
  return true;
}

bool Parser::list(PtxOperand &result) {
  do {
    skipSpace();
    if (!rest.empty() && isDigit(rest.front())) {
      int64_t ignored;
      result.hasNumbers = true;
      if (!number(ignored))
        return false;
    } else if (!registerNumber(result.registers.emplace_back())) {
      return false;
    }
  } while (take(","));
  return take("}");
}

bool Parser::address(PtxOperand &result) {
  result.kind = PtxOperand::Address;
  if (!registerNumber(result.registers.emplace_back()))
    return false;
  if (take("+") && !number(result.number))
    return false;
  if (take(",") && (!take("{") || !list(result)))
    return false;
  return take("]");
}

bool Parser::operand(PtxOperand &result) {
  if (take("{")) {
    result.kind = PtxOperand::List;
    return list(result);
  }
  if (take("["))
    return address(result);
  skipSpace();
  if (fraction()) {
    result.kind = PtxOperand::Fraction;
    return true;
  }
  if (!rest.empty() && (isDigit(rest.front()) || rest.front() == '-')) {
    result.kind = PtxOperand::Number;
    return number(result.number, UINT64_MAX);
  }
  StringRef before = rest, name = takeName();
  if (name == "WARP_SZ") {
    result.kind = PtxOperand::Number;
    result.number = kLanesOfWarp;
    return true;
  }
  rest = before;
  result.kind = PtxOperand::Register;
  if (registerNumber(result.registers.emplace_back())) {
    // Two results: a value and a predicate.
    if (!take("|"))
      return true;
    result.kind = PtxOperand::List;
    return registerNumber(result.registers.emplace_back());
  }
  if (name.empty() || name.starts_with("%"))
    return false;
  result.registers.clear();
  result.kind = PtxOperand::Label;
  result.label = name;
  return true;
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

bool Parser::instruction(PtxStatement &result) {
  result.isLabelled = isLabelled;
  isLabelled = false;
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
  // Only what packs its last operand takes numbers in a list.
  for (const PtxOperand &one : result.operands)
    if (one.hasNumbers &&
        (result.opcode.front() != "mov" || &one != &result.operands.back() ||
         result.operands.size() != 2))
      return false;
  return take(";");
}

bool Parser::statement() {
  if (take("{")) {
    scopes.emplace_back();
    return true;
  }
  if (take("}")) {
    scopes.pop_back();
    return !scopes.empty();
  }
  if (rest.starts_with(".reg"))
    return declaration();
  StringRef before = rest;
  if (StringRef name = takeName();
      !name.empty() && take(":") && !rest.starts_with(":")) {
    isLabelled = true;
    return labels.insert(name).second;
  }
  rest = before;
  return instruction(text.statements.emplace_back());
}

Expected<PtxText> Parser::parse() {
  for (skipSpace(); !rest.empty(); skipSpace()) {
    StringRef before = rest;
    if (!statement())
      return createStringError(
          "at character " + Twine(all.size() - rest.size()) + ", in '" +
          before.take_until([](char c) { return c == ';' || c == '\n'; })
              .take_front(80) +
          "'");
  }
  if (scopes.size() != 1)
    return createStringError("a block that is not closed");
  for (const PtxStatement &statement : text.statements)
    for (const PtxOperand &operand : statement.operands)
      if (operand.kind == PtxOperand::Label && !labels.contains(operand.label))
        return createStringError("'" + operand.label +
                                 "' is neither declared nor a label");
  return std::move(text);
}

Expected<PtxText> parsePtx(StringRef text) { return Parser(text).parse(); }

} // namespace swizzle
