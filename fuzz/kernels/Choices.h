//===- Choices.h - Where random kernels take their decisions ----*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stream of numbers, from a seed or from the bytes of a fuzzer. Where these
// run out, they are the seed of what follows, so that the first inputs of a
// fuzzer, of a few bytes, are whole kernels already. No distribution of the
// standard library is used: these differ between libraries, and a seed must
// name the same kernel everywhere.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_FUZZ_KERNELS_CHOICES_H
#define SWIZZLE_FUZZ_KERNELS_CHOICES_H

#include <cstddef>
#include <cstdint>

namespace swizzle::fuzz {

class Choices {
public:
  explicit Choices(uint64_t seed) : state(seed * 0x9E3779B97F4A7C15u + 1) {}
  Choices(const uint8_t *data, size_t size)
      : state(0xCBF29CE484222325u), data(data), left(size) {}

  /// A number of [low, high].
  int64_t draw(int64_t low, int64_t high) {
    return low + int64_t(next() % uint64_t(high - low + 1));
  }
  bool chance(int percent) { return draw(0, 99) >= 100 - percent; }

private:
  uint64_t next() {
    uint64_t value = 0;
    for (int i = 0; i < 2 && left; ++i, --left) {
      // FNV-1a.
      state = (state ^ *data) * 0x100000001B3u;
      value |= uint64_t(*data++) << 8 * i;
    }
    if (data && (left || value))
      return value;
    // splitmix64.
    uint64_t z = (state += 0x9E3779B97F4A7C15u);
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
  }

  uint64_t state;
  const uint8_t *data = nullptr;
  size_t left = 0;
};

} // namespace swizzle::fuzz

#endif // SWIZZLE_FUZZ_KERNELS_CHOICES_H
