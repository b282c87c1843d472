//===- RecogniserMutantTest.cpp - Texts with a mistake in them ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Right texts with a word exchanged: what is still accepted must be a
// permutation. Among them formulas with a condition on the grid alone, of which
// each case is proved by itself.
//
//===----------------------------------------------------------------------===//

#include "RecogniserTesting.h"
#include "llvm/Support/Compiler.h"

#include <cctype>
#include <string>

using namespace swizzle;

namespace {

/// `text` with one word replaced by another that stands elsewhere in it, or by
/// its usual opposite.
std::string mutate(const std::string &text, std::mt19937 &random) {
  std::vector<std::pair<size_t, size_t>> words;
  for (size_t i = 0; i < text.size();) {
    size_t end = i + 1;
    if (std::isalnum(text[i]))
      while (end < text.size() && (std::isalnum(text[end]) || text[end] == '_'))
        ++end;
    else if (text[i] == '/' || text[i] == '<' || text[i] == '>')
      while (end < text.size() && (text[end] == '/' || text[end] == '='))
        ++end;
    if (!std::isspace(text[i]))
      words.push_back({i, end - i});
    i = end;
  }
  auto [at, length] = words[random() % words.size()];
  std::string word = text.substr(at, length), other;
  const std::pair<const char *, const char *> opposites[] = {
      {"+", "-"},   {"-", "+"},   {"//", "%"},  {"%", "//"}, {"min", "max"},
      {"gx", "gy"}, {"gy", "gx"}, {"gy", "gz"}, {"<", "<="}, {"1", "2"}};
  for (const auto &[from, to] : opposites)
    if (word == from)
      other = to;
  if (other.empty() || random() % 3 == 0) {
    auto [from, size] = words[random() % words.size()];
    other = text.substr(from, size);
  }
  if (std::isdigit(word[0]) && random() % 2)
    other = std::to_string(std::stoll(word) + (random() % 2 ? 1 : -1));
  return text.substr(0, at) + other + text.substr(at + length);
}

TEST(RecogniserMutantTest, MutantsThatAreAcceptedArePermutations) {
  std::mt19937 random(11);
  int accepted = 0, refused = 0;
  // Those that are accepted are proved on six grids; fewer do where memory is
  // watched, too.
  const int rounds = LLVM_ADDRESS_SANITIZER_BUILD ? 50 : 500;
  for (int round = 0; round < rounds; ++round) {
    unsigned rank = 2 + random() % 2;
    std::string text =
        mutate(randomNest(random, rank).toFormula(rank).print(), random);
    if (random() % 3 == 0)
      text = mutate(text, random);
    llvm::Expected<Formula> formula = Formula::parse(text);
    if (!formula) {
      llvm::consumeError(formula.takeError());
      continue;
    }
    int64_t dies = 2 + random() % 7;
    Environment environment =
        environmentOf(rank == 2 ? unknown2 : unknown3, dies);
    if (!recognise(*formula, environment).isPermutation) {
      ++refused;
      continue;
    }
    ++accepted;
    for (Grid grid : {Grid(1, 1, 1), Grid(5, 7, 3), Grid(19, 2, 4),
                      Grid(3, 37, 1), Grid(17, 18, 2), Grid(33, 5, 6)}) {
      if (rank == 2)
        grid[2] = 1;
      environment.grid = grid;
      Verdict verdict = prove(*formula, environment);
      ASSERT_TRUE(verdict.legal())
          << toString(grid) << ", " << dies
          << " dies: " << verdict.refusal->message << "\n"
          << text;
    }
  }
  EXPECT_GT(accepted, rounds / 50);
  EXPECT_GT(refused, rounds == 500 ? 100 : 5);
}

/// Formulas with a condition that reads extents only, as language models write
/// them.
const char *const conditional[] = {
    "ok = gx % 8 == 0; i = y*gx + x; j = i % 8 * (gx*gy // 8) + i // 8\n"
    "return (j % gx if ok else x), (j // gx if ok else y)",
    "ok = gx % 4 == 0 and gy % 2 == 0; i = y*gx + x\n"
    "j = i % 8 * (gx*gy // 8) + i // 8\n"
    "return (j % gx if ok else x), (j // gx if ok else y)",
    "i = y*gx + x; j = i % 8 * (gx*gy // 8) + i // 8\n"
    "return (x if gx*gy % 8 != 0 else j % gx), (y if gx*gy % 8 != 0 else j // "
    "gx)",
    "return x // 2 * 2 + (1 - x % 2) if not gx % 2 else x, y",
    "return (gx - 1 - x if gx > 4 else x), (gy - 1 - y if gy > 7 else y)",
    // one block of the grid for each die
    "i = y*gx + x; c, j = i % 8, i // 8\n"
    "w, h = max(1, gx // 2), max(1, gy // 4); ok = w*2 == gx and h*4 == gy\n"
    "bx = (c % 2)*w + j % w; by = (c // 2)*h + j // w\n"
    "return (bx if ok else x), (by if ok else y)",
    // 2-D blocks in turn
    "i = y*gx + x; c, j = i % 8, i // 8; nbx = max(1, gx // 4)\n"
    "ok = gx % 4 == 0 and gy % 4 == 0 and (gx*gy) % 128 == 0\n"
    "b = (j // 16)*8 + c; k = j % 16\n"
    "bx = (b % nbx)*4 + k // 4; by = (b // nbx)*4 + k % 4\n"
    "return (bx if ok else x), (by if ok else y)",
    // bands in turn
    "i = y*gx + x; c, j = i % 8, i // 8; U = 2*gx; ok = gy % 16 == 0\n"
    "b = (j // U)*8 + c; k = j % U\n"
    "return (k // 2 if ok else x), (b*2 + k % 2 if ok else y)",
};

TEST(RecogniserMutantTest, ConditionsOnTheGridSplitTheProof) {
  for (const char *text : conditional) {
    Formula formula = parse(text);
    Environment environment = environmentOf(unknown2);
    NestRecognition found = recognise(formula, environment);
    EXPECT_TRUE(found.isPermutation) << text << "\n" << found.reason;
    expectPermutation(formula, environment);
  }
  const char *refused[] = {
      // the condition reads an id, does not suffice, or suffices not alone
      "ok = x % 8 == 0; return (y if ok else x), (x if ok else y)",
      "ok = gx % 8 == 0; return (x // 2 if ok else x), y",
      "ok = gx % 4 == 0; i = y*gx + x; j = i % 8 * (gx*gy // 8) + i // 8\n"
      "return (j % gx if ok else x), (j // gx if ok else y)",
      "ok = gx % 8 == 0 or gy % 2 == 0; i = y*gx + x\n"
      "j = i % 8 * (gx*gy // 8) + i // 8\n"
      "return (j % gx if ok else x), (j // gx if ok else y)",
      // the largest of a condition and one always holds
      "ok = max(gx % 8 == 0, 1); i = y*gx + x\n"
      "j = i % 8 * (gx*gy // 8) + i // 8\n"
      "return (j % gx if ok else x), (j // gx if ok else y)",
      // one side only
      "return (y if gx == gy else x), y",
      "r = x // (gx - 3) if gx > 3 else x; return x + 0*r, y"};
  for (const char *text : refused)
    expectRefused(text, unknown2);
}

TEST(RecogniserMutantTest, MutantsOfConditionsThatAreAcceptedArePermutations) {
  std::mt19937 random(3);
  int accepted = 0, refused = 0;
  for (int round = 0; round < 400; ++round) {
    std::string text = mutate(conditional[random() % 8], random);
    llvm::Expected<Formula> formula = Formula::parse(text);
    if (!formula) {
      llvm::consumeError(formula.takeError());
      continue;
    }
    Environment environment = environmentOf(unknown2);
    if (!recognise(*formula, environment).isPermutation) {
      ++refused;
      continue;
    }
    ++accepted;
    for (Grid grid : {Grid(1, 1), Grid(5, 7), Grid(16, 16), Grid(8, 24),
                      Grid(17, 64), Grid(12, 10), Grid(40, 48), Grid(64, 32)}) {
      environment.grid = grid;
      Verdict verdict = prove(*formula, environment);
      ASSERT_TRUE(verdict.legal())
          << toString(grid) << ": " << verdict.refusal->message << "\n"
          << text;
    }
  }
  EXPECT_GT(accepted, 10);
  EXPECT_GT(refused, 50);
}

} // namespace
