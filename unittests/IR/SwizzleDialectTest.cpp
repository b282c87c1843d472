//===- SwizzleDialectTest.cpp - The bridge between attribute and formula --===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `getFormulaAttr` and `readFormulaAttr` are inverses, and the attribute holds
// what the formula reads and no more.
//
//===----------------------------------------------------------------------===//

#include "swizzle/IR/SwizzleDialect.h"

#include "mlir/IR/MLIRContext.h"

#include "gtest/gtest.h"

using namespace swizzle;

namespace {

class FormulaAttrTest : public ::testing::Test {
protected:
  FormulaAttrTest() { context.loadDialect<SwizzleDialect>(); }

  FormulaAttr get(llvm::StringRef text, const Environment &environment) {
    return getFormulaAttr(&context, cantFail(Formula::parse(text)),
                          environment);
  }

  mlir::MLIRContext context;
};

TEST_F(FormulaAttrTest, RoundTrips) {
  Environment environment;
  environment.grid = Grid(96, 61);
  environment.params = {{"G", 4}, {"H", -3}};
  environment.hardware = {{"num_xcds", 8}, {"num_cus", 304}};
  FormulaAttr attr = get("param G in {2, 4}; param H in {-3}\n"
                         "return x // G * G + x % G + H % num_xcds * 0, y",
                         environment);
  EXPECT_EQ(attr.getParams().size(), 2u);
  auto [formula, read] =
      cantFail(readFormulaAttr(attr, {96, 61, kUnknownExtent}));
  EXPECT_EQ(formula.printLine(), attr.getText().str());
  EXPECT_EQ(read.params, environment.params);
  EXPECT_EQ(read.grid, Grid(96, 61, kUnknownExtent));
  EXPECT_EQ(getFormulaAttr(&context, formula, read), attr);
}

TEST_F(FormulaAttrTest, KeepsOnlyTheHardwareThatIsRead) {
  Environment environment;
  environment.hardware = {
      {"num_xcds", 8}, {"num_cus", 304}, {"llc_bytes", std::nullopt}};
  FormulaAttr attr = get("return x % num_xcds", environment);
  ASSERT_EQ(attr.getHardware().size(), 1u);
  EXPECT_TRUE(attr.getHardware().get("num_xcds"));
  EXPECT_TRUE(get("return x", environment).getHardware().empty());
}

TEST_F(FormulaAttrTest, ReadingNeedsThreeExtents) {
  FormulaAttr attr = get("return x", {});
  llvm::Expected<std::pair<Formula, Environment>> read =
      readFormulaAttr(attr, {96, 61});
  ASSERT_FALSE(bool(read));
  EXPECT_NE(llvm::toString(read.takeError()).find("three extents"),
            std::string::npos);
}

} // namespace
