//===- ProofTest.cpp - Proofs and refusals --------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each refusal with its code, its message and its counterexample; templates;
// grids.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Formula/Proof/Proof.h"
#include "swizzle/Formula/Syntax/Catalogue.h"

#include "gtest/gtest.h"

#include <numeric>

using namespace swizzle;

namespace {

Environment environmentOf(Grid grid, ParamValues params = {}) {
  Environment environment;
  environment.grid = grid;
  environment.hardware = {{"num_xcds", 8}, {"l2_bytes", std::nullopt}};
  environment.chip = "example";
  environment.params = std::move(params);
  return environment;
}

Verdict verdict(llvm::StringRef text, Grid grid, ParamValues params = {}) {
  return prove(llvm::cantFail(Formula::parse(text)),
               environmentOf(grid, std::move(params)));
}

/// "code: message" of a refusal.
std::string refusal(llvm::StringRef text, Grid grid, ParamValues params = {}) {
  Verdict v = verdict(text, grid, std::move(params));
  return v.legal() ? "legal" : v.refusal->code + ": " + v.refusal->message;
}

TEST(ProofTest, NamesACollision) {
  Verdict v = verdict("return x // 8, y", Grid(16, 2));
  ASSERT_FALSE(v.legal());
  EXPECT_EQ(v.refusal->code, "duplicate");
  EXPECT_EQ(v.refusal->message,
            "the formula is not a permutation of the grid 16x2");
  EXPECT_EQ(v.refusal->counterexample,
            "workgroups (0,0) and (1,0) both map to (0,0); (2,0) is never "
            "reached");
  v = verdict("return x & ~1", Grid(4));
  EXPECT_EQ(v.refusal->counterexample,
            "workgroups (0) and (1) both map to (0); (1) is never reached");
  // The collision may be far from the first block of ids.
  v = verdict("return min(x, gx - 2)", Grid(1000003));
  EXPECT_EQ(v.refusal->counterexample,
            "workgroups (1000001) and (1000002) both map to (1000001); "
            "(1000002) is never reached");
}

TEST(ProofTest, ReturnsThePermutation) {
  std::vector<uint32_t> permutation;
  Verdict v = prove(llvm::cantFail(Formula::parse("return gx - 1 - x, y")),
                    environmentOf(Grid(3, 2)), {}, permutation);
  ASSERT_TRUE(v.legal());
  EXPECT_EQ(v.proof->kind, ProofKind::Enumerated);
  EXPECT_EQ(v.proof->ids, 6);
  EXPECT_EQ(permutation, (std::vector<uint32_t>{2, 1, 0, 5, 4, 3}));
  prove(llvm::cantFail(Formula::parse("return 0, y")),
        environmentOf(Grid(3, 2)), {}, permutation);
  EXPECT_TRUE(permutation.empty());
}

TEST(ProofTest, AxesThatAreNotReturnedStay) {
  EXPECT_EQ(refusal("return gx - 1 - x", Grid(5)), "legal");
  EXPECT_EQ(refusal("return y, x", Grid(4, 4, 3)), "legal");
  std::vector<uint32_t> permutation;
  prove(llvm::cantFail(Formula::parse("return y, x")),
        environmentOf(Grid(2, 2, 2)), {}, permutation);
  EXPECT_EQ(permutation, (std::vector<uint32_t>{0, 2, 1, 3, 4, 6, 5, 7}));
}

TEST(ProofTest, RefusesWithACode) {
  EXPECT_EQ(refusal("return x + 1, y", Grid(8, 2)),
            "out-of-grid: workgroup (7,0) is sent outside the grid 8x2 (line "
            "1, column 10)");
  EXPECT_EQ(refusal("return -x, y", Grid(8, 2)).substr(0, 12), "out-of-grid:");
  EXPECT_EQ(refusal("return x // (x - 3)", Grid(8)).substr(0, 12),
            "out-of-grid:"); // workgroup 1 leaves the grid before 3 divides
  EXPECT_EQ(refusal("a = gx // (x - 3)\nreturn x", Grid(8)),
            "division-by-zero: division by zero at workgroup (3) (line 1, "
            "column 8)");
  EXPECT_EQ(refusal("return x % 0", Grid(8)),
            "division-by-zero: division by zero at workgroup (0) (line 1, "
            "column 10)");
  EXPECT_EQ(refusal("return cdiv(x, 0)", Grid(8)).substr(0, 17),
            "division-by-zero:");
  EXPECT_EQ(refusal("a = 1 << x\nreturn x", Grid(70)),
            "overflow: the result does not fit in 64 bits at workgroup (63) "
            "(line 1, column 7)");
  EXPECT_EQ(refusal("a = x << (x - 2)\nreturn x", Grid(8)).substr(0, 10),
            "bad-shift:");
  EXPECT_EQ(refusal("a = x >> 64\nreturn x", Grid(8)).substr(0, 10),
            "bad-shift:");
  EXPECT_EQ(refusal("a = hilbert_x(x, 2, 2)\nreturn x", Grid(8)),
            "bad-curve: the curve has no such point at workgroup (4) (line 1, "
            "column 5): `i` must lie in 0 .. w * h - 1");
  EXPECT_EQ(refusal("a = morton_y(x, 0, 9)\nreturn x", Grid(8)).substr(0, 10),
            "bad-curve:");
  EXPECT_EQ(refusal("a = x * 9223372036854775807\nreturn x", Grid(8)),
            "overflow: the result does not fit in 64 bits at workgroup (2) "
            "(line 1, column 7)");
  EXPECT_EQ(refusal("a = -(x - 9223372036854775807 - 1)\nreturn x", Grid(8))
                .substr(0, 9),
            "overflow:");
  EXPECT_EQ(refusal("a = -9223372036854775808 // (x - 5)\nreturn x", Grid(8)),
            "overflow: the result does not fit in 64 bits at workgroup (4) "
            "(line 1, column 26)");
  EXPECT_EQ(refusal("return x", Grid(8, 2)),
            "wrong-rank: the formula returns one value, but the grid 8x2 has "
            "more than one row: of a linear id `i`, `return i % gx, i // gx`; "
            "of a column, return `y` as well");
  // The grid is said as it was given.
  for (Grid grid : {Grid(kUnknownExtent, 4), Grid(8, kUnknownExtent, 2)})
    EXPECT_NE(
        refusal("return x", grid)
            .find("the grid " + toString(grid) + " has more than one row"),
        std::string::npos);
  EXPECT_EQ(refusal("return x % cus_per_xcd", Grid(8)).substr(0, 13),
            "unbound-name:");
  EXPECT_EQ(refusal("return x % l2_bytes", Grid(8)),
            "unbound-name: the formula reads `l2_bytes`, which the description "
            "of example leaves open");
  EXPECT_EQ(refusal("param G in {1, 2}\nreturn x", Grid(8)),
            "unbound-name: parameter `G` has no value");
  EXPECT_EQ(refusal("param G in {1, 2}\nreturn x", Grid(8), {{"G", 3}}),
            "bad-param: parameter `G` is one of {1, 2}, not 3");
  EXPECT_EQ(refusal("return x", Grid(8), {{"H", 3}}),
            "bad-param: the formula has no parameter `H`");
  EXPECT_EQ(refusal("param G in {1, 2}\nrequire gx % (G * 4) == 4\nreturn x",
                    Grid(8), {{"G", 1}}),
            "infeasible: the requirement `gx % (G * 4) == 4` does not hold");
  EXPECT_EQ(refusal("return x", Grid(0)).substr(0, 9), "bad-grid:");
}

TEST(ProofTest, AFormulaThatNamesHardwareNeedsAChip) {
  Environment environment;
  environment.grid = Grid(8);
  Verdict v =
      prove(llvm::cantFail(Formula::parse("return x % num_xcds")), environment);
  EXPECT_EQ(v.refusal->message, "the formula reads `num_xcds`, but no chip is "
                                "known: name the chip");
  EXPECT_TRUE(
      prove(llvm::cantFail(Formula::parse("return x")), environment).legal());
}

TEST(ProofTest, EvaluatesOnlyWhatPythonWould) {
  EXPECT_EQ(refusal("r = gx % 2\nreturn (x // r if r else x)", Grid(8)),
            "legal");
  EXPECT_EQ(refusal("r = x % 2\nreturn (x // r if r else x)", Grid(8)),
            "legal");
  EXPECT_EQ(refusal("return x + 0 * (x and gx // x)", Grid(8)), "legal");
  EXPECT_EQ(refusal("return x + 0 * (x == 0 or gx // x)", Grid(8)), "legal");
  EXPECT_EQ(refusal("return x + 0 * (0 < x < gx // x < 100)", Grid(8)),
            "legal");
  EXPECT_EQ(
      refusal("return x + 0 * (x == 0 and gx // x)", Grid(8)).substr(0, 17),
      "division-by-zero:");
}

TEST(ProofTest, AndOrYieldAnOperand) {
  EXPECT_EQ(refusal("return (x and x) + (0 or 0)", Grid(8)), "legal");
  EXPECT_EQ(refusal("return (7 and x)", Grid(8)), "legal");
  EXPECT_EQ(refusal("return (x or 0)", Grid(8)), "legal");
  EXPECT_EQ(refusal("return gx - (not x) - 1 - max(x - 1, 0)", Grid(8)),
            "duplicate: the formula is not a permutation of the grid 8");
}

TEST(ProofTest, RoundsTowardsMinusInfinity) {
  // -x - 1 is ~x; floor division and remainder see negative numbers.
  EXPECT_EQ(refusal("return (-x - 1) % gx", Grid(7)), "legal");
  EXPECT_EQ(refusal("return x + (-7 // 2 + 4) + (-7 % 2 - 1) + (7 % -2 + 1)",
                    Grid(9)),
            "legal");
  EXPECT_EQ(refusal("return x + cdiv(-7, 2) + 3 + cdiv(7, 2) - 4", Grid(9)),
            "legal");
  EXPECT_EQ(refusal("return x + (-1 >> 5) + 1", Grid(9)), "legal");
}

TEST(ProofTest, LargeGridsAreNotEnumerated) {
  Formula formula = llvm::cantFail(Formula::parse("return x ^ 1, y"));
  ProofOptions options;
  options.maxIds = 100;
  Verdict v = prove(formula, environmentOf(Grid(10, 10)), options);
  EXPECT_TRUE(v.legal());
  v = prove(formula, environmentOf(Grid(10, 12)), options);
  ASSERT_FALSE(v.legal());
  EXPECT_EQ(v.refusal->code, "too-many-ids");
  v = prove(formula, environmentOf(Grid(kUnknownExtent, 12)), options);
  ASSERT_FALSE(v.legal());
  EXPECT_EQ(v.refusal->code, "not-a-nest");
}

constexpr const char *kTemplate = "param G in {3, 2, 4, 8}\n"
                                  "require G > 2\n"
                                  "return x // G + gx // G * (x % G)";

TEST(TemplateTest, TakesTheFirstLegalCombination) {
  TemplateVerdict v = firstLegal(llvm::cantFail(Formula::parse(kTemplate)),
                                 environmentOf(Grid(16)));
  EXPECT_TRUE(v.verdict.legal());
  EXPECT_EQ(v.params, (ParamValues{{"G", 4}}));
  EXPECT_EQ(v.tried, 3u);
  EXPECT_EQ(v.infeasible, 1u);
}

TEST(TemplateTest, ReportsTheLastRefusal) {
  TemplateVerdict v = firstLegal(llvm::cantFail(Formula::parse(kTemplate)),
                                 environmentOf(Grid(17)));
  ASSERT_FALSE(v.verdict.legal());
  EXPECT_EQ(v.verdict.refusal->code, "duplicate");
  EXPECT_EQ(v.tried, 4u);
}

TEST(TemplateTest, KeepsWhatIsFixed) {
  TemplateVerdict v = firstLegal(llvm::cantFail(Formula::parse(kTemplate)),
                                 environmentOf(Grid(16), {{"G", 8}}));
  EXPECT_TRUE(v.verdict.legal());
  EXPECT_EQ(v.tried, 1u);
  v = firstLegal(llvm::cantFail(Formula::parse(kTemplate)),
                 environmentOf(Grid(16), {{"G", 2}}));
  ASSERT_FALSE(v.verdict.legal());
  EXPECT_EQ(v.verdict.refusal->code, "infeasible");
}

TEST(TemplateTest, ChecksEveryCombination) {
  TemplateReport report = checkTemplate(
      llvm::cantFail(Formula::parse(kTemplate)), environmentOf(Grid(16)));
  EXPECT_EQ(report.legal, 2u);
  EXPECT_EQ(report.illegal, 1u);
  EXPECT_EQ(report.infeasible, 1u);
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.firstLegal, (ParamValues{{"G", 4}}));
  EXPECT_EQ(report.firstIllegal, (ParamValues{{"G", 3}}));
  ASSERT_TRUE(report.refusal);
  EXPECT_NE(report.refusal->counterexample, "");
}

