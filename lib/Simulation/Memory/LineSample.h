//===- LineSample.h - Which lines are simulated -----------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sample takes one line of each aligned group of 2^shift (set sampling: R. E.
// Kessler et al., IEEE Transactions on Computers 1994; by a hash of the line:
// C. Waldspurger et al., SHARDS, FAST 2015). Which one differs from group to
// group, with a period that is a prime, so that a stride that is a power of two
// meets all places; and because there is a period, which lines of a pattern are
// taken is worked out once for each place in the period.
//
//   one line in 4:   lines  0 1 2 3 | 4 5 6 7 | 8 9 10 11 | ...
//                    taken      2   |     5   | 8         | ...
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_SIMULATION_MEMORY_LINESAMPLE_H
#define SWIZZLE_LIB_SIMULATION_MEMORY_LINESAMPLE_H

#include "Program/Program.h"

namespace swizzle::simulation {

class LineSample {
public:
  /// One line in 2^shift.
  explicit LineSample(unsigned shift);

  /// The entry of `SampledLines` that says which lines of `pattern`, with
  /// thread 0's at `baseLine`, are taken; 0: none. It is valid as long as what
  /// the pattern remembers. `kFull`: it remembers too much to add this one.
  uint64_t entry(const Pattern &pattern, uint32_t baseLine) const {
    SampledLines &known = pattern.sample;
    uint32_t place = ((baseLine >> shift) % kPeriod) << shift |
                     (baseLine & ((1u << shift) - 1));
    if (known.shift == shift) {
      uint16_t number = known.place[place];
      if (number == SampledLines::kNone)
        return 0;
      if (number != SampledLines::kUnknown)
        return known.entry[number - 1];
    }
    return find(pattern, baseLine, place);
  }

private:
  /// The lines of `pattern` that are taken, by their place in it.
  std::vector<uint16_t> linesOf(const Pattern &pattern,
                                uint32_t baseLine) const;

  /// Groups of lines after which the sample repeats: a prime.
  static constexpr uint32_t kPeriod = 251;

  uint64_t find(const Pattern &pattern, uint32_t baseLine,
                uint32_t place) const;

  unsigned shift;
  std::vector<uint16_t> taken; ///< the line that each group gives
};

} // namespace swizzle::simulation

#endif // SWIZZLE_LIB_SIMULATION_MEMORY_LINESAMPLE_H
