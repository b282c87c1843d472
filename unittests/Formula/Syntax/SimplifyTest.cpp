//===- SimplifyTest.cpp - What the simplifier does and leaves alone -------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules one by one; that values and failures are kept is tested with random
// formulas in EvaluatorTest.cpp and with every family in CatalogueTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Formula/Syntax/Simplify.h"

#include "gtest/gtest.h"

using namespace swizzle;

namespace {

std::string simplified(llvm::StringRef text) {
  return simplify(llvm::cantFail(Formula::parse(text))).print();
}

TEST(SimplifyRulesTest, FoldsConstants) {
  EXPECT_EQ(simplified("return x + (2 * 3 - 6)"), "return x\n");
  EXPECT_EQ(simplified("return x % (1 << 4)"), "return x % 16\n");
  EXPECT_EQ(simplified("return x if 3 > 2 else 1 // 0"), "return x\n");
  EXPECT_EQ(simplified("return x + cdiv(-7, 2) + -7 // 2"), "return x + -7\n");
}

TEST(SimplifyRulesTest, DropsWhatDoesNothing) {
  EXPECT_EQ(simplified("return (x * 1 + 0) // 1 << 0"), "return x\n");
  EXPECT_EQ(simplified("a = x\nb = a\nreturn b, y"), "return x, y\n");
  EXPECT_EQ(simplified("a = x & 3\nreturn x"), "return x\n");
  EXPECT_EQ(simplified("return 0 * x + y * 0 + x % 1"), "return 0\n");
}

TEST(SimplifyRulesTest, JoinsOperations) {
  EXPECT_EQ(simplified("return x // 4 // 8"), "return x // 32\n");
  EXPECT_EQ(simplified("return x + 1 + 2"), "return x + 3\n");
  EXPECT_EQ(simplified("return min(min(x, 9), gx, 4)"),
            "return min(x, gx, 4)\n");
}

TEST(SimplifyRulesTest, KeepsFailures) {
  // A fault of the source stays, whether or not its value is used.
  EXPECT_EQ(simplified("a = gx // (gy - 1)\nreturn x"),
            "a = gx // (gy - 1)\nreturn x\n");
  EXPECT_EQ(simplified("return x + 1 // 0"), "return x + 1 // 0\n");
  EXPECT_EQ(simplified("return 0 * (gx // x)"), "return 0 * (gx // x)\n");
  EXPECT_EQ(simplified("return x + 9223372036854775807 - 1"),
            "return x + 9223372036854775807 - 1\n");
  EXPECT_EQ(simplified("return x + 1 + -1"), "return x + 1 + -1\n");
}

TEST(SimplifyRulesTest, NamesWhatIsComputedTwice) {
  EXPECT_EQ(simplified("return (y * gx + x) // gy, (y * gx + x) % gy"),
            "t0 = y * gx + x\nreturn t0 // gy, t0 % gy\n");
  // Not what stands behind a condition: it might fail where it is not wanted.
  EXPECT_EQ(simplified("return (gx // x + 1 if x else 0), (gx // x + 1 if x "
                       "else 1)"),
            "return gx // x + 1 if x else 0, gx // x + 1 if x else 1\n");
}

TEST(SimplifyRulesTest, KeepsNamesParamsAndRequirements) {
  EXPECT_EQ(simplified("param G in {1, 2}\nw = G * gx\nrequire w > 2 - 1\n"
                       "w = w + 1\nreturn x % w"),
            "param G in {1, 2}\nw = G * gx\nrequire w > 1\nw2 = w + 1\n"
            "return x % w2\n");
}

} // namespace
