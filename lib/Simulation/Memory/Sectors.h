//===- Sectors.h - Masks of the sectors of a line ---------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A line has at most four sectors; which of them are meant is a mask, and what
// is asked of masks is looked up in tables.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_SIMULATION_MEMORY_SECTORS_H
#define SWIZZLE_LIB_SIMULATION_MEMORY_SECTORS_H

#include "Machine/Cache.h"

#include <array>
#include <cstdint>

namespace swizzle::simulation {

/// Sectors in a mask of them.
constexpr std::array<uint8_t, 1 << kMaxSectors> makePopulation() {
  std::array<uint8_t, 1 << kMaxSectors> table{};
  for (unsigned i = 1; i < table.size(); ++i)
    table[i] = static_cast<uint8_t>(table[i / 2] + i % 2);
  return table;
}
inline constexpr std::array<uint8_t, 1 << kMaxSectors> kPopulation =
    makePopulation();

/// For each mask of sectors, the mask of all groups of `group` sectors that it
/// touches: 0b0001 to 0b0011 where two are fetched together.
using SectorMasks = std::array<uint8_t, 1 << kMaxSectors>;
inline SectorMasks widenMasks(unsigned group) {
  SectorMasks masks{};
  for (unsigned mask = 0; mask < masks.size(); ++mask) {
    unsigned wide = 0, all = (1u << group) - 1;
    for (unsigned at = 0; at < kMaxSectors; at += group)
      if (mask >> at & all)
        wide |= all << at;
    masks[mask] = static_cast<uint8_t>(wide);
  }
  return masks;
}

} // namespace swizzle::simulation

#endif // SWIZZLE_LIB_SIMULATION_MEMORY_SECTORS_H
