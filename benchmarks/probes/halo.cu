//===- halo.cu - What neighbours cost that are read at the same moment ----===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A 7-point stencil in parts: tiles of 64 by 4 numbers are read, with or without their
// neighbours along x, y and z, and written or not. Workgroups come in any order, with
// the same instructions in each: a coordinate of the tile is two fields of bits of the
// id. halo.py times them.
//
//===----------------------------------------------------------------------===//

#include "fields.h"

constexpr size_t kRow = 4160, kPlane = size_t(4098) * kRow;
constexpr unsigned kAlongX = 1, kAlongY = 2, kAlongZ = 4, kWrites = 8;

__device__ static inline float read(const float *at) {
  float value;
  asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(value) : "l"(at));
  return value;
}

template <unsigned What>
__device__ static inline void tile(const float *in, float *out, unsigned xLow,
                                   unsigned yLow, unsigned yBits, unsigned yHigh,
                                   unsigned zLow, unsigned zBits, unsigned zHigh) {
  unsigned x = blockIdx.x >> xLow & 63;
  unsigned y = coordinate(yLow, yBits, yHigh, 10);
  unsigned z = coordinate(zLow, zBits, zHigh, 6);
  size_t at = (z + 1) * kPlane + (y * 4 + threadIdx.x / 64 + 1) * kRow + 32 +
              x * 64 + threadIdx.x % 64;
  float sum = read(in + at);
  if (What & kAlongX)
    sum += read(in + at - 1) + read(in + at + 1);
  if (What & kAlongY)
    sum += read(in + at - kRow) + read(in + at + kRow);
  if (What & kAlongZ)
    sum += read(in + at - kPlane) + read(in + at + kPlane);
  if (What & kWrites)
    asm volatile("st.global.f32 [%0], %1;" ::"l"(out + at), "f"(sum) : "memory");
  else if (sum == 1234.5f)
    out[0] = sum;
}

#define KERNEL(WHAT)                                                               \
  extern "C" __global__ __launch_bounds__(256) void halo_##WHAT(                   \
      const float *in, float *out, unsigned xLow, unsigned yLow, unsigned yBits,   \
      unsigned yHigh, unsigned zLow, unsigned zBits, unsigned zHigh) {             \
    tile<WHAT>(in, out, xLow, yLow, yBits, yHigh, zLow, zBits, zHigh);             \
  }
KERNEL(0)
KERNEL(1)
KERNEL(2)
KERNEL(4)
KERNEL(7)
KERNEL(8)
KERNEL(9)
KERNEL(10)
KERNEL(12)
KERNEL(15)
