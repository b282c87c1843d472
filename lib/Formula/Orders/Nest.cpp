//===- Nest.cpp - Loop nests over the grid --------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a nest means. A position is decoded one loop at a time, outermost first:
// with T the tile of a loop and S the number of workgroups of one slice of what
// is left across its axis, the loop stands at step `position // (T * S)`, and
// `position % (T * S)` is left for the loops inside. Only the last piece of an
// axis may be short, so all pieces before the position have the full volume,
// and the division is exact. Each step is a bijection between positions and
// pairs (step, position inside the piece); hence so is the whole.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Formula/Orders/Nest.h"

#include <algorithm>
#include <cassert>

namespace swizzle {

namespace {

const char axisNames[] = {'x', 'y', 'z'};

/// Position of dispatch id `id` among `count`.
int64_t dealPosition(const LoopNest &nest, int64_t id, int64_t count,
                     int64_t numDies) {
  int64_t die = id % numDies, turn = id / numDies;
  switch (nest.deal) {
  case Deal::None:
    return id;
  case Deal::Contiguous:
    return die * (count / numDies) + std::min(die, count % numDies) + turn;
  case Deal::Chunked: {
    int64_t round = numDies * nest.chunk;
    if (id >= count / round * round)
      return id;
    return turn / nest.chunk * round + die * nest.chunk + turn % nest.chunk;
  }
  }
  return id;
}

/// Walks a nest loop by loop; the linear ids of positions 0 .. limit - 1.
class NestWalker {
public:
  NestWalker(const LoopNest &nest, const Grid &grid, int64_t limit)
      : nest(nest), stride{1, grid.x(), grid.x() * grid.y()}, limit(limit) {
    ids.reserve(limit);
    int64_t size[3] = {grid.x(), grid.y(), grid.z()};
    walk(0, 0, size, 0);
  }
  std::vector<uint32_t> ids;

private:
  void walk(size_t depth, int64_t base, const int64_t (&size)[3],
            int64_t outerStep) {
    const NestLevel &level = nest.levels[depth];
    int64_t extent = size[level.axis], tile = level.tile;
    int64_t steps = (extent + tile - 1) / tile;
    bool backwards = level.serpentine && outerStep % 2;
    bool innermost = depth + 1 == nest.levels.size();
    int64_t inner[3] = {size[0], size[1], size[2]};
    for (int64_t step = 0; step < steps && int64_t(ids.size()) < limit;
         ++step) {
      int64_t place = (backwards ? extent - 1 - step : step) * tile;
      int64_t id = base + place * stride[level.axis];
      if (innermost) {
        ids.push_back(id);
        continue;
      }
      inner[level.axis] = std::min(tile, extent - place);
      walk(depth + 1, id, inner, step);
    }
  }

