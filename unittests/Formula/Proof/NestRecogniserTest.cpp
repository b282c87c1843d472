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

#include "RecogniserTesting.h"
#include "swizzle/Formula/Syntax/Catalogue.h"
#include "llvm/Support/Compiler.h"

using namespace swizzle;

namespace {

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
  const int rounds = LLVM_ADDRESS_SANITIZER_BUILD ? 20 : 80;
  for (int round = 0; round < rounds; ++round) {
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
  EXPECT_GT(recognised, rounds * 3 / 4);
}

TEST(NestRecogniserTest, FamiliesOfTheCatalogueThatAreNests) {
  for (const char *name : {"row-major",
                           "column-major",
                           "reverse",
                           "super-group",
                           "column-group",
                           "serpentine-group",
                           "tiles-2d",
                           "head-sections",
                           "xcd-balanced",
                           "xcd-chunked",
                           "xcd-identity-tail",
                           "xcd-balanced-super-group",
                           "xcd-balanced-column-group",
                           "xcd-balanced-serpentine",
                           "xcd-balanced-tiles-2d",
                           "xcd-chunked-super-group",
                           "xcd-chunked-column-group",
                           "split-k-outermost",
                           "xcd-rounds-identity-tail",
                           "xcd-rounds-super-group",
                           "head-sections-by-cache"}) {
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
  // Curves are lines on a grid of one row, and no nests elsewhere.
  for (const char *name : {"hilbert", "morton", "xcd-balanced-hilbert"}) {
    Formula formula =
        llvm::cantFail(readFormulaOption("@" + std::string(name)));
    EXPECT_FALSE(recognise(formula, environmentOf(unknown2)).isPermutation);
    EXPECT_TRUE(recognise(formula, environmentOf(unknown1)).isPermutation);
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

/// True if the formula is a permutation of every small grid of one row.
bool isLegalOnEveryRow(const Formula &formula, Environment environment) {
  for (int64_t gx = 1; gx <= 700; ++gx) {
    environment.grid = Grid(gx);
    if (!prove(formula, environment).legal())
      return false;
  }
  return true;
}

// Families are written for rows and columns; a grid of one row is the case in
// which the text asks for a row that the deal does not show to be 0.
TEST(NestRecogniserTest, AllFamiliesOnOneUnknownRow) {
  int legal = 0;
  for (const CatalogueEntry &entry : catalogue()) {
    Formula formula = parse(entry.text);
    for (int64_t dies : {1, 3, 8})
      for (uint64_t index : {uint64_t(0), formula.numCombinations() - 1}) {
        Environment environment =
            environmentOf(unknown1, dies, formula.combination(index));
        bool expected = isLegalOnEveryRow(formula, environment);
        NestRecognition found = recognise(formula, environment);
        EXPECT_EQ(found.isPermutation, expected)
            << entry.name << " on " << dies << " dies: " << found.reason;
        legal += expected;
      }
  }
  EXPECT_GT(legal, 100);
}

// What enumeration finds legal on a known row, the proof for rows that are too
// large for it finds legal as well.
TEST(NestRecogniserTest, AllFamiliesOnRowsBeyondEnumeration) {
  ProofOptions enumerating;
  enumerating.maxIds = int64_t(1) << 23;
  int legal = 0;
  for (int64_t gx : {(int64_t(1) << 22) + 1, int64_t(304) * 16384}) {
    for (const CatalogueEntry &entry : catalogue()) {
      Formula formula = parse(entry.text);
      Environment environment =
          environmentOf(Grid(gx), 8, formula.combination(0));
      Verdict oracle = prove(formula, environment, enumerating);
      Verdict verdict = prove(formula, environment);
      EXPECT_EQ(verdict.legal(), oracle.legal())
          << entry.name << " on " << gx << ": "
          << (verdict.refusal ? verdict.refusal->message : "");
      if (verdict.legal())
        EXPECT_EQ(verdict.proof->kind, ProofKind::Nest);
      legal += verdict.legal();
    }
  }
  EXPECT_GT(legal, 50);
}

// Whatever the number of rows turns out to be, x is permuted in each.
TEST(NestRecogniserTest, OneValueRenumbersEachRowOfAnUnknownGrid) {
  std::string deal = "q, r = gx // 8, gx % 8; d, j = x % 8, x // 8\n"
                     "return d*q + min(d, r) + j";
  for (std::string text :
       {deal, std::string("return x"), std::string("return gx - 1 - x"),
        std::string("return gx - 1 - x if y % 2 else x"),
        std::string("return gx - 1 - x if gy > 4 else x")}) {
    for (const Grid &grid : {unknown2, unknown3}) {
      Verdict verdict = prove(parse(text), environmentOf(grid));
      EXPECT_TRUE(verdict.legal())
          << text << ": " << (verdict.refusal ? verdict.refusal->message : "");
    }
    // As it is emitted: the row stays.
    expectPermutation(parse(text + ", y"), environmentOf(unknown3));
  }
  // A linear id is none of x alone.
  for (const char *text : {"return gx * gy - 1 - (y * gx + x)",
                           "return y * gx + x", "return (x + y) % gy",
                           "n = gx*gy; q, r = n // 8, n % 8\n"
                           "return x % 8 * q + min(x % 8, r) + x // 8"})
    for (const Grid &grid : {unknown2, unknown3})
      EXPECT_FALSE(prove(parse(text), environmentOf(grid)).legal()) << text;
  Verdict rows = prove(parse("return x"), environmentOf(Grid(-1, 4)));
  ASSERT_FALSE(rows.legal());
  EXPECT_EQ(rows.refusal->code, "wrong-rank");
}

TEST(NestRecogniserTest, NearRowsAreRefused) {
  const char *texts[] = {
      // the rest is lost
      "i = y*gx + x; q = gx*gy // 8; i = i % 8 * q + i // 8\n"
      "return i % gx, i // gx",
      // one beyond the row, and one row too many
      "n = gx*gy; q, r = n // 8, n % 8; d, j = x % 8, x // 8\n"
      "i = d*q + min(d, r) + j + 1\nreturn i % gx, i // gx",
      "n = gx*gy; q, r = n // 8, n % 8; d, j = x % 8, x // 8\n"
      "i = d*q + min(d, r) + j\nreturn i % gx, i // gx + 1",
      // a curve that is asked for a point beyond its end, or before its start
      "return hilbert_x(x + 1, gx, gy)", "return morton_x(x - 1, gx, gy)",
      "return hilbert_x(x, gx - 1, gy)",
      // its short side
      "return hilbert_y(x, gx, gy)", "return morton_x(x, gy, gx)"};
  for (const char *text : texts)
    EXPECT_FALSE(prove(parse(text), environmentOf(unknown1)).legal()) << text;
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
      "k = (-1 // gx) * gx * gx * 536870912\nreturn x + 0 * k, y",
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

#if !LLVM_ADDRESS_SANITIZER_BUILD // which takes a minute for it
TEST(NestRecogniserTest, GivesUpOnWhatTakesTooMuchAlgebra) {
  expectRefused(
      "i = x * gy + y; n = gx * gy; q, r = n // 4, n % 4\n"
      "d, j = i * 4, i // 4; i = d * q + r - max(r - d, 0) + j\n"
      "w = 5 * gx; g = i // w; h = min(gy - g * 5, 6); k = i % w; c = k // h\n"
      "return c, g * 5 % (h - 1 - k % h if c % 2 else k % h)",
      unknown3);
}
#endif

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
