//===- LineSample.h - Which lines are simulated -----------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sample takes one line of each aligned group of 2^shift. Which one differs
// from group to group, with a period that is no power of two, so that strides
// do not meet the sample in step; and because there is a period, which lines of
// a pattern are taken is worked out once for each place in the period.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_SIMULATION_LINESAMPLE_H
#define SWIZZLE_LIB_SIMULATION_LINESAMPLE_H

#include "Program.h"

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
  /// Groups of lines after which the sample repeats: a prime.
  static constexpr uint32_t kPeriod = 251;

  uint64_t find(const Pattern &pattern, uint32_t baseLine,
                uint32_t place) const;

  unsigned shift;
  std::vector<uint16_t> taken; ///< the line that each group gives
};

} // namespace swizzle::simulation

#endif // SWIZZLE_LIB_SIMULATION_LINESAMPLE_H
