//===- OrderPlaces.cpp - When an order comes to a tile --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See OrderPlaces.h.
//
//===----------------------------------------------------------------------===//

#include "OrderPlaces.h"

#include <algorithm>

namespace swizzle::planner {

int64_t undeal(const LoopNest &nest, int64_t position, int64_t count,
               int64_t dies) {
  if (nest.deal == Deal::None || dies <= 1)
    return position;
  if (nest.deal == Deal::Contiguous) {
    int64_t q = count / dies, r = count % dies;
    int64_t die = position < r * (q + 1)
                      ? position / (q + 1)
                      : r + (position - r * (q + 1)) / std::max<int64_t>(1, q);
    int64_t j = position - (die * q + std::min(die, r));
    return j * dies + die;
  }
  int64_t round = nest.chunk * dies;
  if (position >= count / round * round)
    return position;
  int64_t block = position / round, within = position % round;
  return (block * nest.chunk + within % nest.chunk) * dies +
         within / nest.chunk;
}

int64_t positionOf(const LoopNest &nest, const Grid &grid, WorkgroupId id) {
  int64_t at[3] = {id.x, id.y, id.z};
  int64_t size[3] = {grid.x(), grid.y(), grid.z()};
  int64_t position = 0, outerStep = 0;
  for (const NestLevel &level : nest.levels) {
    unsigned a = level.axis, b = (a + 1) % 3, c = (a + 2) % 3;
    int64_t place = level.tile == 1 ? at[a] : at[a] / level.tile;
    int64_t step =
        level.serpentine && outerStep % 2 ? size[a] - 1 - place : place;
    position += step * level.tile * size[b] * size[c];
    at[a] -= place * level.tile;
    size[a] = std::min(level.tile, size[a] - place * level.tile);
    outerStep = step;
  }
  return position;
}

} // namespace swizzle::planner
