//===- naive.cu - Products of which every thread makes one element --------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product in parts: 32 by 32 threads walk along a row of the left factor (one
// number for a wave at a time), a column of the right one (a line for a wave), or
// both. Tiles come in any order, with the same instructions in each: a coordinate
// of the tile is two fields of bits of the id. naive.py times them.
//
//===----------------------------------------------------------------------===//

#include "fields.h"

constexpr unsigned kSide = 4096, kLeft = 1, kRight = 2;

template <unsigned What>
__device__ static inline void element(const float *left, const float *right,
                                      float *out, unsigned row,
                                      unsigned column) {
  float sum = 0;
#pragma unroll 4
  for (unsigned k = 0; k < kSide; ++k)
    sum += (What & kLeft ? left[row * kSide + k] : 2.0f) *
           (What & kRight ? right[k * kSide + column] : 2.0f);
  out[row * kSide + column] = sum;
}

#define KERNEL(WHAT)                                                               \
  extern "C" __global__ __launch_bounds__(1024) void naive_##WHAT(                 \
      const float *left, const float *right, float *out, unsigned xLow,            \
      unsigned xBits, unsigned xHigh, unsigned yLow, unsigned yBits,               \
      unsigned yHigh) {                                                            \
    unsigned row = coordinate(xLow, xBits, xHigh, 7) * 32 + threadIdx.x / 32;         \
    unsigned column = coordinate(yLow, yBits, yHigh, 7) * 32 + threadIdx.x % 32;      \
    element<WHAT>(left, right, out, row, column);                                  \
  }

KERNEL(1)
KERNEL(2)
KERNEL(3)
