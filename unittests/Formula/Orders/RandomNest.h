//===- RandomNest.h - Loop nests that nobody chose ------------ -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each axis is split up to twice into tiles that need not divide anything, the
// loops interleave at random, and some walk back and forth.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_UNITTESTS_FORMULA_RANDOMNEST_H
#define SWIZZLE_UNITTESTS_FORMULA_RANDOMNEST_H

#include "swizzle/Formula/Orders/Nest.h"

#include <random>
#include <vector>

namespace swizzle {

inline LoopNest randomNest(std::mt19937 &random) {
  LoopNest nest;
  nest.deal = Deal(random() % 3);
  nest.chunk = 1 + random() % 9;
  std::vector<NestLevel> chains[3];
  for (unsigned axis = 0; axis < 3; ++axis) {
    chains[axis] = {{axis, 1, false}};
    int64_t tile = 1;
    for (unsigned splits = random() % 3; splits; --splits) {
      tile *= 2 + random() % 4;
      chains[axis].insert(chains[axis].begin(), {axis, tile, false});
    }
  }
  while (!chains[0].empty() || !chains[1].empty() || !chains[2].empty()) {
    auto &chain = chains[random() % 3];
    if (chain.empty())
      continue;
    nest.levels.push_back(chain.front());
    chain.erase(chain.begin());
    NestLevel &level = nest.levels.back();
    level.serpentine =
        level.tile == 1 && nest.levels.size() > 1 && random() % 4 == 0;
  }
  return nest;
}

} // namespace swizzle

#endif // SWIZZLE_UNITTESTS_FORMULA_RANDOMNEST_H
