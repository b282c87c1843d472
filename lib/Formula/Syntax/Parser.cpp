//===- Parser.cpp - Statements of the formula language --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a formula statement by statement. Names are resolved while reading, so
// a name that is used before it has a value is an error of the text, not of
// some workgroup.
//
//===----------------------------------------------------------------------===//

#include "Parser.h"
#include "Names.h"
#include "Pending.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace swizzle::formula {

namespace {

/// Words that open a Python statement which the language leaves out.
llvm::StringRef refusedStatement(llvm::StringRef word) {
  if (word == "for" || word == "while")
    return "there are no loops: a formula computes one id; `hilbert_x`, `min` "
           "and `//` replace most of them";
  if (word == "if" || word == "elif" || word == "else")
    return "there are no blocks: write `name = a if c else b`";
  if (word == "def" || word == "lambda" || word == "class")
    return "there are no definitions: write the expressions out";
  if (word == "import" || word == "from")
    return "there are no modules: min, max, abs and cdiv are built in";
  if (word == "assert")
    return "write `require EXPR` for a condition on parameters";
  if (word == "print" || word == "pass" || word == "global" || word == "del")
    return "only assignments, `param`, `require` and `return` are statements";
  return {};
}

} // namespace

Parser::Parser(const SourceText &source)
    : source(source), tokens(tokenise(source.text)) {}
Parser::~Parser() = default;

llvm::Error Parser::fail(SourcePosition position, const llvm::Twine &message) {
  return errorAt(source, position, message);
}

llvm::Error Parser::fail(const Token &token, const llvm::Twine &message) {
  if (token.kind == TokenKind::Error)
    return errorAt(source, token.position, token.message);
  return errorAt(source, token.position, message);
}

ExprId Parser::add(Expr expr) {
  bool dependsOnId = false;
  for (ExprId operand : expr.operands)
    dependsOnId |= varies[operand];
  if (expr.kind == ExprKind::Name) {
    auto known = names.find(expr.name);
    dependsOnId = known != names.end() ? known->second : isIdName(expr.name);
  }
  ast.expressions.push_back(std::move(expr));
  varies.push_back(dependsOnId);
  return ast.expressions.size() - 1;
}

llvm::Expected<FormulaAST> Parser::run() {
  if (source.text.size() > Formula::maxTextBytes)
    return fail(SourcePosition{},
                "the text has " + llvm::Twine(source.text.size()) +
                    " bytes; at most " + llvm::Twine(Formula::maxTextBytes) +
                    " are read");
  while (true) {
    while (peek().kind == TokenKind::StatementEnd)
      take();
    if (peek().kind == TokenKind::End)
      break;
    if (!ast.results.empty())
      return fail(peek(), "nothing may follow `return`: it is the last "
                          "statement");
    if (llvm::Error error = statement())
      return error;
  }
  if (ast.results.empty())
    return fail(peek(), "the formula does not end in `return`: add `return x` "
                        "with the new id");
  return std::move(ast);
}

llvm::Error Parser::statement() {
  const Token &first = peek();
  if (first.isWord("return"))
    return returnStatement();
  if (first.isWord("require"))
    return requirement();
  // `param` opens a declaration only before a name, so it may also be a name.
  if (first.isWord("param") && !peek(1).is("=") && !peek(1).is(","))
    return paramDecl();
  return assignment();
}

llvm::Error Parser::expectEnd() {
  const Token &token = peek();
  if (token.endsStatement())
    return llvm::Error::success();
  return fail(token,
              "expected the end of the line before `" + token.spelling + "`");
}

llvm::Error Parser::checkNewName(const Token &name) {
  if (name.kind != TokenKind::Name)
    return fail(name, name.endsStatement() ? llvm::Twine("expected a name")
                                           : "expected a name instead of `" +
                                                 name.spelling + "`");
  auto isAlready = [&](const llvm::Twine &what) {
    return fail(name, "`" + name.spelling + "` is " + what);
  };
  constexpr const char *other = " and cannot be assigned: choose another name";
  if (isKeyword(name.spelling))
    return isAlready("a word of the language, not a name");
  if (const FunctionInfo *function = findFunction(name.spelling))
    return isAlready("a function, " + function->signature +
                     ": choose another name");
  if (isIdName(name.spelling) || isExtentName(name.spelling))
    return isAlready(llvm::Twine("built in") + other);
  if (isHardwareName(name.spelling))
    return isAlready(llvm::Twine("a number of the hardware") + other);
  if (paramNames.count(name.spelling.str()))
    return isAlready(llvm::Twine("a parameter") + other);
  return llvm::Error::success();
}

