//===- HotLines.h - A few lines that all workgroups use ---------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sample of lines says nothing about a table of two lines that every
// workgroup reads: it takes neither, or one that then counts for all of 64. So
// in a sample such a table is there many times, one copy behind the other, and
// each copy serves some of the slots for workgroups. The sample takes of the
// copies as it takes of all lines, and sees about as many accesses as it stands
// for:
//
//   slots        0 1 2 3 | 4 5 6 7 | 8 9 ...       table: lines a, b
//   lines        a   b   | a   b   | a   b         one in 4 is taken
//   taken            x     x             x
//
// What copies change: each is read from memory once, and workgroups on
// different copies share nothing; so there are no more of them than give a few
// lines to the sample.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_SIMULATION_PROGRAM_HOTLINES_H
#define SWIZZLE_LIB_SIMULATION_PROGRAM_HOTLINES_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <vector>

namespace swizzle::simulation {

struct Machine;

/// Lines of one buffer that accesses stay within which reach a few only.
struct HotTable {
  uint32_t lines = 0;
  /// Lines that nothing else uses, for copies.
  uint32_t room = 0, roomLines = 0;
};

/// Consecutive lines of a table.
struct HotRange {
  uint32_t table = 0;
  uint32_t first = 0; ///< its first line,
  uint32_t place = 0; ///< and how many lines of the table come before
};

/// More lines than this are sampled well without copies.
inline constexpr uint32_t kMostHotLines = 4 << 10;

/// Where each slot finds the hot lines, in a sample of one line in 2^shift.
class HotCopies {
public:
  HotCopies() = default; ///< nothing is copied
  HotCopies(llvm::ArrayRef<HotTable> tables, llvm::ArrayRef<HotRange> ranges,
            const Machine &machine, unsigned shift, size_t slots);

  /// What is added to the number of a line of range `range` for slot `slot`,
  /// modulo 2^32.
  uint32_t offset(size_t range, uint32_t slot) const {
    return offsets[range * slots + slot];
  }
  bool empty() const { return offsets.empty(); }

private:
  size_t slots = 0;
  std::vector<uint32_t> offsets; ///< by range and slot
};

} // namespace swizzle::simulation

#endif // SWIZZLE_LIB_SIMULATION_PROGRAM_HOTLINES_H
