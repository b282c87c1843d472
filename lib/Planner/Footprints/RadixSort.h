//===- RadixSort.h - Sorting numbers of few bits ----------------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The coarse model sorts tens of thousands of uses for each of hundreds of
// orders. As numbers of some thirty bits they are in order after three passes,
// without a comparison, whose branch the host would mispredict (D. E. Knuth,
// The Art of Computer Programming, volume 3, section 5.2.5).
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_PLANNER_FOOTPRINTS_RADIXSORT_H
#define SWIZZLE_LIB_PLANNER_FOOTPRINTS_RADIXSORT_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace swizzle::planner {

/// Bits that hold every number up to `most`.
inline unsigned bitsFor(uint64_t most) {
  unsigned bits = 0;
  while (bits < 64 && most >> bits)
    ++bits;
  return bits;
}

/// Sorts `keys`, none of which has more than `bits` bits. `scratch` is
/// overwritten.
inline void radixSort(std::vector<uint64_t> &keys, unsigned bits,
                      std::vector<uint64_t> &scratch) {
  constexpr unsigned kDigit = 11;
  scratch.resize(keys.size());
  for (unsigned shift = 0; shift < bits; shift += kDigit) {
    std::array<uint32_t, 1 << kDigit> start{};
    auto digit = [shift](uint64_t key) {
      return key >> shift & ((1u << kDigit) - 1);
    };
    for (uint64_t key : keys)
      ++start[digit(key)];
    uint32_t sum = 0;
    for (uint32_t &place : start) {
      uint32_t count = place;
      place = sum;
      sum += count;
    }
    for (uint64_t key : keys)
      scratch[start[digit(key)]++] = key;
    keys.swap(scratch);
  }
}

} // namespace swizzle::planner

#endif // SWIZZLE_LIB_PLANNER_FOOTPRINTS_RADIXSORT_H
