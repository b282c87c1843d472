//===- CatalogueTest.cpp - Every family, by brute force -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Wherever an entry says that it is a permutation, it must be one: on prime,
// flat, tall and indivisible grids, with fewer workgroups than dies, for any
// number of dies. Entries with a condition must fail somewhere without it.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Formula/Syntax/Catalogue.h"
#include "Formula/Eval/CompareWithNaive.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace swizzle;

namespace {

const Grid kGrids[] = {
    Grid(1),      Grid(7),       Grid(31),      Grid(96),
    Grid(1, 7),   Grid(1, 64),   Grid(2, 2),    Grid(5, 3),
    Grid(13, 17), Grid(8, 8),    Grid(16, 12),  Grid(24, 10),
    Grid(3, 40),  Grid(4, 4, 2), Grid(5, 3, 4), Grid(1, 1, 9)};
const int64_t kDies[] = {1, 3, 4, 6, 7, 8};

/// Does `condition`, an expression over extents, hardware and params, hold?
bool holds(const Formula &formula, const std::string &condition,
           const Environment &environment) {
  std::string text;
  for (const ParamDecl &param : formula.params()) {
    text += "param " + param.name + " in {";
    for (size_t i = 0; i < param.values.size(); ++i)
      text += (i ? ", " : "") + std::to_string(param.values[i]);
    text += "}\n";
  }
  text += "return (x if (" + condition + ") else -1), y, z";
  BoundFormula bound = llvm::cantFail(
      BoundFormula::bind(llvm::cantFail(Formula::parse(text)), environment));
  llvm::Expected<WorkgroupId> result = bound.evaluate({});
  if (result)
    return true;
  llvm::consumeError(result.takeError());
  return false;
}

/// Calls `visit(environment)` for all grids, dies and parameters.
template <typename F> void forEachCase(const Formula &formula, F visit) {
  for (const Grid &grid : kGrids)
    for (int64_t dies : kDies)
      for (int64_t cus : {dies * 2, int64_t(7)}) {
        Environment environment;
        environment.grid = grid;
        environment.hardware = {
            {"num_xcds", dies}, {"num_cus", cus}, {"l2_bytes", 3 << 20}};
        for (uint64_t i = 0; i < formula.numCombinations(); ++i) {
          environment.params = formula.combination(i);
          visit(environment);
        }
      }
}

class CatalogueTest : public testing::TestWithParam<CatalogueEntry> {};

TEST_P(CatalogueTest, IsLegalWhereItSaysSo) {
  const CatalogueEntry &entry = GetParam();
  Formula formula = llvm::cantFail(readFormulaOption("@" + entry.name));
  unsigned legalWithout = 0, illegalWithout = 0;
  forEachCase(formula, [&](const Environment &environment) {
    Verdict verdict = prove(formula, environment);
    if (holds(formula, entry.legalWhen, environment)) {
      EXPECT_TRUE(verdict.legal()) << toString(environment.grid) << ", "
                                   << *environment.hardware.at("num_xcds")
                                   << " dies: " << verdict.refusal->message
                                   << ": " << verdict.refusal->counterexample;
      return;
    }
    ++(verdict.legal() ? legalWithout : illegalWithout);
  });
  if (entry.legalWhen == "1") {
    EXPECT_EQ(legalWithout + illegalWithout, 0u);
  } else {
    EXPECT_GT(illegalWithout, 0u) << "the condition excludes nothing";
  }
}

TEST_P(CatalogueTest, AgreesWithTheOracle) {
  Formula formula = llvm::cantFail(readFormulaOption("@" + GetParam().name));
  unsigned turn = 0;
  forEachCase(formula, [&](const Environment &environment) {
    if (turn++ % 17 == 0 && environment.grid.count() < 300) {
      EXPECT_EQ(naive::compare(formula, environment), "");
    }
    if (turn % 29 == 0 && environment.grid.count() < 100) {
      EXPECT_EQ(naive::comparePrinted(formula, environment), "");
    }
  });
}

TEST_P(CatalogueTest, IsDescribed) {
  const CatalogueEntry &entry = GetParam();
  EXPECT_FALSE(entry.name.empty());
  EXPECT_TRUE(llvm::StringRef(entry.summary).ends_with("."));
  EXPECT_FALSE(entry.legalWhen.empty());
  EXPECT_FALSE(entry.source.empty());
  Formula formula = llvm::cantFail(Formula::parse(entry.text));
  EXPECT_EQ(llvm::cantFail(Formula::parse(formula.print())).print(),
            formula.print());
}

INSTANTIATE_TEST_SUITE_P(Families, CatalogueTest,
                         testing::ValuesIn(catalogue().begin(),
                                           catalogue().end()),
                         [](const auto &info) {
                           std::string name = info.param.name;
                           for (char &c : name)
                             if (c == '-')
                               c = '_';
                           return name;
                         });

TEST(CatalogueLookupTest, FindsByNameWithOrWithoutTheSign) {
  EXPECT_EQ((*llvm::cantFail(findFamily("@hilbert"))).name, "hilbert");
  EXPECT_EQ((*llvm::cantFail(findFamily("hilbert"))).name, "hilbert");
}

TEST(CatalogueLookupTest, ListsTheNearestFirst) {
  auto entry = findFamily("@super-grup");
  ASSERT_FALSE(bool(entry));
  std::string message = llvm::toString(entry.takeError());
  EXPECT_NE(message.find("it has: super-group,"), std::string::npos) << message;
}

TEST(CatalogueLookupTest, AnUnreadableFileIsAnError) {
  auto formula = readFormulaFile("/no/such/file.swz");
  ASSERT_FALSE(bool(formula));
  EXPECT_NE(llvm::toString(formula.takeError()).find("/no/such/file.swz"),
            std::string::npos);
}

/// Bugs that users of hand-written remaps met: duplicate tiles and tiles never
/// computed on a grid that the dies do not divide.
TEST(CatalogueLookupTest, TheNaiveRemapLosesTiles) {
  Formula formula = llvm::cantFail(readFormulaOption("@xcd-naive"));
  Environment environment;
  environment.grid = Grid(3, 3);
  environment.hardware["num_xcds"] = 8;
  Verdict verdict = prove(formula, environment);
  ASSERT_FALSE(verdict.legal());
  EXPECT_EQ(verdict.refusal->counterexample,
            "workgroups (1,0) and (2,2) both map to (1,0); (2,2) is never "
            "reached");
}

} // namespace
