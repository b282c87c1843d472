//===- NestRecogniserTest.cpp - Permutations for every extent -------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nests are recognised from text in many spellings, each is checked by brute
// force on many grids, and texts that are nearly nests are refused.
//
//===----------------------------------------------------------------------===//

#include "../../lib/Formula/NestRecogniser.h"
#include "swizzle/Formula/Catalogue.h"
#include "swizzle/Formula/Proof.h"

#include "gtest/gtest.h"

#include <random>

using namespace swizzle;

namespace {

Environment environmentOf(Grid grid, int64_t dies = 8,
                          ParamValues params = {}) {
  Environment environment;
  environment.grid = grid;
  environment.hardware["num_xcds"] = dies;
  environment.hardware["num_cus"] = 38 * dies;
  environment.hardware["cus_per_xcd"] = 38;
  environment.hardware["l2_bytes"] = 4 << 20;
  environment.params = std::move(params);
  return environment;
}

const Grid unknown2(kUnknownExtent, kUnknownExtent, 1);
const Grid unknown3(kUnknownExtent, kUnknownExtent, kUnknownExtent);
const Grid unknown1(kUnknownExtent, 1, 1);

/// Brute force over all grids of the same rank with small extents and some
/// larger awkward ones.
void expectPermutation(const Formula &formula, Environment environment) {
  Grid pattern = environment.grid;
  const int64_t extents[] = {1, 2, 3, 5, 7, 8, 13, 16, 24, 37};
  for (int64_t gx : extents)
    for (int64_t gy : extents)
      for (int64_t gz : {1, 2, 3, 5}) {
        Grid grid(gx, gy, gz);
        if ((pattern[1] == 1 && gy > 1) || (pattern[2] == 1 && gz > 1))
          continue;
        environment.grid = grid;
        Verdict verdict = prove(formula, environment);
        ASSERT_TRUE(verdict.legal())
            << toString(grid) << ": " << verdict.refusal->message << " "
            << verdict.refusal->counterexample << "\n"
            << formula.print();
      }
}

Formula parse(llvm::StringRef text) {
  return llvm::cantFail(Formula::parse(text));
}

void expectNest(llvm::StringRef text, Grid grid, llvm::StringRef description,
                ParamValues params = {}, int64_t dies = 8) {
  Formula formula = parse(text);
  Environment environment = environmentOf(grid, dies, params);
  NestRecognition found = recognise(formula, environment);
  EXPECT_TRUE(found.isPermutation) << text.str() << "\n" << found.reason;
  if (!found.isPermutation)
    return;
  EXPECT_EQ(found.description, description.str()) << text.str();
  EXPECT_EQ(prove(formula, environment).proof->kind, ProofKind::Nest);
  expectPermutation(formula, environment);
}

void expectRefused(llvm::StringRef text, Grid grid, ParamValues params = {}) {
  Verdict verdict = prove(parse(text), environmentOf(grid, 8, params));
  ASSERT_FALSE(verdict.legal()) << text.str();
  EXPECT_EQ(verdict.refusal->code, "not-a-nest");
  EXPECT_NE(verdict.refusal->message.find("loop nest"), std::string::npos);
}

TEST(NestRecogniserTest, PlainOrders) {
  expectNest("return x, y, z", unknown3, "y, x");
  expectNest("return x", unknown1, "y, x");
  expectNest("return gx - 1 - x", unknown1, "y, x");
  expectNest("i = y*gx + x\nreturn i // gy, i % gy", unknown2, "x, y");
  expectNest("i = y*gx + x\nreturn i // gy, i - i // gy * gy", unknown2,
             "x, y");
  expectNest("i = (z*gy + y)*gx + x; return i // (gy*gz), i // gz % gy, i % gz",
             unknown3, "x, y, z");
  expectNest("return x, gy - 1 - y", unknown2, "y, x");
  expectNest("return gx - 1 - x if y % 2 else x, y", unknown2,
             "y, x back and forth");
  expectNest("return gx - 1 - x if y & 1 == 1 else x, y", unknown2,
             "y, x back and forth");
  expectNest("L = y + gy*x\nreturn L % gx, L // gx", unknown2, "y, x");
}

TEST(NestRecogniserTest, SuperGroupsInManySpellings) {
  const char *spellings[] = {
      "w = 8*gx; i = y*gx + x; g = i // w; h = min(gy - g*8, 8); k = i % w\n"
      "return k // h, g*8 + k % h",
      "i = y*gx + x; t = i // (gx*8); f = t*8; h = min(8, gy - f)\n"
      "k = i - t*8*gx; return k // h, f + k % h",
      "g = y // 8; h = min(gy, (g+1)*8) - 8*g; k = (y - g*8)*gx + x\n"
      "return k // h, 8*g + k - (k // h)*h",
      "g = y >> 3; r = gy - (g << 3); h = r if r < 8 else 8\n"
      "k = (y & 7)*gx + x; return k // h, (g << 3) + k % h",
      "g = y // 8; h = 8 if g*8 + 8 <= gy else gy - g*8; k = (y % 8)*gx + x\n"
      "return k // h, 8*g + k % h",
  };
  for (const char *text : spellings) {
    Formula formula = parse(text);
    Environment environment = environmentOf(unknown2);
    NestRecognition found = recognise(formula, environment);
    EXPECT_TRUE(found.isPermutation) << text << "\n" << found.reason;
    EXPECT_EQ(found.description, "y/8, x, y") << text;
    expectPermutation(formula, environment);
  }
}

TEST(NestRecogniserTest, DealsAndCompositions) {
  std::string deal = "i = y*gx + x; n = gx*gy\n"
                     "d, j = i % num_xcds, i // num_xcds\n"
                     "q, r = n // num_xcds, n % num_xcds\n"
                     "t = d*q + min(d, r) + j\n";
  for (int64_t dies : {1, 3, 4, 6, 7, 8}) {
    std::string on = " on " + std::to_string(dies) + " dies; ";
    std::string contiguous = dies == 1 ? "" : "deal contiguous" + on;
    expectNest(deal + "return t % gx, t // gx", unknown2, contiguous + "y, x",
               {}, dies);
    expectNest(deal + "g = t // (4*gx); f = g*4; h = min(4, gy - f)\n"
                      "k = t - g*4*gx; return k // h, f + k % h",
               unknown2, contiguous + "y/4, x, y", {}, dies);
    std::string chunked = dies == 1 ? "" : "deal chunks of 4" + on;
    expectNest("c, j = x % num_xcds, x // num_xcds; U = 4*num_xcds\n"
               "full = gx // U * U\n"
               "return (j // 4)*U + c*4 + j % 4 if x < full else x",
               unknown1, chunked + "y, x", {}, dies);
  }
  expectNest(
      "B = 16*num_xcds; i = y*gx + x; n = gx*gy; j = i // num_xcds\n"
      "t = i if i >= n // B * B else j // 16 * B + i % num_xcds * 16 + j % 16\n"
      "return t % gx, t // gx",
      unknown2, "deal chunks of 16 on 8 dies; y, x");
  // The rest of an even deal stays where it is.
  expectNest("q, r = gx // 8, gx % 8\n"
             "return x % 8 * q + x // 8 if x < gx - r else x",
             unknown1, "deal contiguous, rest as is, on 8 dies; y, x");
}

TEST(NestRecogniserTest, BlocksSerpentinesAndThreeAxes) {
  expectNest("i = y*gx + x; w = 4*gx; yb = i // w; k = i % w\n"
             "yh = min(4, gy - yb*4); xb = k // (yh*2); m = k % (yh*2)\n"
             "xh = min(2, gx - xb*2)\n"
             "return xb*2 + m % xh, yb*4 + m // xh",
             unknown2, "y/4, x/2, y, x");
  expectNest(
      "w = 4*gx; i = y*gx + x; g = i // w; h = min(gy - g*4, 4); k = i % w\n"
      "n = k // h; n = gx - 1 - n if g % 2 else n\nreturn n, g*4 + k % h",
      unknown2, "y/4, x back and forth, y");
  // The whole panel backwards.
  expectNest(
      "w = 4*gx; i = y*gx + x; g = i // w; h = min(gy - g*4, 4); k = i % w\n"
      "a, b = k // h, k % h\n"
      "if_odd = g % 2\n"
      "return gx - 1 - a if if_odd else a, g*4 + (h - 1 - b if if_odd else b)",
      unknown2, "y/4, x back and forth, y back and forth");
  // Bands of y walked through z.
  expectNest("i = (z*gy + y)*gx + x; w = 16*gx*gz; g = i // w; k = i % w\n"
             "h = min(16, gy - g*16); m = k % (h*gx)\n"
             "return m % gx, g*16 + m // gx, k // (h*gx)",
             unknown3, "y/16, z, y, x");
  // Every layer by itself.
  expectNest("g = y // 4; h = min(4, gy - g*4); k = y % 4 * gx + x\n"
             "return k // h, g*4 + k % h",
             unknown3, "y/4, x, y");
}

LoopNest randomNest(std::mt19937 &random, unsigned rank) {
  const int64_t tiles[] = {2, 3, 4, 8, 16};
  LoopNest nest;
  nest.deal = Deal(random() % 3);
  nest.chunk = 1 + random() % 8;
  std::vector<NestLevel> levels;
  for (unsigned axis = 0; axis < rank; ++axis) {
    levels.push_back({axis, 1, false});
    if (random() % 2)
      levels.push_back({axis, tiles[random() % 5], false});
  }
  std::shuffle(levels.begin(), levels.end(), random);
  // Larger tiles of an axis go outside.
  for (size_t i = 0; i < levels.size(); ++i)
    for (size_t k = i + 1; k < levels.size(); ++k)
      if (levels[i].axis == levels[k].axis && levels[i].tile < levels[k].tile)
        std::swap(levels[i], levels[k]);
  if (rank == 2)
    nest.levels.push_back({2, 1, false});
  for (size_t i = 0; i < levels.size(); ++i) {
    levels[i].serpentine = levels[i].tile == 1 && i > 0 && random() % 4 == 0;
    nest.levels.push_back(levels[i]);
  }
  return nest;
}

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

TEST(NestRecogniserTest, MutantsThatAreAcceptedArePermutations) {
  std::mt19937 random(11);
  int accepted = 0, refused = 0;
  for (int round = 0; round < 500; ++round) {
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
  EXPECT_GT(accepted, 10);
  EXPECT_GT(refused, 100);
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
    "return (x if gx*gy % 8 != 0 else j % gx), (y if gx*gy % 8 != 0 else j // gx)",
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

TEST(NestRecogniserTest, ConditionsOnTheGridSplitTheProof) {
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

TEST(NestRecogniserTest, MutantsOfConditionsThatAreAcceptedArePermutations) {
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

TEST(NestRecogniserTest, BitsOnEitherSideOfAnOr) {
  expectNest("i = y*gx + x; t = i // 8 << 3 | i % 8; return t % gx, t // gx",
             unknown2, "y, x");
  expectNest("i = y*gx + x; t = i % 8 ^ i // 8 * 8; return t % gx, t // gx",
             unknown2, "y, x");
  expectNest("return gx + ~x", unknown1, "y, x");
  expectRefused(
      "i = y*gx + x; t = i // 8 << 3 | i % 16; return t % gx, t // gx",
      unknown2);
}

TEST(NestRecogniserTest, WhatNestsWriteIsRecognisedAsThemselves) {
  std::mt19937 random(5);
  int recognised = 0;
  for (int round = 0; round < 80; ++round) {
    unsigned rank = 2 + random() % 2;
    LoopNest nest = randomNest(random, rank);
    ASSERT_EQ(nest.verify(), "");
    Formula formula = nest.toFormula(rank);
    Environment environment = environmentOf(rank == 2 ? unknown2 : unknown3, 7);
    NestRecognition found = recognise(formula, environment);
    ASSERT_TRUE(found.isPermutation) << nest.describe() << "\n"
                                     << formula.print() << found.reason;
    if (!found.nest)
      continue;
    ++recognised;
    for (Grid grid : {Grid(5, 7, 3), Grid(20, 9, 2), Grid(1, 11, 1)}) {
      if (rank == 2)
        grid[2] = 1;
      for (int64_t id = 0; id < grid.count(); ++id)
        ASSERT_TRUE(found.nest->evaluate(id, grid, 7) ==
                    nest.evaluate(id, grid, 7))
            << nest.describe() << " taken for " << found.nest->describe();
    }
  }
  EXPECT_GT(recognised, 60);
}

TEST(NestRecogniserTest, FamiliesOfTheCatalogueThatAreNests) {
  for (const char *name :
       {"row-major", "column-major", "reverse", "super-group", "column-group",
        "serpentine-group", "tiles-2d", "head-sections", "xcd-balanced",
        "xcd-chunked", "xcd-identity-tail", "xcd-balanced-super-group",
        "xcd-balanced-column-group", "xcd-balanced-serpentine",
        "xcd-balanced-tiles-2d", "xcd-chunked-super-group",
        "xcd-chunked-column-group", "split-k-outermost"}) {
    Formula formula =
        llvm::cantFail(readFormulaOption("@" + std::string(name)));
    for (int64_t dies : {3, 8}) {
      Environment environment = environmentOf(
          unknown2, dies, formula.combination(formula.numCombinations() - 1));
      NestRecognition found = recognise(formula, environment);
      EXPECT_TRUE(found.isPermutation) << name << ": " << found.reason;
      expectPermutation(formula, environment);
    }
  }
  // Legal on some grids only.
  for (const char *name : {"xcd-naive", "super-group-unclamped"}) {
    Formula formula =
        llvm::cantFail(readFormulaOption("@" + std::string(name)));
    Environment environment = environmentOf(
        unknown2, 8, formula.combination(formula.numCombinations() - 1));
    EXPECT_FALSE(recognise(formula, environment).isPermutation) << name;
  }
}

TEST(NestRecogniserTest, NearNestsAreRefused) {
  const char *texts[] = {
      // no min
      "w = 8*gx; i = y*gx + x; g = i // w; k = i % w\nreturn k // 8, g*8 + k % "
      "8",
      // another group in the min, in the width, in the offset
      "w = 8*gx; i = y*gx + x; g = i // w; h = min(gy - g*8, 4); k = i % w\n"
      "return k // h, g*8 + k % h",
      "w = 4*gx; i = y*gx + x; g = i // w; h = min(gy - g*8, 8); k = i % w\n"
      "return k // h, g*8 + k % h",
      "w = 8*gx; i = y*gx + x; g = i // w; h = min(gy - g*8, 8); k = i % w\n"
      "return k // h, g*4 + k % h",
      // gx and gy exchanged
      "w = 8*gy; i = y*gx + x; g = i // w; h = min(gx - g*8, 8); k = i % w\n"
      "return k // h, g*8 + k % h",
      "i = y*gy + x; return i % gx, i // gx",
      "i = y*gx + x; return i % gy, i // gy",
      // wrong rest
      "w = 8*gx; i = y*gx + x; g = i // w; h = min(gy - g*7, 8); k = i % w\n"
      "return k // h, g*8 + k % h",
      "w = 8*gx; i = y*gx + x; g = i // w; h = min(gy - g*8, 8); k = i - g*gx\n"
      "return k // h, g*8 + k % h",
      // one off
      "w = 8*gx; i = y*gx + x; g = i // w; h = min(gy - g*8, 8); k = i % w\n"
      "return k // h, g*8 + (k + 1) % h",
      "w = 8*gx; i = y*gx + x; g = i // w; h = min(gy - g*8, 8); k = i % w + "
      "1\n"
      "return k // h, g*8 + k % h",
      "return gx - x, y", "return gx - 1 - x if x % 2 else x, y",
      "return gx - 1 - x if y % 3 else x, y",
      // deals: no min(d, r), rest not as is, wrong whole
      "i = y*gx + x; n = gx*gy; t = i % 8 * (n // 8) + i // 8\n"
      "return t % gx, t // gx",
      "i = y*gx + x; n = gx*gy; q, r = n // 8, n % 8\n"
      "t = i % 8 * q + max(i % 8, r) + i // 8\nreturn t % gx, t // gx",
      "i = y*gx + x; n = gx*gy; q, r = n // 8, n % 8\n"
      "t = i % 8 * q + min(i % 4, r) + i // 8\nreturn t % gx, t // gx",
      "i = y*gx + x; n = gx*gx; q, r = n // 8, n % 8\n"
      "t = i % 8 * q + min(i % 8, r) + i // 8\nreturn t % gx, t // gx",
      "i = y*gx + x; n = gx*gy; j = i // 8\n"
      "t = j // 4 * 32 + i % 8 * 4 + j % 4\nreturn t % gx, t // gx",
      "i = y*gx + x; n = gx*gy; j = i // 8; w = n // 16 * 16\n"
      "t = j // 4 * 32 + i % 8 * 4 + j % 4 if i < w else i\nreturn t % gx, t "
      "// gx",
      "i = y*gx + x; n = gx*gy; j = i // 8; w = n // 32 * 32\n"
      "t = j // 4 * 32 + i % 8 * 4 + j % 4 if i <= w else i\nreturn t % gx, t "
      "// gx",
      // one id for two, axes mixed up, not onto
      "return x, x", "return y, x", "return 0, y", "return x // 2, y",
      "return x + 1 - 1, y // 2 * 2", "return x * 2 % gx, y",
      // may divide by zero although the quotient drops out
      "return x + 0 * (y // (gx - 3)), y", "return x, y + 0 * (x // y)",
      // may leave 64 bits
      "return x + (gx*gx*gx*gx - gx*gx*gx*gx), y",
      // not analysed
      "return x ^ 1, y", "return hilbert_x(x, gx, gy), y"};
  for (const char *text : texts)
    expectRefused(text, unknown2);
  expectRefused("return x % 8 * (gx // 8) + x // 8", unknown1);
  expectRefused("return y, x, z", unknown3);
}

TEST(NestRecogniserTest, HugeStaticGrids) {
  Formula even = parse("return x % 8 * (gx // 8) + x // 8");
  EXPECT_TRUE(prove(even, environmentOf(Grid(1 << 24))).legal());
  Verdict uneven = prove(even, environmentOf(Grid((1 << 24) + 1)));
  ASSERT_FALSE(uneven.legal());
  EXPECT_EQ(uneven.refusal->code, "too-many-ids");
  Formula swap = parse("i = y*gx + x; return i // gy, i % gy");
  EXPECT_EQ(prove(swap, environmentOf(Grid(1 << 14, 1 << 14))).proof->kind,
            ProofKind::Nest);
}

TEST(NestRecogniserTest, SaysWhyAndWhatItAssumes) {
  Formula formula = parse("return x ^ 1, y");
  Verdict verdict = prove(formula, environmentOf(unknown2));
  EXPECT_NE(verdict.refusal->message.find("'^'"), std::string::npos);
  verdict = prove(parse("return x, y"), environmentOf(unknown2));
  ASSERT_EQ(verdict.proof->assumptions.size(), 1u);
  EXPECT_NE(verdict.proof->assumptions[0].find("2^31"), std::string::npos);
  verdict = prove(parse("param G in {1, 2}\nrequire G > 1\nreturn x, y"),
                  environmentOf(unknown2, 8, {{"G", 1}}));
  EXPECT_EQ(verdict.refusal->code, "infeasible");
  Environment noChip = environmentOf(unknown2);
  noChip.hardware.clear();
  verdict = prove(parse("return x + num_xcds - num_xcds, y"), noChip);
  EXPECT_EQ(verdict.refusal->code, "unbound-name");
}

} // namespace