// What needs no enumeration goes on beyond the cap.
TEST(TemplateTest, NestsAreProvedBeyondTheCap) {
  ProofOptions options;
  options.maxTemplateWork = 40;
  Formula formula = llvm::cantFail(Formula::parse(
      "param G in {1, 2, 3, 4, 5}\nw = G * gx\ni = y * gx + x\ng = i // w\n"
      "h = min(gy - g * G, G)\nk = i % w\nreturn k // h, g * G + k % h"));
  TemplateReport report =
      checkTemplate(formula, environmentOf(Grid(5, 4)), options);
  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.legal, 5u);
}

TEST(TemplateTest, StatesTheCap) {
  ProofOptions options;
  options.maxTemplateWork = 40;
  TemplateReport report = checkTemplate(
      llvm::cantFail(Formula::parse("param G in {1, 2, 4, 8}\nreturn x ^ G")),
      environmentOf(Grid(16)), options);
  EXPECT_FALSE(report.complete);
  EXPECT_EQ(report.legal + report.illegal, 2u);
  EXPECT_EQ(report.workCap, 40);
  TemplateVerdict v = firstLegal(llvm::cantFail(Formula::parse(kTemplate)),
                                 environmentOf(Grid(17)), options);
  ASSERT_FALSE(v.verdict.legal());
  EXPECT_EQ(v.verdict.refusal->message,
            "checking stopped after 3 combinations: combinations times ids is "
            "capped at 40");
}

