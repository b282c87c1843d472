//===- Formula.cpp - A parsed remap formula -------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The immutable text: parsing, the names it reads, the combinations of its
// parameters.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Formula/Formula.h"
#include "Names.h"
#include "Parser.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

namespace swizzle {

using namespace formula;

char FormulaError::ID = 0;

void FormulaError::log(llvm::raw_ostream &os) const { os << message; }

llvm::Expected<Formula> Formula::parse(llvm::StringRef text,
                                       llvm::StringRef fileName) {
  llvm::Expected<FormulaAST> ast = Parser({text, fileName}).run();
  if (!ast)
    return ast.takeError();
  Formula formula = fromAST(std::move(*ast));
  // It has to be read again where it was written in one line.
  if (size_t bytes = formula.printLine().size(); bytes > maxTextBytes)
    return llvm::createStringError(
        "the formula has " + llvm::Twine(bytes) +
        " bytes where it is written in one line; at most " +
        llvm::Twine(maxTextBytes) + " are read");
  return formula;
}

Formula Formula::fromAST(FormulaAST ast) {
  return Formula(std::make_shared<const FormulaAST>(std::move(ast)));
}

std::vector<std::string> Formula::hardwareNames() const {
  std::set<std::string> names;
  for (const Expr &expr : tree->expressions)
    if (expr.kind == ExprKind::Name && isHardwareName(expr.name))
      names.insert(expr.name);
  return {names.begin(), names.end()};
}

uint64_t Formula::numCombinations() const {
  uint64_t count = 1;
  for (const ParamDecl &param : tree->params)
    count *= param.values.size();
  return count;
}

ParamValues Formula::combination(uint64_t index) const {
  ParamValues values;
  for (const ParamDecl &param : llvm::reverse(tree->params)) {
    values[param.name] = param.values[index % param.values.size()];
    index /= param.values.size();
  }
  return values;
}

static constexpr llvm::StringLiteral kHardwareNames[] = {
#define SWIZZLE_HARDWARE_NAME(NAME, VALUE) #NAME,
#include "swizzle/Support/HardwareNames.def"
};

llvm::ArrayRef<llvm::StringLiteral> knownHardwareNames() {
  return kHardwareNames;
}

bool formula::isHardwareName(llvm::StringRef name) {
  return llvm::is_contained(kHardwareNames, name);
}

bool formula::isKeyword(llvm::StringRef word) {
  static constexpr llvm::StringLiteral words[] = {
      "False", "None",   "True",  "and",      "as",     "assert",   "async",
      "await", "break",  "class", "continue", "def",    "del",      "elif",
      "else",  "except", "false", "finally",  "for",    "from",     "global",
      "if",    "import", "in",    "is",       "lambda", "nonlocal", "not",
      "or",    "pass",   "raise", "require",  "return", "true",     "try",
      "while", "with",   "yield"};
  return llvm::is_contained(words, word);
}

} // namespace swizzle
