//===- DocsTest.cpp - Every formula of the documentation ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the fenced Python blocks of docs/formula-language.md. The line that
// opens a block names the grid and what must come out:
//
//   ```python grid=8x8 chip=mi300x verdict=legal maps=0,0:7,7 says=some_words
//
// `verdict` is `legal`, `unreadable` or a refusal's code; for a template it
// holds for every feasible combination. `maps` is an id and its image, `says` a
// part of the message, with `_` for spaces. The numbers of `chip` are written
// out here, so that this part needs none of those below it.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Formula/Proof/Proof.h"
#include "swizzle/Formula/Syntax/Catalogue.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace swizzle;

namespace {

struct Example {
  std::string text, grid, chip, verdict, maps, says;
  unsigned line = 0;
};

std::vector<Example> readExamples(const std::string &page) {
  auto buffer = llvm::MemoryBuffer::getFile(std::string(SWIZZLE_SOURCE_DIR) +
                                            "/docs/" + page);
  if (!buffer)
    return {};
  std::vector<Example> examples;
  llvm::SmallVector<llvm::StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n');
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].starts_with("```python"))
      continue;
    Example example;
    example.line = i + 1;
    llvm::SmallVector<llvm::StringRef> words;
    lines[i].split(words, ' ');
    for (llvm::StringRef word : words) {
      auto [key, value] = word.split('=');
      std::string spaced = value.str();
      for (char &c : spaced)
        if (key == "says" && c == '_')
          c = ' ';
      if (key == "grid")
        example.grid = spaced;
      else if (key == "chip")
        example.chip = spaced;
      else if (key == "verdict")
        example.verdict = spaced;
      else if (key == "maps")
        example.maps = spaced;
      else if (key == "says")
        example.says = spaced;
    }
    for (++i; i < lines.size() && !lines[i].starts_with("```"); ++i)
      example.text += lines[i].str() + "\n";
    examples.push_back(std::move(example));
  }
  return examples;
}

class DocsTest : public testing::TestWithParam<Example> {};

WorkgroupId parseId(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',');
  int64_t value[3] = {0, 0, 0};
  for (size_t i = 0; i < parts.size(); ++i)
    EXPECT_FALSE(parts[i].getAsInteger(10, value[i])) << text.str();
  return {value[0], value[1], value[2]};
}

TEST_P(DocsTest, GivesWhatThePageSays) {
  const Example &example = GetParam();
  SCOPED_TRACE("line " + std::to_string(example.line));
  ASSERT_NE(example.grid, "") << "a formula without a grid is not tested";
  ASSERT_NE(example.verdict, "");
  llvm::Expected<Formula> formula = Formula::parse(example.text);
  if (!formula) {
    std::string message = llvm::toString(formula.takeError());
    EXPECT_EQ(example.verdict, "unreadable") << message;
    EXPECT_NE(message.find(example.says), std::string::npos) << message;
    return;
  }
  Environment environment;
  environment.grid = llvm::cantFail(parseGrid(example.grid));
  if (!example.chip.empty()) {
    ASSERT_EQ(example.chip, "mi300x");
    environment.chip = example.chip;
    environment.hardware["num_xcds"] = 8;
  }
  unsigned feasible = 0;
  for (uint64_t i = 0; i < formula->numCombinations(); ++i) {
    environment.params = formula->combination(i);
    Verdict verdict = prove(*formula, environment);
    if (!verdict.legal() && verdict.refusal->code == "infeasible")
      continue;
    ++feasible;
    if (verdict.legal()) {
      EXPECT_EQ(example.verdict, "legal");
      continue;
    }
    EXPECT_EQ(example.verdict, verdict.refusal->code);
    std::string message =
        verdict.refusal->message + " " + verdict.refusal->counterexample;
    EXPECT_NE(message.find(example.says), std::string::npos) << message;
  }
  EXPECT_GT(feasible, 0u);
  if (example.maps.empty())
    return;
  auto [from, to] = llvm::StringRef(example.maps).split(':');
  BoundFormula bound =
      llvm::cantFail(BoundFormula::bind(*formula, environment));
  WorkgroupId image = llvm::cantFail(bound.evaluate(parseId(from)));
  EXPECT_EQ(toString(image, environment.grid),
            toString(parseId(to), environment.grid));
}

INSTANTIATE_TEST_SUITE_P(FormulaLanguage, DocsTest,
                         testing::ValuesIn(readExamples("formula-language.md")),
                         [](const auto &info) {
                           return "line" + std::to_string(info.param.line);
                         });

TEST(DocsPageTest, ThePageHasExamples) {
  EXPECT_GE(readExamples("formula-language.md").size(), 12u);
}

/// The worked example of docs/adding-a-family.md.
TEST(DocsPageTest, TheExampleFamilyIsWhatThePageSays) {
  auto buffer = llvm::MemoryBuffer::getFile(std::string(SWIZZLE_SOURCE_DIR) +
                                            "/docs/adding-a-family.md");
  ASSERT_TRUE(bool(buffer));
  llvm::StringRef text = (*buffer)->getBuffer().split("```text\n").second;
  Formula formula = llvm::cantFail(Formula::parse(text.split("```").first));
  Environment environment;
  environment.grid = Grid(12, 8);
  EXPECT_TRUE(prove(formula, environment).legal());
  environment.grid = Grid(12, 7);
  EXPECT_FALSE(prove(formula, environment).legal());
}

} // namespace
