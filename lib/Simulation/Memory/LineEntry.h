//===- LineEntry.h - A line on its way through the levels -------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One word, which the host stores and loads as such:
//
//   hash (32 bits) | sectors (8) | slot of the workgroup (20) | hot | waves (3)
//
// Sectors are as in a pattern; of a read that passed the first level those that
// it did not have. Waves of a workgroup that read the same line find it in the
// first level once the first one has asked for it, and wait as long: how many
// these are, on average over the lines of an access, goes along with each. What
// hot lines meet does not decide when a workgroup goes on (HotLines.h).
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_SIMULATION_MEMORY_LINEENTRY_H
#define SWIZZLE_LIB_SIMULATION_MEMORY_LINEENTRY_H

#include "Machine/Cache.h"

#include <algorithm>
#include <cstdint>

namespace swizzle::simulation {

/// How many waves wait for a line, as a power of two: 0 if none does, n + 1 for
/// 2^n.
using WaveCode = uint8_t;
inline constexpr unsigned kWaveBits = 3, kSlotBits = 20;

/// The code of `waves`, rounded down.
inline WaveCode codeOfWaves(size_t waves) {
  WaveCode code = 0;
  for (; waves; waves >>= 1)
    ++code;
  return std::min<WaveCode>(code, (1u << kWaveBits) - 1);
}

/// The inverse, of what is left of them.
inline uint32_t wavesOf(WaveCode code) { return (1u << code) >> 1; }

class LineEntry {
public:
  LineEntry() = default;
  LineEntry(uint32_t hash, uint8_t sectors, uint32_t slot, bool isHot,
            WaveCode waves)
      : word(hash | uint64_t(sectors) << 32 | uint64_t(slot) << 40 |
             uint64_t(isHot) << kHotBit | uint64_t(waves) << (kHotBit + 1)) {}
  uint32_t hash() const { return static_cast<uint32_t>(word); }
  uint8_t touched() const { return word >> 32 & kSectorMask; }
  uint8_t covered() const { return word >> (32 + kMaxSectors) & kSectorMask; }
  uint32_t slot() const { return word >> 40 & ((1u << kSlotBits) - 1); }
  bool isHot() const { return word >> kHotBit & 1; }
  /// Waves that wait for it.
  uint32_t waiting() const { return wavesOf(word >> (kHotBit + 1)); }
  /// Waves that it stands for: one at least, whether or not it waits.
  uint32_t waves() const { return std::max(1u, waiting()); }

  /// The same line with only these of its sectors.
  LineEntry with(uint8_t sectors) const {
    LineEntry entry = *this;
    entry.word = (word & ~(uint64_t(255) << 32)) | uint64_t(sectors) << 32;
    return entry;
  }

private:
  static constexpr unsigned kHotBit = 40 + kSlotBits;
  static_assert(kHotBit + 1 + kWaveBits == 64);

  uint64_t word = 0;
};

} // namespace swizzle::simulation

#endif // SWIZZLE_LIB_SIMULATION_MEMORY_LINEENTRY_H