TEST(BoundFormulaTest, EvaluatesRanges) {
  Environment environment = environmentOf(Grid(5, 4, 3));
  BoundFormula bound = llvm::cantFail(BoundFormula::bind(
      llvm::cantFail(Formula::parse("return gx - 1 - x, y, z")), environment));
  std::vector<uint32_t> all(60);
  EXPECT_FALSE(bool(bound.evaluate(0, llvm::MutableArrayRef<uint32_t>(all))));
  for (int64_t first : {0, 1, 7, 58, 60}) {
    std::vector<int64_t> some(std::min<int64_t>(9, 60 - first));
    EXPECT_FALSE(
        bool(bound.evaluate(first, llvm::MutableArrayRef<int64_t>(some))));
    for (size_t i = 0; i < some.size(); ++i)
      EXPECT_EQ(some[i], all[first + i]);
  }
  std::vector<int64_t> beyond(2);
  llvm::Error error =
      bound.evaluate(59, llvm::MutableArrayRef<int64_t>(beyond));
  EXPECT_EQ(llvm::toString(std::move(error)),
            "ids 59 to 60 are not all in the grid 5x4x3");
  EXPECT_EQ(llvm::toString(bound.evaluate({5, 0, 0}).takeError()),
            "there is no workgroup (5,0,0) in the grid 5x4x3");
}

