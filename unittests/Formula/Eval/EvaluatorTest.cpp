//===- EvaluatorTest.cpp - Evaluation against the oracle ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random formulas on awkward grids, compared id by id with a naive evaluator,
// and the corners that random formulas seldom reach.
//
//===----------------------------------------------------------------------===//

#include "CompareWithNaive.h"
#include "Formula/Syntax/RandomFormula.h"

#include "gtest/gtest.h"

#include <random>

using namespace swizzle;

namespace {

// Divisors that do not fit the 32-bit columns of small values.
TEST(EvaluatorTest, DividesByMoreThanANarrowColumnHolds) {
  for (const char *divisor :
       {"2147483647", "2147483648", "3000000000", "4294967296", "8589934592"})
    for (const char *shape :
         {"return x // D + x, y", "return x % D, y",
          "return (x - 9) // D + 1 + x, y", "return x + (y - 5) // D + 1, y"}) {
      std::string text = shape;
      text.replace(text.find('D'), 1, divisor);
      llvm::Expected<Formula> formula = Formula::parse(text);
      ASSERT_TRUE(bool(formula)) << llvm::toString(formula.takeError());
      Environment environment;
      environment.grid = Grid(8, 3);
      EXPECT_EQ(naive::compare(*formula, environment), "") << text;
      EXPECT_TRUE(prove(*formula, environment).legal()) << text;
    }
}

TEST(EvaluatorTest, AgreesWithTheOracleOnRandomFormulas) {
  std::mt19937 random(20250101);
  unsigned legal = 0, faults = 0;
  for (unsigned round = 0; round < 2000; ++round) {
    uint8_t bytes[160];
    for (uint8_t &byte : bytes)
      byte = uint8_t(random());
    naive::RandomFormula source(bytes, sizeof(bytes));
    Environment environment = source.environment();
    std::string text = source.text();
    llvm::Expected<Formula> formula = Formula::parse(text);
    ASSERT_TRUE(bool(formula)) << llvm::toString(formula.takeError());
    environment.params =
        formula->combination(random() % formula->numCombinations());
    std::string difference = naive::compare(*formula, environment);
    ASSERT_EQ(difference, "") << text;
    Verdict verdict = prove(*formula, environment);
    legal += verdict.legal();
    faults += !verdict.legal() && verdict.refusal->code != "duplicate";
  }
  EXPECT_GT(legal, 2u);
  EXPECT_GT(faults, 500u);
}

TEST(PrinterTest, KeepsValuesAndFailures) {
  std::mt19937 random(42);
  for (unsigned round = 0; round < 700; ++round) {
    uint8_t bytes[160];
    for (uint8_t &byte : bytes)
      byte = uint8_t(random());
    naive::RandomFormula source(bytes, sizeof(bytes));
    Environment environment = source.environment();
    std::string text = source.text();
    Formula formula = llvm::cantFail(Formula::parse(text));
    environment.params =
        formula.combination(random() % formula.numCombinations());
    ASSERT_EQ(naive::comparePrinted(formula, environment), "") << text;
  }
}

} // namespace
