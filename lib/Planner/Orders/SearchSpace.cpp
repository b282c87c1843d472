//===- SearchSpace.cpp - The orders that the planner considers ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything is derived from the grid and the number of dies: the loops of all
// axes in every order, pieces of 4, 16 and 64 to begin with, the three ways to
// deal. Neighbours double or halve a piece or a chunk, move a loop, add or drop
// a split, turn a loop back and forth, or deal in another way.
//
//===----------------------------------------------------------------------===//

#include "SearchSpace.h"
#include "FormulaText.h"

#include "swizzle/Formula/Proof/Proof.h"
#include "swizzle/Hardware/HardwareSpec.h"
#include "swizzle/Kernel/KernelModel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <utility>

namespace swizzle::planner {

namespace {

void setChunk(LoopNest &nest, int64_t chunk) {
  nest.deal = Deal::Chunked;
  nest.chunk = chunk;
}

} // namespace

SearchSpace::SearchSpace(const Grid &grid, int64_t numDies, bool curves)
    : grid(grid), dies(numDies), curves(curves) {
  for (unsigned axis = 0; axis < 3; ++axis)
    if (grid[axis] > 1)
      open.push_back(axis);
}

SearchSpace::SearchSpace(const KernelModel &model, const HardwareSpec &hardware)
    : SearchSpace(model.grid, hardware.numDies,
                  model.gridKnown == std::array<bool, 3>{true, true, true} &&
                      model.grid.count() <= ProofOptions().maxIds) {}

/// Loops of the axes that have nothing to walk.
std::vector<NestLevel> SearchSpace::outer() const {
  std::vector<NestLevel> levels;
  for (unsigned axis = 3; axis-- > 0;)
    if (grid[axis] <= 1)
      levels.push_back({axis, 1, false});
  return levels;
}

/// Leaves out what says the same as something simpler.
bool SearchSpace::isUseful(const LoopNest &nest) const {
  if (!nest.verify().empty() || nest.levels.size() > 8)
    return false;
  for (size_t i = 0; i + 1 < nest.levels.size(); ++i) {
    const NestLevel &level = nest.levels[i], &next = nest.levels[i + 1];
    if (level.axis == next.axis || level.tile >= grid[level.axis])
      if (level.tile != 1)
        return false;
  }
  return nest.deal != Deal::Chunked ||
         (nest.chunk > 1 && nest.chunk * dies <= grid.count());
}

std::vector<Order> SearchSpace::customary() const {
  std::vector<Order> orders;
  auto add = [&](std::vector<NestLevel> levels) {
    LoopNest nest;
    nest.levels = outer();
    nest.levels.insert(nest.levels.end(), levels.begin(), levels.end());
    if (!isUseful(nest))
      return;
    if (dies > 1) {
      nest.deal = Deal::Contiguous;
      orders.push_back({nest, CurveKind::None});
      nest.deal = Deal::None;
    }
    orders.push_back({nest, CurveKind::None});
  };
  std::vector<NestLevel> rows, columns;
  for (unsigned axis : open) {
    columns.push_back({axis, 1, false});
    rows.insert(rows.begin(), {axis, 1, false});
  }
  add(rows);
  if (open.size() == 2) {
    unsigned x = open[0], y = open[1];
    add({{y, 8, false}, {x, 1, false}, {y, 1, false}});
    add(columns);
  } else if (open.size() == 3) {
    add({{1, 16, false}, {2, 1, false}, {1, 1, false}, {0, 1, false}});
    add({{2, 1, false}, {1, 8, false}, {0, 1, false}, {1, 1, false}});
  }
  return orders;
}

std::vector<Order> SearchSpace::plain() const {
  std::vector<Order> orders;
  std::vector<unsigned> axes(open.rbegin(), open.rend());
  std::sort(axes.begin(), axes.end());
  do {
    LoopNest nest;
    nest.levels = outer();
    for (unsigned axis : axes)
      nest.levels.push_back({axis, 1, false});
    orders.push_back({nest, CurveKind::None});
    if (dies <= 1)
      continue;
    nest.deal = Deal::Contiguous;
    orders.push_back({nest, CurveKind::None});
  } while (std::next_permutation(axes.begin(), axes.end()));
  return orders;
}

std::vector<Order> SearchSpace::starts() const {
  std::vector<LoopNest> nests;
  std::vector<unsigned> axes(open.rbegin(), open.rend());
  std::sort(axes.begin(), axes.end());
  do {
    LoopNest plain;
    plain.levels = outer();
    for (unsigned axis : axes)
      plain.levels.push_back({axis, 1, false});
    nests.push_back(plain);
    // A piece of each axis, at each place outside of what lies between.
    for (size_t at = 0; at < axes.size(); ++at)
      for (size_t from = 0; from < at; ++from)
        for (int64_t tile : {4, 16, 64}) {
          LoopNest split = plain;
          split.levels.insert(split.levels.begin() + outer().size() + from,
                              {axes[at], tile, false});
          nests.push_back(split);
        }
  } while (std::next_permutation(axes.begin(), axes.end()));

  std::vector<Order> orders;
  auto add = [&](const LoopNest &nest, CurveKind curve) {
    if (isUseful(nest) || curve != CurveKind::None)
      orders.push_back({nest, curve});
  };
  auto addDealt = [&](LoopNest nest, CurveKind curve) {
    add(nest, curve);
    if (dies <= 1)
      return;
    nest.deal = Deal::Contiguous;
    add(nest, curve);
    for (int64_t chunk : {8, 64}) {
      setChunk(nest, chunk);
      if (nest.chunk * dies <= grid.count())
        add(nest, curve);
    }
  };
  for (const LoopNest &nest : nests)
    addDealt(nest, CurveKind::None);
  if (curves && open.size() == 2 && open[1] == 1)
    for (CurveKind curve : {CurveKind::Hilbert, CurveKind::Morton})
      addDealt(LoopNest::rowMajor(), curve);
  return orders;
}

/// The nest dealt in other ways, or in other chunks.
std::vector<LoopNest> SearchSpace::otherDeals(const LoopNest &nest) const {
  std::vector<LoopNest> nests;
  if (dies <= 1)
    return nests;
  LoopNest other = nest;
  for (Deal deal : {Deal::None, Deal::Contiguous})
    if (nest.deal != deal) {
      other = nest;
      other.deal = deal;
      other.chunk = 1;
      nests.push_back(other);
    }
  if (nest.deal == Deal::Chunked) {
    for (int64_t chunk :
         {nest.chunk * 2, nest.chunk * 3 / 2, nest.chunk / 2, nest.chunk * 4}) {
      other = nest;
      setChunk(other, chunk);
      nests.push_back(other);
    }
  } else {
    // One piece, one row of pieces, a residency.
    int64_t volume = 1;
    std::vector<int64_t> chunks{4, 32, 256};
    for (const NestLevel &level : llvm::reverse(nest.levels)) {
      volume *= level.tile > 1 ? level.tile : 1;
      chunks.push_back(volume);
      if (level.tile == 1 && level.axis == open.front())
        chunks.push_back(volume * grid[level.axis]);
    }
    for (int64_t chunk : chunks) {
      other = nest;
      setChunk(other, chunk);
      nests.push_back(other);
    }
  }
  return nests;
}

std::vector<Order> SearchSpace::neighbours(const Order &order) const {
  std::vector<Order> result;
  auto add = [&](const LoopNest &nest) {
    if (isUseful(nest))
      result.push_back({nest, order.curve, order.backwards});
  };
  const LoopNest &nest = order.nest;
  for (const LoopNest &other : otherDeals(nest))
    add(other);
  if (order.curve != CurveKind::None)
    return result;
  for (size_t i = 0; i < nest.levels.size(); ++i) {
    const NestLevel &level = nest.levels[i];
    if (grid[level.axis] <= 1)
      continue;
    LoopNest other = nest;
    if (level.tile > 1) {
      for (int64_t tile : {level.tile * 2, level.tile / 2, level.tile * 3 / 2,
                           level.tile * 3 / 4, level.tile + 1, level.tile - 1,
                           level.tile * 4}) {
        other = nest;
        other.levels[i].tile = tile;
        if (tile > 1)
          add(other);
      }
      other = nest;
      other.levels.erase(other.levels.begin() + i);
      add(other);
    } else {
      if (i > outer().size()) {
        other = nest;
        other.levels[i].serpentine = !level.serpentine;
        add(other);
      }
      // Another split of this axis, further out.
      for (size_t at = outer().size(); at < i; ++at)
        for (int64_t tile : {2, 4, 8, 16, 32}) {
          other = nest;
          other.levels.insert(other.levels.begin() + at,
                              {level.axis, tile, false});
          add(other);
        }
    }
    for (size_t k = i + 1; k < nest.levels.size(); ++k) {
      if (grid[nest.levels[k].axis] <= 1)
        continue;
      other = nest;
      std::swap(other.levels[i], other.levels[k]);
      other.levels[0].serpentine = false;
      add(other);
    }
  }
  return result;
}

std::vector<uint32_t> SearchSpace::tiles(const Order &order, int64_t first,
                                         int64_t count) const {
  if (order.backwards) {
    std::vector<uint32_t> result = tiles(turned(order), first, count);
    for (uint32_t &tile : result)
      tile = static_cast<uint32_t>(grid.count() - 1) - tile;
    return result;
  }
  if (order.curve == CurveKind::None)
    return order.nest.permutation(grid, dies, first, count);
  std::vector<uint32_t> result(count);
  Environment environment;
  environment.grid = grid;
  environment.hardware["num_xcds"] = dies;
  BoundFormula bound =
      llvm::cantFail(BoundFormula::bind(order.toFormula(grid), environment));
  llvm::cantFail(
      bound.evaluate(first, llvm::MutableArrayRef<uint32_t>(result)));
  return result;
}

std::string Order::describe() const {
  if (backwards)
    return SearchSpace::turned(*this).describe() + "; backwards";
  if (curve == CurveKind::None)
    return nest.describe();
  std::string text = nest.describe();
  size_t deal = text.find("; ");
  return (deal == std::string::npos ? "" : text.substr(0, deal + 2)) +
         (curve == CurveKind::Hilbert ? "Hilbert curve" : "Morton curve") +
         " over x and y";
}

std::string Order::shape() const {
  std::string shape(1, char('0' + int(nest.deal)));
  shape += char('0' + int(curve));
  shape += backwards ? '-' : '+';
  for (const NestLevel &level : nest.levels)
    shape += "xyzXYZ"[level.axis + (level.tile > 1 ? 3 : 0)];
  return shape;
}

std::string Order::walk() const {
  std::string walk(1, char('0' + int(curve)));
  for (const NestLevel &level : llvm::reverse(nest.levels))
    if (char axis = "xyz"[level.axis]; walk.find(axis) == std::string::npos)
      walk += axis;
  return walk;
}

int64_t Order::sizeOfPieces() const {
  int64_t size = 1;
  for (const NestLevel &level : nest.levels)
    size *= level.tile;
  return size;
}

/// The text of a formula with all axes mirrored, of which there are `rank`.
static std::string mirror(llvm::StringRef text, unsigned rank) {
  FormulaText parts = splitReturn(text);
  // Axes that are not returned stay as they are.
  for (unsigned axis = parts.results.size(); axis < rank; ++axis)
    parts.results.push_back(std::string(1, "xyz"[axis]));
  std::string mirrored;
  for (auto [axis, value] : llvm::enumerate(parts.results))
    mirrored += llvm::formatv("{0}g{1} - 1 - ({2})", axis ? ", " : "return ",
                              "xyz"[axis], value);
  return parts.before + mirrored + "\n";
}

Formula Order::toFormula(const Grid &grid) const {
  if (backwards)
    return llvm::cantFail(Formula::parse(
        mirror(SearchSpace::turned(*this).toFormula(grid).print(),
               rankOf(grid)),
        "backwards"));
  if (curve == CurveKind::None)
    return nest.toFormula(rankOf(grid));
  // The nest is row-major: its dealt position is the point on the curve.
  std::string text = "i = y * gx + x\n";
  if (nest.deal == Deal::Contiguous)
    text += "n = gx * gy\n"
            "q, r = n // num_xcds, n % num_xcds\n"
            "d, j = i % num_xcds, i // num_xcds\n"
            "i = d * q + min(d, r) + j\n";
  else if (nest.deal == Deal::Chunked) {
    std::string chunk = std::to_string(nest.chunk);
    text += "b = " + chunk + " * num_xcds\n" +
            "d, j = i % num_xcds, i // num_xcds\n" + "i = j // " + chunk +
            " * b + d * " + chunk + " + j % " + chunk +
            " if i < gx * gy // b * b else i\n";
  }
  std::string name = curve == CurveKind::Hilbert ? "hilbert" : "morton";
  text += "return " + name + "_x(i, gx, gy), " + name + "_y(i, gx, gy)\n";
  return llvm::cantFail(Formula::parse(text, "curve"));
}

} // namespace swizzle::planner