  const LoopNest &nest;
  int64_t stride[3];
  int64_t limit;
};

} // namespace

LoopNest LoopNest::rowMajor() {
  LoopNest nest;
  nest.levels = {{2, 1, false}, {1, 1, false}, {0, 1, false}};
  return nest;
}

std::string LoopNest::verify() const {
  if (deal == Deal::Chunked && chunk < 1)
    return "a chunk of " + std::to_string(chunk) + " positions; at least 1";
  int64_t last[3] = {0, 0, 0};
  for (size_t i = 0; i < levels.size(); ++i) {
    const NestLevel &level = levels[i];
    if (level.axis > 2)
      return "axis " + std::to_string(level.axis) + "; 0, 1 and 2 exist";
    std::string axis(1, axisNames[level.axis]);
    if (level.tile < 1)
      return "a tile of " + std::to_string(level.tile) + " on axis " + axis;
    int64_t &outer = last[level.axis];
    if (outer && (level.tile >= outer || outer % level.tile))
      return "on axis " + axis + " a tile of " + std::to_string(level.tile) +
             " inside one of " + std::to_string(outer) +
             "; tiles shrink inwards, each dividing the one before";
    if (level.serpentine && (level.tile != 1 || i == 0))
      return "a serpentine loop on axis " + axis +
             (i == 0 ? " has no loop around it" : " has a tile other than 1");
    outer = level.tile;
  }
  for (unsigned axis = 0; axis < 3; ++axis)
    if (last[axis] != 1)
      return std::string("axis ") + axisNames[axis] +
             " does not end in a loop of tile 1";
  return {};
}

WorkgroupId LoopNest::evaluate(int64_t id, const Grid &grid,
                               int64_t numDies) const {
  assert(verify().empty() && grid.isStatic() && id >= 0 && id < grid.count());
  int64_t position = dealPosition(*this, id, grid.count(), numDies);
  int64_t start[3] = {0, 0, 0};
  int64_t size[3] = {grid.x(), grid.y(), grid.z()};
  int64_t outerStep = 0;
  for (const NestLevel &level : levels) {
    unsigned a = level.axis, b = (a + 1) % 3, c = (a + 2) % 3;
    int64_t volume = level.tile * size[b] * size[c];
    int64_t step = position / volume;
    position %= volume;
    int64_t place =
        level.serpentine && outerStep % 2 ? size[a] - 1 - step : step;
    start[a] += place * level.tile;
    size[a] = std::min(level.tile, size[a] - place * level.tile);
    outerStep = step;
  }
  return {start[0], start[1], start[2]};
}

std::vector<uint32_t> LoopNest::permutation(const Grid &grid, int64_t numDies,
                                            int64_t first,
                                            int64_t count) const {
  assert(verify().empty() && grid.isStatic() && first >= 0);
  int64_t total = grid.count();
  count = std::max<int64_t>(0, std::min(count, total - first));
  // Positions that are dealt to these ids; a deal may reach anywhere.
  int64_t reach = deal == Deal::None ? first + count : total;
  std::vector<uint32_t> ids(count);
  if (reach > 16 * count) { // walking that far costs more than decoding
    for (int64_t i = 0; i < count; ++i)
      ids[i] = linearise(evaluate(first + i, grid, numDies), grid);
    return ids;
  }
  std::vector<uint32_t> walked = NestWalker(*this, grid, reach).ids;
  for (int64_t i = 0; i < count; ++i)
    ids[i] = walked[dealPosition(*this, first + i, total, numDies)];
  return ids;
}

std::string LoopNest::describe() const {
  std::string text;
  if (deal == Deal::Contiguous)
    text = "deal contiguous; ";
  else if (deal == Deal::Chunked)
    text = "deal chunks of " + std::to_string(chunk) + "; ";
  bool first = true;
  for (size_t i = 0; i < levels.size(); ++i) {
    const NestLevel &level = levels[i];
    if (i == 0 && level.axis == 2 && level.tile == 1 && levels.size() > 1)
      continue; // z outermost is not written
    if (!first)
      text += ", ";
    first = false;
    text += axisNames[level.axis];
    if (level.tile != 1)
      text += "/" + std::to_string(level.tile);
    if (level.serpentine)
      text += " back and forth";
  }
  return text;
}

std::string LoopNest::explain() const {
  static constexpr const char *lines[] = {"column", "row", "layer"};
  std::string text;
  bool turns = false;
  for (size_t i = 0; i + 1 < levels.size(); ++i) {
    const NestLevel &level = levels[i];
    turns |= levels[i + 1].serpentine;
    if (i == 0 && level.axis == 2 && level.tile == 1 && levels.size() > 2)
      continue; // layer by layer goes without saying
    std::string line = lines[level.axis];
    text += text.empty() ? "" : ", ";
    if (level.tile == 1)
      text += line + " by " + line;
    else
      text += "in groups of " + std::to_string(level.tile) + " " + line + "s";
  }
  if (turns)
    text += ", back and forth";
  if (deal == Deal::Contiguous)
    text += "; each die a share in one piece";
  else if (deal == Deal::Chunked)
    text += "; dies take " + std::to_string(chunk) + " at a time";
  return text;
}

} // namespace swizzle
