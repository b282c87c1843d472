//===- Coalescer.h - The lines of one wave instruction ----------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Joins the bytes that the lanes of a wave touch to lines and sectors.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_SIMULATION_PROGRAM_COALESCER_H
#define SWIZZLE_LIB_SIMULATION_PROGRAM_COALESCER_H

#include "Machine/Cache.h"
#include "Program.h"

#include <algorithm>

namespace swizzle::simulation {

/// Collects the byte ranges of one wave instruction.
class Coalescer {
public:
  Coalescer(const Machine &machine, Pattern &pattern, AccessKind kind)
      : machine(machine), pattern(pattern), kind(kind) {}

  void add(int64_t from, int64_t bytes) {
    ranges.push_back({from, from + bytes});
  }

  /// Ends the instruction: appends its lines in ascending order.
  void flush() {
    if (ranges.empty())
      return;
    std::sort(ranges.begin(), ranges.end());
    int64_t line = machine.lineBytes, sector = machine.sectorBytes;
    bool first = true;
    int64_t current = 0;
    uint8_t touched = 0, covered = 0;
    auto emit = [&] {
      if (first)
        return;
      if (kind == AccessKind::Read)
        touched = widen(touched);
      pattern.line.push_back(static_cast<uint32_t>(current));
      pattern.sectors.push_back(
          static_cast<uint8_t>(touched | covered << kMaxSectors));
    };
    // Runs of bytes without a gap, in ascending order: so are their lines.
    for (size_t i = 0; i < ranges.size();) {
      auto [from, to] = ranges[i];
      for (++i; i < ranges.size() && ranges[i].first <= to; ++i)
        to = std::max(to, ranges[i].second);
      for (int64_t at = from / sector * sector; at < to; at += sector) {
        int64_t here = at / line;
        if (first || here != current) {
          emit();
          first = false;
          current = here;
          touched = covered = 0;
        }
        uint8_t bit = static_cast<uint8_t>(1u << ((at - here * line) / sector));
        touched |= bit;
        if (from <= at && to >= at + sector)
          covered |= bit;
      }
    }
    emit();
    ranges.clear();
  }

private:
  /// Sectors that the nearest cache fetches for these.
  uint8_t widen(uint8_t mask) const {
    int64_t group = machine.requestBytes / machine.sectorBytes;
    if (group <= 1)
      return mask;
    uint8_t wide = 0;
    unsigned all = (1u << group) - 1;
    for (int64_t at = 0; at < machine.lineBytes / machine.sectorBytes;
         at += group)
      if ((mask >> at) & all)
        wide |= static_cast<uint8_t>(all << at);
    return wide;
  }

  const Machine &machine;
  Pattern &pattern;
  AccessKind kind;
  std::vector<std::pair<int64_t, int64_t>> ranges;
};

} // namespace swizzle::simulation

#endif // SWIZZLE_LIB_SIMULATION_PROGRAM_COALESCER_H