llvm::Error Parser::paramDecl() {
  take();
  ParamDecl decl;
  Token name = take();
  if (llvm::Error error = checkNewName(name))
    return error;
  if (names.count(name.spelling.str()))
    return fail(name, "`" + name.spelling +
                          "` has a value already: declare parameters first");
  decl.name = name.spelling.str();
  decl.position = name.position;
  if (!peek().isWord("in"))
    return fail(peek(), "expected `in` and the values: `param " +
                            name.spelling + " in {1, 2, 4}`");
  take();
  if (!peek().is("{"))
    return fail(peek(), "expected the values in braces: `param " +
                            name.spelling + " in {1, 2, 4}`");
  Token open = take();
  while (true) {
    if (peek().kind == TokenKind::End)
      return fail(open, "this `{` is never closed");
    bool negative = peek().is("-");
    if (negative)
      take();
    Token number = take();
    if (number.kind != TokenKind::Number)
      return fail(number, "a parameter's values are integers, such as `{1, 2, "
                          "4}`");
    if (number.value == INT64_MIN && !negative)
      return fail(number, "`" + number.spelling + "` does not fit in 64 bits");
    int64_t value =
        negative && number.value != INT64_MIN ? -number.value : number.value;
    if (llvm::is_contained(decl.values, value))
      return fail(number, llvm::Twine(value) + " is listed twice");
    decl.values.push_back(value);
    if (peek().is(",")) {
      take();
      if (!peek().is("}"))
        continue;
    }
    if (peek().is("}")) {
      take();
      break;
    }
    if (peek().kind == TokenKind::End)
      return fail(open, "this `{` is never closed");
    return fail(peek(), "expected `,` or `}`");
  }
  if (llvm::Error error = expectEnd())
    return error;
  uint64_t combinations = decl.values.size();
  for (const ParamDecl &other : ast.params)
    combinations *= other.values.size();
  if (combinations > Formula::maxCombinations)
    return fail(name,
                "with `" + name.spelling + "` the template has " +
                    llvm::Twine(combinations) + " combinations; at most " +
                    llvm::Twine(Formula::maxCombinations) + " are allowed");
  names[decl.name] = false;
  paramNames.insert(decl.name);
  ast.params.push_back(std::move(decl));
  return llvm::Error::success();
}

llvm::Error Parser::requirement() {
  Requirement require;
  require.position = take().position;
  require.afterAssignments = ast.assignments.size();
  std::vector<ExprId> list;
  if (llvm::Error error = expressionList(list))
    return error;
  if (list.size() != 1)
    return fail(require.position, "`require` takes one condition: join several "
                                  "with `and`");
  if (varies[list[0]])
    return fail(require.position,
                "a requirement chooses between parameters and must not depend "
                "on x, y or z");
  require.condition = list[0];
  ast.requirements.push_back(require);
  return llvm::Error::success();
}

llvm::Error Parser::returnStatement() {
  ast.returnPosition = take().position;
  std::vector<ExprId> list;
  if (llvm::Error error = expressionList(list))
    return error;
  if (list.size() > 3)
    return fail(ast.returnPosition, "`return` takes one, two or three values: "
                                    "the new x, y, z");
  ast.results = std::move(list);
  return llvm::Error::success();
}

llvm::Error Parser::target(std::vector<std::string> &targets) {
  const Token &name = peek();
  if (llvm::Error error = checkNewName(name))
    return error;
  if (llvm::is_contained(targets, name.spelling))
    return fail(name, "`" + name.spelling + "` is assigned twice here");
  targets.push_back(take().spelling.str());
  return llvm::Error::success();
}

llvm::Error Parser::misplaced(const Token &token) {
  if (token.kind == TokenKind::Name) {
    if (llvm::StringRef refusal = refusedStatement(token.spelling);
        !refusal.empty())
      return fail(token, refusal);
  }
  return fail(token, "expected `name = value`, `param`, `require` or `return`");
}

llvm::Error Parser::assignment() {
  Assignment assignment;
  Token first = peek();
  assignment.position = first.position;
  if (first.kind == TokenKind::Name && !peek(1).is("=") && !peek(1).is(",")) {
    if (peek(1).kind == TokenKind::Error &&
        refusedStatement(first.spelling).empty())
      return fail(peek(1), "");
    return misplaced(first);
  }
  bool parenthesised = first.is("(");
  if (parenthesised)
    take();
  else if (first.kind != TokenKind::Name)
    return misplaced(first);
  while (true) {
    if (llvm::Error error = target(assignment.targets))
      return error;
    if (!peek().is(","))
      break;
    take();
  }
  if (parenthesised) {
    if (!peek().is(")"))
      return fail(peek(), "expected `)` after the names");
    take();
  }
  if (!peek().is("="))
    return fail(peek(), "expected `=` after the names");
  take();
  if (llvm::Error error = expressionList(assignment.values))
    return error;
  if (assignment.values.size() != assignment.targets.size())
    return fail(assignment.position,
                llvm::Twine(assignment.targets.size()) + " name" +
                    (assignment.targets.size() == 1 ? "" : "s") + " but " +
                    llvm::Twine(assignment.values.size()) + " value" +
                    (assignment.values.size() == 1 ? "" : "s"));
  for (size_t i = 0; i < assignment.targets.size(); ++i)
    names[assignment.targets[i]] = varies[assignment.values[i]];
  ast.assignments.push_back(std::move(assignment));
  return llvm::Error::success();
}

llvm::Error Parser::unknownName(const Token &name) {
  for (size_t i = index; i + 1 < tokens.size(); ++i)
    if (tokens[i].isWord(name.spelling) &&
        (tokens[i + 1].is("=") || tokens[i + 1].is(",")) &&
        (tokens[i + 1].is("=") ||
         tokens[i - 1].kind == TokenKind::StatementEnd))
      return fail(name, "`" + name.spelling +
                            "` is used before it is assigned in line " +
                            llvm::Twine(tokens[i].position.line));
  std::vector<std::string> known = {"x", "y", "z", "gx", "gy", "gz"};
  for (const auto &entry : names)
    known.push_back(entry.first);
  for (llvm::StringRef hardware : knownHardwareNames())
    known.push_back(hardware.str());
  std::string guess = nearest(name.spelling, known);
  return fail(name,
              "unknown name `" + name.spelling + "`" +
                  (guess.empty() ? "" : "; did you mean `" + guess + "`?") +
                  (guess.empty() ? "; known: " : " Known: ") +
                  nearestFirst(name.spelling, known));
}

} // namespace swizzle::formula
