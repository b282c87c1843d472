//===- ParserTest.cpp - Reading and printing formulas ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.TXT for license information. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the parser accepts, refuses and says.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Formula/Formula.h"

#include "gtest/gtest.h"

using namespace swizzle;

namespace {

std::string print(llvm::StringRef text) {
  llvm::Expected<Formula> formula = Formula::parse(text);
  if (!formula)
    return "error: " + llvm::toString(formula.takeError());
  return formula->print();
}

TEST(ParserTest, PrintsCanonically) {
  EXPECT_EQ(print("return x,y"), "return x, y\n");
  EXPECT_EQ(print("a=x;b=(a+1)*2;return (b//2-1),y"),
            "a = x\nb = (a + 1) * 2\nreturn b // 2 - 1, y\n");
  EXPECT_EQ(print("return (x, (y), z)"), "return x, y, z\n");
}

} // namespace
