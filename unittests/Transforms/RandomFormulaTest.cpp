//===- RandomFormulaTest.cpp - Random formulas, emitted and interpreted ---===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The grammar of the fuzzer, on a fixed sequence.
//
//===----------------------------------------------------------------------===//

#include "Formula/Syntax/RandomFormula.h"
#include "CompareEmitted.h"

#include "gtest/gtest.h"

#include <random>

using namespace swizzle;

namespace {

TEST(RandomFormula, EmittedIsTheFormula) {
  mlir::MLIRContext context;
  loadEmittedDialects(context);
  std::mt19937 random(3);
  unsigned legal = 0;
  for (unsigned round = 0; round < 3000; ++round) {
    std::vector<uint8_t> bytes(200);
    for (uint8_t &byte : bytes)
      byte = random();
    naive::RandomFormula source(bytes.data(), bytes.size());
    Environment environment = source.environment();
    Formula formula = cantFail(Formula::parse(source.text()));
    environment.params = formula.combination(round % formula.numCombinations());
    ASSERT_EQ(compareEmitted(context, formula, environment, legal), "")
        << formula.print() << "on " << environment.grid.x() << "x"
        << environment.grid.y() << "x" << environment.grid.z();
  }
  EXPECT_GT(legal, 100u);
}

} // namespace
