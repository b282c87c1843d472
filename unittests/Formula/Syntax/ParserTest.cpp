//===- ParserTest.cpp - Reading and printing formulas ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the parser accepts, what it refuses, and what it says then.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Formula/Formula.h"

#include "gtest/gtest.h"

using namespace swizzle;

namespace {

std::string errorOf(llvm::StringRef text) {
  llvm::Expected<Formula> formula = Formula::parse(text);
  return formula ? "" : llvm::toString(formula.takeError());
}

std::string print(llvm::StringRef text) {
  llvm::Expected<Formula> formula = Formula::parse(text);
  return formula ? formula->print()
                 : "error: " + llvm::toString(formula.takeError());
}

TEST(ParserTest, PrintsCanonically) {
  EXPECT_EQ(print("return x,y"), "return x, y\n");
  EXPECT_EQ(print("a=x;b=(a+1)*2;return (b//2-1),y"),
            "a = x\nb = (a + 1) * 2\nreturn b // 2 - 1, y\n");
  EXPECT_EQ(print("return (x, (y), z)"), "return x, y, z\n");
  EXPECT_EQ(print("return ((x, y))"), "return x, y\n");
  EXPECT_EQ(print("(q, r) = (x // 2, x % 2)\nreturn q, r"),
            "q, r = x // 2, x % 2\nreturn q, r\n");
}

TEST(ParserTest, SeparatesStatementsByLinesAndSemicolons) {
  EXPECT_EQ(print("\n\n a = x ; ; b = a # note; not a statement\r\nreturn b;;"),
            "a = x\nb = a\nreturn b\n");
  EXPECT_EQ(print("a = (x +\n     1)\nreturn a"), "a = x + 1\nreturn a\n");
  EXPECT_EQ(print("return min(x,\n  gx - 1)"), "return min(x, gx - 1)\n");
}

TEST(ParserTest, KeepsPythonsPrecedence) {
  // The fully parenthesised text reads as the same tree as the bare one.
  const std::pair<const char *, const char *> cases[] = {
      {"1 + 2 * 3", "1 + (2 * 3)"},
      {"-x // 2", "(-x) // 2"},
      {"~x & 1", "(~x) & 1"},
      {"x - y - z", "(x - y) - z"},
      {"x // y % z", "(x // y) % z"},
      {"x << 1 + y", "x << (1 + y)"},
      {"x & y << 1", "x & (y << 1)"},
      {"x ^ y & z", "x ^ (y & z)"},
      {"x | y ^ z", "x | (y ^ z)"},
      {"x | y == z", "(x | y) == z"},
      {"not x == y", "not (x == y)"},
      {"not x and y", "(not x) and y"},
      {"x or y and z", "x or (y and z)"},
      {"x if y or z else 1", "x if (y or z) else 1"},
      {"x if y else z if gx else 1", "x if y else (z if gx else 1)"},
      {"x < y if z else gx < gy", "(x < y) if z else (gx < gy)"},
  };
  for (auto [bare, full] : cases)
    EXPECT_EQ(print(std::string("return ") + bare),
              print(std::string("return ") + full));
  // And where the grouping matters, it is printed.
  for (const char *text :
       {"(1 + 2) * 3", "-(x // 2)", "x - (y - z)", "(x if y else z) + 1",
        "not (x and y)", "(x < y) < z", "x < y < z", "(x == y) == (z == 1)",
        "(x or y) and z", "x if (y if z else gx) else gy", "~(-x)", "-(-x)",
        "-(5)", "--5"})
    EXPECT_NE(print(std::string("return ") + text).find("return"),
              std::string::npos);
  EXPECT_EQ(print("return (x < y) < z"), "return (x < y) < z\n");
  EXPECT_EQ(print("return (1 + 2) * 3"), "return (1 + 2) * 3\n");
  EXPECT_EQ(print("return x - (y - z)"), "return x - (y - z)\n");
  EXPECT_EQ(print("return -(5)"), "return -(5)\n");
  EXPECT_EQ(print("return - 5"), "return -5\n");
}

TEST(ParserTest, ReadsNumbers) {
  EXPECT_EQ(print("return 0x1F + 0b101 + 0o17 + 1_000"),
            "return 31 + 5 + 15 + 1000\n");
  EXPECT_EQ(print("return -9223372036854775808"),
            "return -9223372036854775808\n");
  EXPECT_NE(errorOf("return 9223372036854775808"), "");
  EXPECT_NE(errorOf("return 99999999999999999999"), "");
  EXPECT_NE(errorOf("return 012").find("write `12`"), std::string::npos);
  EXPECT_NE(errorOf("return 3x").find("neither a number"), std::string::npos);
}

TEST(ParserTest, ReadsTemplates) {
  EXPECT_EQ(print("param G in {1, 2, -4}\nrequire gx % G == 0\nreturn x"),
            "param G in {1, 2, -4}\nrequire gx % G == 0\nreturn x\n");
  Formula formula = llvm::cantFail(
      Formula::parse("param A in {1, 2}\nparam B in {3, 4, 5}\nreturn A + B"));
  EXPECT_EQ(formula.numCombinations(), 6u);
  EXPECT_EQ(formula.combination(0), (ParamValues{{"A", 1}, {"B", 3}}));
  EXPECT_EQ(formula.combination(1), (ParamValues{{"A", 1}, {"B", 4}}));
  EXPECT_EQ(formula.combination(5), (ParamValues{{"A", 2}, {"B", 5}}));
}

TEST(ParserTest, RequirementsSeeOnlyWhatStandsBefore) {
  EXPECT_EQ(print("n = gx\nrequire n > 1\nn = 2\nrequire n > 2\nreturn x"),
            "n = gx\nrequire n > 1\nn = 2\nrequire n > 2\nreturn x\n");
}

TEST(ParserTest, ListsHardwareNames) {
  Formula formula = llvm::cantFail(
      Formula::parse("a = num_xcds\nreturn a + l2_bytes + num_xcds"));
  EXPECT_EQ(formula.hardwareNames(),
            (std::vector<std::string>{"l2_bytes", "num_xcds"}));
}

TEST(ParserTest, PointsAtTheFault) {
  EXPECT_EQ(errorOf("a = x\nreturn a + / 2"),
            "formula:2:12: error: `/` gives a fraction: write `//`, which "
            "rounds down, or `cdiv(a, b)`, which rounds up\n"
            "  return a + / 2\n"
            "             ^");
  llvm::Expected<Formula> formula = Formula::parse("return q", "remap.swz");
  EXPECT_EQ(llvm::toString(formula.takeError()).substr(0, 14),
            "remap.swz:1:8:");
}

TEST(ParserTest, ShowsAWindowOfALongLine) {
  std::string text =
      "return x" + std::string(500, ' ') + "$" + std::string(500, ' ');
  std::string message = errorOf(text);
  EXPECT_NE(message.find("formula:1:509:"), std::string::npos);
  EXPECT_LT(message.size(), 400u);
  // The caret stands below the offending character.
  size_t line = message.find('\n') + 1, next = message.find('\n', line) + 1;
  EXPECT_EQ(message.find('$', line) - line, message.find('^', next) - next);
}

TEST(ParserTest, MasksControlCharacters) {
  std::string message = errorOf("return \x1b[31m");
  EXPECT_EQ(message.find('\x1b'), std::string::npos);
  EXPECT_NE(message.find("byte 0x1B is not text"), std::string::npos);
  EXPECT_NE(errorOf("return \xc3\xa9").find("ASCII"), std::string::npos);
  EXPECT_NE(errorOf(llvm::StringRef("return \0x", 9)).find("byte 0x0"),
            std::string::npos);
}

struct BadCase {
  const char *text;
  const char *message; ///< a part of it
};

class BadFormulaTest : public testing::TestWithParam<BadCase> {};

TEST_P(BadFormulaTest, SaysWhatWouldBeRight) {
  std::string message = errorOf(GetParam().text);
  EXPECT_NE(message.find(GetParam().message), std::string::npos)
      << GetParam().text << "\n"
      << message;
}

const BadCase kBadCases[] = {
    // What Python has and the language leaves out
    {"return x ** 2", "`1 << n` for a power of two"},
    {"a = x\na += 1\nreturn a", "write `a = a + b`"},
    {"a = x\na //= 2\nreturn a", "write `a = a // b`"},
    {"return x * 0.5", "fraction"},
    {"return 1e3", "fraction"},
    {"return .5", "fractions are not in the language"},
    {"for i in range(3): pass\nreturn x", "no loops"},
    {"while x: x = 1\nreturn x", "no loops"},
    {"if x: return y\nreturn x", "write `name = a if c else b`"},
    {"def f(a): return a", "no definitions"},
    {"import math\nreturn x", "no modules"},
    {"assert gx % 2 == 0\nreturn x", "write `require EXPR`"},
    {"print(x)\nreturn x", "only assignments"},
    {"return True", "write `1`"},
    {"return false", "write `0`"},
    {"return None", "every value is an integer"},
    {"return int(x)", "leave `int()` out"},
    {"return ceil(x)", "cdiv(a, b)"},
    {"return divmod(x, 2)", "q, r = a // b, a % b"},
    {"return pow(x, 2)", "1 << n"},
    {"return sqrt(x)", "is not a function of the language"},
    {"return foo(x)", "there are abs(a), cdiv(a, b)"},
    {"return x[0]", "there are no lists"},
    {"return x.y", "there are no attributes"},
    {"return 'x'", "there are no strings"},
    {"return x is y", "write `==`"},
    {"return x in y", "`in` is not in the language"},
    {"return x not y", "`not` stands before a value"},
    {"return (a := x)", "on a line of its own"},
    {"return x && y", "write `and`"},
    {"return x || y", "write `or`"},
    {"return !x", "write `not`"},
    {"return x ? y : z", "write `a if c else b`"},
    {"return x <> y", "write `!=`"},
    {"return x + \\\n 1", "put the expression in parentheses"},
    {"return +x", "leave it out"},
    // Names
    {"return q", "unknown name `q`"},
    {"return num_xcd", "did you mean `num_xcds`?"},
    {"a = b\nb = 1\nreturn a", "`b` is used before it is assigned in line 2"},
    {"a = a + 1\nreturn a", "unknown name `a`"},
    {"x = 1\nreturn x", "`x` is built in"},
    {"gx = 1\nreturn x", "`gx` is built in"},
    {"num_xcds = 8\nreturn x", "a number of the hardware"},
    {"min = 8\nreturn x", "`min` is a function"},
    {"if = 8\nreturn x", "is a word of the language"},
    {"a, or = 8, 9\nreturn x", "is a word of the language"},
    {"return min", "`min` is a function: write `min(a, b, ...)`"},
    {"return gx(2)", "write `*` to multiply"},
    {"a, a = 1, 2\nreturn a", "assigned twice"},
    // Parameters and requirements
    {"param G in {1}\nG = 2\nreturn x", "`G` is a parameter"},
    {"param G in {}\nreturn x", "values are integers"},
    {"param G in {1, 2, 1}\nreturn x", "1 is listed twice"},
    {"param G in [1, 2]\nreturn x", "there are no lists"},
    {"param G in (1, 2)\nreturn x", "in braces"},
    {"param G = 2\nreturn x", "expected `in`"},
    {"param G in {x}\nreturn x", "values are integers"},
    {"param G in {1, 2\nreturn x", "expected `,` or `}`"},
    {"param G in {1, 2", "never closed"},
    {"G = 1\nparam G in {1}\nreturn x", "declare parameters first"},
    {"param x in {1}\nreturn x", "`x` is built in"},
    {"require x > 1\nreturn x", "must not depend on x, y or z"},
    {"a = y\nb = a * 2\nrequire b\nreturn x", "must not depend on x, y or z"},
    {"require 1, 2\nreturn x", "one condition"},
    // Structure
    {"", "does not end in `return`"},
    {"a = x", "does not end in `return`"},
    {"return x\na = 1", "nothing may follow `return`"},
    {"return x\nreturn y", "nothing may follow `return`"},
    {"return", "a value is missing before the end"},
    {"return x, y, z, x", "one, two or three values"},
    {"return x,", "a value is missing after `,`"},
    {"return (x, y), z", "one value is expected here"},
    {"return (x, y) + 1", "several values in parentheses"},
    {"return min((x, y), 1)", "an argument is one value"},
    {"a, b = 1\nreturn a", "2 names but 1 value"},
    {"a = 1, 2\nreturn a", "1 name but 2 values"},
    {"x + 1\nreturn x", "expected `name = value`"},
    {"3\nreturn x", "expected `name = value`"},
    {"a b = 1\nreturn x", "expected `name = value`"},
    {"a = b = 1\nreturn x", "`==` compares"},
    {"a = x = 1\nreturn x", "`==` compares"},
    {"return x y", "expected an operator or the end of the line before `y`"},
    {"return x +", "a value is missing after `+`"},
    {"return * x", "a value is missing before `*`"},
    {"return (x", "this `(` is never closed"},
    {"a = (x\nreturn a", "this `(` is never closed"},
    {"a = (x + \nb = 1\nreturn a", "this `(` is never closed"},
    {"return min(x, y", "this `(` is never closed"},
    {"return x)", "this `)` closes nothing"},
    {"return ()", "a value is missing between `(` and `)`"},
    {"return min()", "a value is missing between `(` and `)`"},
    {"return min(x)", "takes at least 2 arguments, not 1"},
    {"return abs(x, y)", "takes 1 argument, not 2"},
    {"return hilbert_x(x, gx)", "takes 3 arguments, not 2"},
    {"return x if y", "`if` without `else`"},
    {"return (x if y) else z", "`if` without `else`"},
    {"return x else y", "`else` without `if`"},
    {"return x if y if z else 1 else 2", "needs parentheses"},
    {"return x + not y", "`not` binds more loosely than `+`"},
    {"return {x}", "braces hold the values of a `param`"},
};

INSTANTIATE_TEST_SUITE_P(All, BadFormulaTest, testing::ValuesIn(kBadCases));

TEST(ParserTest, RefusesLongTexts) {
  std::string text = "return x # " + std::string(Formula::maxTextBytes, '-');
  EXPECT_NE(errorOf(text).find("at most 16384 are read"), std::string::npos);
}

TEST(ParserTest, RefusesTooManyCombinations) {
  std::string text;
  for (char name : {'A', 'B', 'C', 'D'}) {
    text += std::string("param ") + name + " in {";
    for (int i = 0; i < 32; ++i)
      text += (i ? "," : "") + std::to_string(i);
    text += "}\n";
  }
  EXPECT_NE(errorOf(text + "return x").find("at most 1000000 are allowed"),
            std::string::npos);
}

/// Texts as deep as the limit allows go through everything.

std::string repeat(const std::string &unit, size_t count) {
  std::string out;
  for (size_t i = 0; i < count; ++i)
    out += unit;
  return out;
}

TEST(ParserTest, ReadsWhatItWrites) {
  // 5 bytes a line, 11 where it is written.
  std::string text;
  for (unsigned line = 0; line < 2600; ++line)
    text += "a=a+0\n";
  EXPECT_NE(errorOf("a=x\n" + text + "return a"), "");
  EXPECT_EQ(errorOf("a=x\n" + text.substr(0, 6 * 1400) + "return a"), "");
}

TEST(DeepFormulaTest, SurvivesAnyNesting) {
  const std::string texts[] = {
      "return " + repeat("(", 8000) + "x" + repeat(")", 8000),
      "return " + repeat("~", 16000) + "x",
      "return " + repeat("-", 16000) + "x",
      "return " + repeat("not ", 4000) + "x",
      "return " + repeat("x if x else (", 1100) + "x" + repeat(")", 1100),
      "return " + repeat("x if x else ", 1300) + "x",
      "return " + repeat("(x if ", 1000) + "x" + repeat(" else x)", 1000),
      "return " + repeat("x and ", 2700) + "x",
      "return " + repeat("x < (", 2300) + "x" + repeat(")", 2300),
      "return " + repeat("x < ", 4000) + "x",
      "return " + repeat("min(x,", 2300) + "x" + repeat(")", 2300),
      "return " + repeat("x-(", 4000) + "x" + repeat(")", 4000),
      "return x" + repeat("-x", 8000),
  };
  for (const std::string &text : texts) {
    llvm::Expected<Formula> formula = Formula::parse(text);
    // With blanks between its words, some a text is longer than what is read.
    if (!formula) {
      EXPECT_NE(llvm::toString(formula.takeError()).find("in one line"),
                std::string::npos);
      continue;
    }
    std::string printed = formula->print();
    EXPECT_EQ(llvm::cantFail(Formula::parse(printed)).print(), printed);
    Environment environment;
    environment.grid = Grid(5);
    BoundFormula bound =
        llvm::cantFail(BoundFormula::bind(*formula, environment));
    if (auto result = bound.evaluate({1, 0, 0}); !result)
      llvm::consumeError(result.takeError());
  }
  for (const std::string &text :
       {"return " + repeat("(", 16000), "return " + repeat("min(", 4000),
        "return " + repeat("x if ", 3000), "return " + repeat(")", 16000)})
    EXPECT_NE(errorOf(text), "");
}

} // namespace
