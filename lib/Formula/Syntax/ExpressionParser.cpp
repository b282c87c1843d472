//===- ExpressionParser.cpp - Expressions of the formula language ---------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operator-precedence parser with a stack of values and a stack of pending
// operators: a text of sixteen thousand opening parentheses costs memory on the
// heap, never on the call stack. Python's precedence, from loose to tight:
//
//   if-else (0), or (1), and (2), not (3), comparisons (4), | (5), ^ (6),
//   & (7), << >> (8), + - (9), * // % (10), unary - ~ (11)
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "Pending.h"

namespace swizzle::formula {

namespace {

/// What to write instead of a call that the language does not have.
std::string refusedCall(llvm::StringRef name) {
  if (name == "int" || name == "floor" || name == "round")
    return "values are integers already: leave `" + name.str() + "()` out";
  if (name == "ceil" || name == "ceildiv" || name == "ceil_div" ||
      name == "div_ceil")
    return "write `cdiv(a, b)` for a division that rounds up";
  if (name == "divmod")
    return "write `q, r = a // b, a % b`";
  if (name == "pow")
    return "multiply, or write `1 << n` for a power of two";
  if (name == "range" || name == "sum" || name == "len" || name == "list")
    return "there are no lists and no loops";
  if (name == "bool")
    return "write `a != 0`";
  std::string known;
  for (const FunctionInfo &function : functions())
    known += (known.empty() ? "" : ", ") + function.signature.str();
  return "`" + name.str() + "` is not a function of the language; there are " +
         known;
}

/// What to write instead of a word that cannot be a value; empty if it can.
llvm::StringRef refusedWord(llvm::StringRef word) {
  if (word == "True" || word == "true")
    return "write `1`";
  if (word == "False" || word == "false")
    return "write `0`";
  if (word == "None")
    return "every value is an integer";
  if (word == "lambda" || word == "for" || word == "while")
    return "there are no loops and no definitions";
  return {};
}

} // namespace

llvm::Error Parser::expressionList(std::vector<ExprId> &list) {
  values.clear();
  pending.clear();
  tuples.clear();
  pending.emplace_back(Pending::Bracket);
  pending.back().position = peek().position;
  for (bool done = false; !done;) {
    if (llvm::Error error = operand())
      return error;
    if (llvm::Error error = afterOperand(done))
      return error;
  }
  std::vector<Value> result = std::move(values);
  if (result.size() == 1 && result[0].tuple >= 0)
    result = tuples[result[0].tuple];
  for (const Value &value : result) {
    if (value.tuple >= 0)
      return fail(value.position, "one value is expected here, not several in "
                                  "parentheses");
    list.push_back(value.id);
  }
  return llvm::Error::success();
}

const Parser::Pending *Parser::bracketLeftOpen() const {
  const Token &token = peek();
  for (size_t i = pending.size(); i-- > 1;)
    if (pending[i].shape <= Pending::Call)
      return token.kind == TokenKind::End || token.isWord("return") ||
                     (token.is("=") &&
                      token.position.line > pending[i].position.line)
                 ? &pending[i]
                 : nullptr;
  return nullptr;
}

llvm::Error Parser::missingOperand() {
  const Token &token = peek();
  if (token.kind == TokenKind::Error)
    return fail(token, "");
  const Pending &last = pending.back();
  bool justOpened =
      (last.shape == Pending::Bracket || last.shape == Pending::Call) &&
      values.size() == last.firstValue;
  std::string found = token.endsStatement()
                          ? std::string("the end of the statement")
                          : "`" + token.spelling.str() + "`";
  if (const Pending *open = bracketLeftOpen())
    return fail(open->position, "this `(` is never closed");
  if (justOpened && pending.size() == 1)
    return fail(token, "a value is missing before " + found);
  if (justOpened)
    return fail(token, "a value is missing between `(` and " + found);
  if (last.shape <= Pending::Call)
    return fail(token, "a value is missing after `,`");
  return fail(token, "a value is missing after `" + last.spelling + "`");
}

llvm::Error Parser::operand() {
  auto push = [&](int64_t value, SourcePosition position) {
    Expr literal;
    literal.position = position;
    literal.value = value;
    values.push_back({add(std::move(literal)), position});
    return llvm::Error::success();
  };
  while (true) {
    const Token &token = peek();
    Pending entry(Pending::Unary);
    entry.position = token.position;
    entry.spelling = token.spelling;
    entry.precedence = kUnary;
    if (token.is("-")) {
      // `-5` is one literal, so that every integer can be written.
      if (peek(1).kind == TokenKind::Number) {
        take();
        int64_t magnitude = take().value;
        return push(magnitude == INT64_MIN ? magnitude : -magnitude,
                    token.position);
      }
      entry.kind = ExprKind::Negate;
    } else if (token.is("~")) {
      entry.kind = ExprKind::Invert;
    } else if (token.isWord("not")) {
      entry.kind = ExprKind::LogicalNot;
      entry.precedence = kNot;
      if (pending.back().precedence > kNot)
        return fail(token, "`not` binds more loosely than `" +
                               pending.back().spelling +
                               "`: put it in parentheses");
    } else if (token.is("(")) {
      entry.shape = Pending::Bracket;
      entry.precedence = 0;
      entry.firstValue = values.size();
    } else if (token.is("+")) {
      return fail(token, "a sign `+` does nothing: leave it out");
    } else if (token.kind == TokenKind::Number) {
      if (token.value == INT64_MIN)
        return fail(token, "`" + token.spelling + "` does not fit in 64 bits");
      return push(take().value, token.position);
    } else if (token.kind == TokenKind::Name) {
      bool isCall = findFunction(token.spelling) && peek(1).is("(");
      if (!isCall)
        return nameOperand();
      entry.shape = Pending::Call;
      entry.precedence = 0;
      entry.function = findFunction(token.spelling);
      entry.firstValue = values.size();
      take();
    } else if (token.is("{")) {
      return fail(token, "braces hold the values of a `param` only");
    } else {
      return missingOperand();
    }
    take();
    pending.push_back(std::move(entry));
  }
}

llvm::Error Parser::notAValue(const Token &name) {
  // What looks like an assignment inside an expression is one of two mistakes.
  const Token &next = peek(1);
  if (next.kind == TokenKind::Error && next.spelling == ":=")
    return fail(next, "");
  if (!next.is("="))
    return unknownName(name);
  for (size_t i = pending.size(); i-- > 1;)
    if (pending[i].shape <= Pending::Call)
      return fail(pending[i].position, "this `(` is never closed");
  return fail(next, "`=` assigns, one statement at a time; `==` compares");
}

llvm::Error Parser::nameOperand() {
  const Token &token = peek();
  llvm::StringRef word = token.spelling;
  if (llvm::StringRef refusal = refusedWord(word); !refusal.empty())
    return fail(token, "`" + word + "` is not in the language: " + refusal);
  if (isKeyword(word))
    return missingOperand();
  if (const FunctionInfo *function = findFunction(word))
    return fail(token, "`" + word + "` is a function: write `" +
                           function->signature + "`");
  bool hasValue = names.count(word.str()) || isIdName(word) ||
                  isExtentName(word) || isHardwareName(word);
  if (peek(1).is("("))
    return hasValue ? fail(peek(1),
                           "`" + word + "` is a number: write `*` to multiply")
                    : fail(token, refusedCall(word));
  if (!hasValue)
    return notAValue(token);
  Expr name;
  name.kind = ExprKind::Name;
  name.name = word.str();
  name.position = token.position;
  values.push_back({add(std::move(name)), token.position});
  take();
  return llvm::Error::success();
}

llvm::Error Parser::afterOperand(bool &done) {
  while (true) {
    const Token &token = peek();
    if (token.endsStatement()) {
      if (llvm::Error error = reduceToBracket())
        return error;
      if (pending.size() > 1)
        return fail(pending.back().position, "this `(` is never closed");
      done = true;
      return llvm::Error::success();
    }
    if (token.is(")")) {
      if (llvm::Error error = closeParen())
        return error;
      continue;
    }
    if (token.is(","))
      return comma();
    if (token.isWord("if"))
      return keywordIf();
    if (token.isWord("else"))
      return keywordElse();
    for (const OperatorInfo &binary : operators())
      if (token.spelling == binary.spelling &&
          (token.kind == TokenKind::Symbol || token.kind == TokenKind::Name))
        return binary.precedence == kComparison
                   ? pushComparison(binary.kind)
                   : pushBinary(binary.kind, binary.precedence);
    if (const Pending *open = bracketLeftOpen())
      return fail(open->position, "this `(` is never closed");
    if (token.is("="))
      return fail(token, "`=` assigns, one statement at a time; `==` compares");
    if (token.isWord("is"))
      return fail(token, "`is` is not in the language: write `==`");
    if (token.isWord("in"))
      return fail(token, "`in` is not in the language: write `a <= i < b`, or "
                         "`i == a or i == b`");
    if (token.isWord("not"))
      return fail(token, "`not` stands before a value: write `a != b` or `not "
                         "a`");
    return fail(token, "expected an operator or the end of the line before `" +
                           token.spelling + "`");
  }
}

llvm::Error Parser::pushBinary(ExprKind kind, unsigned precedence) {
  if (llvm::Error error = reduce(precedence))
    return error;
  Pending entry(Pending::Binary);
  entry.precedence = precedence;
  entry.kind = kind;
  entry.position = peek().position;
  entry.spelling = take().spelling;
  pending.push_back(std::move(entry));
  return llvm::Error::success();
}

llvm::Error Parser::pushComparison(ExprKind kind) {
  if (llvm::Error error = reduce(kComparison + 1))
    return error;
  if (pending.back().shape != Pending::Comparison) {
    pending.emplace_back(Pending::Comparison);
    pending.back().precedence = kComparison;
    pending.back().position = peek().position;
  }
  pending.back().chain.push_back(kind);
  pending.back().spelling = take().spelling;
  return llvm::Error::success();
}

llvm::Error Parser::keywordIf() {
  if (llvm::Error error = reduce(kOr))
    return error;
  if (pending.back().shape == Pending::If)
    return fail(peek(), "a condition that holds an `if` needs parentheses");
  Pending entry(Pending::If);
  entry.position = peek().position;
  entry.spelling = take().spelling;
  pending.push_back(std::move(entry));
  return llvm::Error::success();
}

llvm::Error Parser::keywordElse() {
  while (true) {
    if (llvm::Error error = reduce(kOr))
      return error;
    if (pending.back().shape == Pending::If)
      break;
    if (pending.back().shape != Pending::Else)
      return fail(peek(), "`else` without `if`");
    if (llvm::Error error = apply())
      return error;
  }
  pending.back().shape = Pending::Else;
  pending.back().spelling = take().spelling;
  return llvm::Error::success();
}

llvm::Error Parser::comma() {
  if (llvm::Error error = reduceToBracket())
    return error;
  take();
  return llvm::Error::success();
}

llvm::Error Parser::closeParen() {
  if (llvm::Error error = reduceToBracket())
    return error;
  if (pending.size() == 1)
    return fail(peek(), "this `)` closes nothing");
  take();
  Pending bracket = std::move(pending.back());
  pending.pop_back();
  std::vector<Value> group(values.begin() + bracket.firstValue, values.end());
  values.resize(bracket.firstValue);
  if (bracket.shape == Pending::Bracket) {
    if (group.size() == 1) {
      values.push_back(group[0]);
    } else {
      tuples.push_back(std::move(group));
      values.push_back({0, bracket.position, int(tuples.size() - 1)});
    }
    return llvm::Error::success();
  }
  const FunctionInfo &function = *bracket.function;
  if (group.size() < function.minArguments ||
      (function.maxArguments && group.size() > function.maxArguments))
    return fail(bracket.position,
                "`" + function.name + "` takes " +
                    (function.maxArguments ? "" : "at least ") +
                    llvm::Twine(function.minArguments) + " argument" +
                    (function.minArguments == 1 ? "" : "s") + ", not " +
                    llvm::Twine(group.size()) + ": " + function.signature);
  Expr call;
  call.kind = function.kind;
  call.position = bracket.position;
  for (const Value &argument : group) {
    if (argument.tuple >= 0)
      return fail(argument.position, "an argument is one value, not several in "
                                     "parentheses");
    call.operands.push_back(argument.id);
  }
  values.push_back({add(std::move(call)), bracket.position});
  return llvm::Error::success();
}

llvm::Error Parser::reduce(unsigned precedence) {
  while (pending.back().precedence >= precedence &&
         pending.back().shape >= Pending::Unary)
    if (llvm::Error error = apply())
      return error;
  return llvm::Error::success();
}

llvm::Error Parser::reduceToBracket() {
  while (pending.back().shape > Pending::Call) {
    if (pending.back().shape == Pending::If)
      return fail(pending.back().position,
                  "`if` without `else`: write `a if c else b`");
    if (llvm::Error error = apply())
      return error;
  }
  return llvm::Error::success();
}

llvm::Error Parser::apply() {
  Pending op = std::move(pending.back());
  pending.pop_back();
  size_t count = 2;
  if (op.shape == Pending::Unary)
    count = 1;
  else if (op.shape == Pending::Else)
    count = 3;
  else if (op.shape == Pending::Comparison)
    count = op.chain.size() + 1;
  Expr expr;
  expr.kind = op.kind;
  expr.position = op.position;
  SourcePosition start = values[values.size() - count].position;
  for (size_t i = values.size() - count; i < values.size(); ++i) {
    if (values[i].tuple >= 0)
      return fail(values[i].position, "several values in parentheses cannot be "
                                      "computed with");
    expr.operands.push_back(values[i].id);
  }
  values.resize(values.size() - count);
  if (op.shape == Pending::Unary) {
    start = op.position;
  } else if (op.shape == Pending::Else) {
    expr.kind = ExprKind::Conditional;
    std::swap(expr.operands[0], expr.operands[1]);
  } else if (op.shape == Pending::Comparison) {
    if (op.chain.size() == 1) {
      expr.kind = op.chain[0];
    } else {
      expr.kind = ExprKind::Chain;
      expr.chain = std::move(op.chain);
    }
  }
  values.push_back({add(std::move(expr)), start});
  return llvm::Error::success();
}

} // namespace swizzle::formula