TEST(BoundFormulaTest, FeasibilityIsSeparate) {
  Formula formula = llvm::cantFail(
      Formula::parse("param G in {1, 0, 2}\nq = gx // G\nrequire q > 5\n"
                     "return x"));
  auto feasible = [&](int64_t g) {
    return llvm::cantFail(
               BoundFormula::bind(formula, environmentOf(Grid(8), {{"G", g}})))
        .feasible();
  };
  EXPECT_TRUE(llvm::cantFail(feasible(1)));
  EXPECT_FALSE(llvm::cantFail(feasible(2)));
  llvm::Expected<bool> faulty = feasible(0);
  ASSERT_FALSE(bool(faulty));
  EXPECT_NE(llvm::toString(faulty.takeError()).find("division by zero"),
            std::string::npos);
}

TEST(GridTest, ReadsAndPrints) {
  for (const char *text : {"8", "96x61", "64x64x4", "1x1x5", "?", "?x?", "?x3"})
    EXPECT_EQ(toString(llvm::cantFail(parseGrid(text))), text);
  EXPECT_EQ(toString(llvm::cantFail(parseGrid("7x1x1"))), "7");
  EXPECT_EQ(toString(llvm::cantFail(parseGrid("2147483647"))), "2147483647");
  const std::pair<const char *, const char *> bad[] = {
      {"", "an extent is missing"},   {"3x", "an extent is missing"},
      {"0x4", "at least 1"},          {"2147483648", "more than 2147483647"},
      {"-3", "`-3` is not a number"}, {"3y4", "`3y4` is not a number"},
      {"1x2x3x4", "at most three"}};
  for (auto [text, message] : bad) {
    auto grid = parseGrid(text);
    ASSERT_FALSE(bool(grid)) << text;
    EXPECT_NE(llvm::toString(grid.takeError()).find(message), std::string::npos)
        << text;
  }
}

} // namespace
