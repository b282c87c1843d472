//===- FootprintSearchTest.cpp - Tests of what is simulated first ---------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Planner/FootprintSearch.h"

#include "gtest/gtest.h"

using namespace swizzle;
using namespace swizzle::planner;

namespace {

Scored scored(std::vector<NestLevel> levels, double score) {
  Scored one;
  one.order.nest.levels = std::move(levels);
  one.score = score;
  one.name = one.order.describe();
  one.size = one.order.nest.levels.size();
  one.pieces = one.order.sizeOfPieces();
  return one;
}

constexpr NestLevel x{0, 1, false}, y{1, 1, false}, z{2, 1, false};
NestLevel by(NestLevel level, int64_t tile) {
  level.tile = tile;
  return level;
}

TEST(FootprintSearch, WalksAreToldByTheInnermostLoops) {
  EXPECT_EQ(scored({z, y, x}, 1).order.walk(), "0xyz");
  EXPECT_EQ(scored({by(z, 4), z, x, y}, 1).order.walk(), "0yxz");
  EXPECT_EQ(scored({z, by(x, 4), by(y, 2), y, x}, 1).order.walk(), "0xyz");
}

TEST(FootprintSearch, ThePlainestOfEachWalkComesFirst) {
  std::vector<Scored> all = {
      scored({by(y, 8), by(z, 2), z, y, x}, 1.0),
      scored({by(y, 8), z, y, x}, 1.005),
      scored({z, y, x}, 1.015), // plain, about as good
      scored({by(y, 8), y, x, z}, 1.1),
      scored({y, x, z}, 1.2), // plain, but not as good
      scored({x, z, y}, 1.3), // far from the best of all
  };
  std::vector<std::string> names;
  for (const planner::Order &order : bestOfShapes(all, 4))
    names.push_back(order.describe());
  // Then the best shapes, which are not named twice.
  EXPECT_EQ(names, (std::vector<std::string>{all[2].name, all[3].name,
                                             all[0].name, all[1].name}));
  EXPECT_EQ(bestOfShapes(all, 100).size(), all.size());
  EXPECT_TRUE(bestOfShapes({}, 4).empty());
}

} // namespace
