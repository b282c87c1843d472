//===- BitFields.cpp - Maps that only move bits ---------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A linear map is a set of pairs (bit of an id, bit of the result). Pairs of
// one axis that move by the same distance are one shift and one mask,
// contiguous or not; the parts are put together with additions where they
// cannot overlap, so that ranges stay visible, and with exclusive ors where
// they can.
//
//   2 x 2 blocks of a 4 x 4 grid, i = y * 4 + x, as bits y1 y0 x1 x0:
//   new x = y0' x0 with y0' = bit 2 of i moved down by 1, and so on:
//   return ((i & 4) >> 1) | (i & 1), ((i & 8) >> 2) | ((i & 2) >> 1)
//
//===----------------------------------------------------------------------===//

#include "BitFields.h"

#include "llvm/Support/MathExtras.h"

namespace swizzle::formula {

namespace {

/// Distance (positive: to the left) and bits of one axis that move by it.
using Moves = std::map<int, int64_t>;

/// Each distance by itself: a shift and a mask.
OpId emitApart(MachineBuilder &builder, OpId axis, const Moves &moves,
               bool disjoint) {
  OpId result = builder.constant(0);
  for (auto [distance, mask] : moves) {
    OpId part = axis;
    if (distance >= 0) {
      part = builder.bitAnd(part, builder.constant(mask));
      part = builder.shl(part, builder.constant(distance));
    } else {
      part = builder.shr(part, builder.constant(-distance));
      part = builder.bitAnd(part, builder.constant(mask >> -distance));
    }
    result =
        disjoint ? builder.add(part, result) : builder.bitXor(part, result);
  }
  return result;
}

/// How to move by several distances at once: a product lays copies of the axis
/// side by side, a shift and a mask pick the bits.
struct Product {
  int64_t premask = 0; ///< 0: none is needed
  int64_t factor = 0;
  int shift = 0;
  int64_t mask = 0;

  unsigned cost() const { return 2 + (premask != 0) + (shift != 0); }
};

/// nullopt if copies would overlap, or leave 32 bits.
std::optional<Product> findProduct(const Moves &moves, int64_t all) {
  int lowest = std::min(moves.begin()->first, 0);
  Product result;
  result.shift = -lowest;
  int64_t used = 0;
  for (auto [distance, mask] : moves) {
    used |= mask;
    result.factor |= int64_t(1) << (distance - lowest);
    result.mask |= distance >= 0 ? mask << distance : mask >> -distance;
  }
  auto copiesOverlap = [&](int64_t source) {
    int64_t laid = 0;
    for (auto [distance, mask] : moves) {
      int64_t copy = source << (distance - lowest);
      if ((laid & copy) || copy > int64_t(UINT32_MAX))
        return true;
      laid |= copy;
    }
    return false;
  };
  if (!copiesOverlap(all))
    return result;
  result.premask = used;
  if (copiesOverlap(used))
    return std::nullopt;
  return result;
}

/// Operations that `emitApart` takes: shift, mask and sum for each distance. A
/// field that is moved down to bit 0 is one operation on most machines.
unsigned costApart(const Moves &moves, int64_t all) {
  unsigned cost = moves.empty() ? 0 : moves.size() - 1;
  for (auto [distance, mask] : moves) {
    int64_t kept = distance < 0 ? all >> -distance << -distance : all;
    bool isField = distance < 0 && llvm::isMask_64(mask >> -distance);
    cost += isField ? 1 : (distance != 0) + (mask != kept);
  }
  return cost;
}

OpId emitProduct(MachineBuilder &builder, OpId axis, const Product &product) {
  if (product.premask)
    axis = builder.bitAnd(axis, builder.constant(product.premask));
  OpId copies = builder.mul(axis, builder.constant(product.factor));
  copies = builder.shr(copies, builder.constant(product.shift));
  return builder.bitAnd(copies, builder.constant(product.mask));
}

/// The moves of one axis, disjoint: the best set of distances in one product,
/// the others apart.
OpId emitMoves(MachineBuilder &builder, OpId axis, int64_t all,
               const Moves &moves) {
  std::vector<std::pair<int, int64_t>> list(moves.begin(), moves.end());
  unsigned best = costApart(moves, all);
  std::optional<Product> product;
  Moves apart = moves;
  constexpr size_t maxDistances = 8;
  for (unsigned chosen = 0;
       list.size() <= maxDistances && chosen < (1u << list.size()); ++chosen) {
    if (llvm::popcount(chosen) < 2)
      continue;
    Moves inside, outside;
    for (size_t i = 0; i < list.size(); ++i)
      (chosen >> i & 1 ? inside : outside).insert(list[i]);
    std::optional<Product> candidate = findProduct(inside, all);
    if (!candidate)
      continue;
    unsigned cost =
        candidate->cost() + costApart(outside, all) + !outside.empty();
    if (cost >= best)
      continue;
    best = cost;
    product = candidate;
    apart = outside;
  }
  OpId result = emitApart(builder, axis, apart, /*disjoint=*/true);
  return product ? builder.add(emitProduct(builder, axis, *product), result)
                 : result;
}

} // namespace

OpId emitBitFields(MachineBuilder &builder, const Grid &grid,
                   const NodeFacts &facts) {
  Moves moves[3];
  int64_t once = 0, often = 0; // bits of the result that are written
  unsigned linearBit = 0;
  for (unsigned axis = 0; axis < 3; ++axis) {
    unsigned axisBits = llvm::Log2_64(grid[axis]);
    for (unsigned bit = 0; bit < axisBits; ++bit, ++linearBit) {
      int64_t column = facts.columns[linearBit];
      often |= once & column;
      once |= column;
      for (unsigned to = 0; to < 63; ++to)
        if (column >> to & 1)
          moves[axis][int(to) - int(bit)] |= int64_t(1) << bit;
    }
  }

  bool disjoint = often == 0 && (facts.base & once) == 0 && facts.base >= 0;
  OpId result = builder.constant(facts.base);
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (moves[axis].empty())
      continue;
    OpId id = builder.id(axis, grid[axis]);
    int64_t all = grid[axis] - 1;
    OpId part = disjoint ? emitMoves(builder, id, all, moves[axis])
                         : emitApart(builder, id, moves[axis], disjoint);
    result =
        disjoint ? builder.add(part, result) : builder.bitXor(part, result);
  }
  return result;
}

} // namespace swizzle::formula
