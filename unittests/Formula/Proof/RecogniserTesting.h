//===- RecogniserTesting.h - What tests of the recogniser share -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Texts go in; what is accepted is checked by brute force on many grids.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_UNITTESTS_FORMULA_RECOGNISERTESTING_H
#define SWIZZLE_UNITTESTS_FORMULA_RECOGNISERTESTING_H

#include "Proof/NestRecogniser.h"
#include "swizzle/Formula/Proof/Proof.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <random>

namespace swizzle {

using namespace formula;

/// Extents are of `grid`; a chip of as many dies, with 38 units each.
inline Environment environmentOf(Grid grid, int64_t dies = 8,
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

inline const Grid unknown2(kUnknownExtent, kUnknownExtent, 1);
inline const Grid unknown3(kUnknownExtent, kUnknownExtent, kUnknownExtent);
inline const Grid unknown1(kUnknownExtent, 1, 1);

/// Brute force over all grids of the same rank with small extents and some
/// larger awkward ones.
inline void expectPermutation(const Formula &formula, Environment environment) {
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

inline Formula parse(llvm::StringRef text) {
  return llvm::cantFail(Formula::parse(text));
}

inline void expectNest(llvm::StringRef text, Grid grid,
                       llvm::StringRef description, ParamValues params = {},
                       int64_t dies = 8) {
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

inline void expectRefused(llvm::StringRef text, Grid grid,
                          ParamValues params = {}) {
  Verdict verdict = prove(parse(text), environmentOf(grid, 8, params));
  ASSERT_FALSE(verdict.legal()) << text.str();
  EXPECT_EQ(verdict.refusal->code, "not-a-nest");
  EXPECT_NE(verdict.refusal->message.find("loop nest"), std::string::npos);
}

/// Any nest over `rank` axes, dealt in any way.
inline LoopNest randomNest(std::mt19937 &random, unsigned rank) {
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

} // namespace swizzle

#endif // SWIZZLE_UNITTESTS_FORMULA_RECOGNISERTESTING_H
