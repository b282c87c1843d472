//===- FormulaFuzzer.cpp - Parser, evaluator and prover against an oracle -===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first byte chooses how the others are read: as the text of a formula, to
// reach every corner of the parser, or as choices of a grammar, to reach the
// evaluator. Whatever parses is printed and read again, simplified, evaluated
// and proved, and compared with a naive evaluator that shares no code with any
// of it. A disagreement is a crash.
//
//===----------------------------------------------------------------------===//

#include "Formula/Eval/CompareWithNaive.h"
#include "Formula/Syntax/RandomFormula.h"

#include <cstdio>
#include <cstdlib>

using namespace swizzle;

/// The oracle recurses; longer texts only go through parser and printer.
static constexpr size_t kMaxOracleText = 1024;

static void require(const std::string &difference) {
  if (difference.empty())
    return;
  std::fprintf(stderr, "%s\n", difference.c_str());
  std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 4)
    return 0;
  bool raw = data[0] % 4 == 0;
  naive::RandomFormula source(data + 1, size - 1);
  Environment environment = source.environment();
  // Many small grids find more than a few large ones.
  if (environment.grid.count() > 64)
    environment.grid[2] = 1;
  if (environment.grid.count() > 64)
    environment.grid[1] = std::min<int64_t>(environment.grid[1], 3);
  // The grammar goes on where the environment stopped; a raw text starts at a
  // fixed place, so that a seed can be written by hand.
  constexpr size_t rawStart = 16;
  if (raw && size <= rawStart)
    return 0;
  std::string text =
      raw ? std::string(reinterpret_cast<const char *>(data) + rawStart,
                        size - rawStart)
          : source.text();

  llvm::Expected<Formula> formula = Formula::parse(text, "fuzz");
  if (!formula) {
    std::string message = llvm::toString(formula.takeError());
    if (!raw)
      require("the grammar wrote what cannot be read: " + message + "\n" +
              text);
    return 0;
  }
  std::string printed = formula->print();
  llvm::Expected<Formula> again = Formula::parse(printed, "printed");
  if (!again)
    require("printed text is unreadable: " + llvm::toString(again.takeError()) +
            "\n" + printed);
  if (again->print() != printed)
    require("printing does not round-trip:\n" + printed);
  if (text.size() > kMaxOracleText)
    return 0;
  environment.params =
      formula->combination(data[1] % formula->numCombinations());
  require(naive::compare(*formula, environment));
  require(naive::comparePrinted(*formula, environment));
  return 0;
}
