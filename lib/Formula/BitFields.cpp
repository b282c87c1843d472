//===- BitFields.cpp - Maps that only move bits ---------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE.TXT for license information. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A linear map is a set of pairs (bit of an id, bit of the result). Pairs of
// one axis that move by the same distance are one shift and one mask,
// contiguous or not; the parts are put together with additions where they
// cannot overlap, so that ranges stay visible, and with exclusive ors where
// they can.
//
//===----------------------------------------------------------------------===//

#include "BitFields.h"

#include "llvm/Support/MathExtras.h"

namespace swizzle::lowering {

OpId emitBitFields(MachineBuilder &builder, const Grid &grid,
                   const NodeFacts &facts) {
  // For each axis and distance (positive: to the left), the bits of the axis
  // that move so.
  std::map<std::pair<unsigned, int>, int64_t> moves;
  // How often each bit of the result is written.
  int64_t once = 0, often = 0;
  unsigned linearBit = 0;
  for (unsigned axis = 0; axis < 3; ++axis) {
    unsigned axisBits = llvm::Log2_64(grid[axis]);
    for (unsigned bit = 0; bit < axisBits; ++bit, ++linearBit) {
      int64_t column = facts.columns[linearBit];
      often |= once & column;
      once |= column;
      for (unsigned to = 0; to < 63; ++to)
        if (column >> to & 1)
          moves[{axis, int(to) - int(bit)}] |= int64_t(1) << bit;
    }
  }

  bool disjoint = often == 0 && (facts.base & once) == 0 && facts.base >= 0;
  OpId result = builder.constant(facts.base);
  for (const auto &[move, mask] : moves) {
    auto [axis, distance] = move;
    OpId part = builder.id(axis, grid[axis]);
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

} // namespace swizzle::lowering
