//===- conv3d.cu - Direct convolution of volumes -------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 3 x 3 x 3, channels first, zeros outside. 32 x 8 points of a slice and eight
// filters a workgroup, a point a thread. Sizes: BATCH, C, F, WIDTH, HEIGHT,
// DEPTH. Grid: WIDTH / 32 * (HEIGHT / 8), DEPTH, BATCH * (F / 8).
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

constexpr size_t kSlice = (size_t)WIDTH * HEIGHT, kVolume = kSlice * DEPTH;

extern "C" __global__ __launch_bounds__(256) void
conv3d(const float *__restrict__ in, const float *__restrict__ weights,
       float *__restrict__ out) {
  int x = blockIdx.x % (WIDTH / 32) * 32 + threadIdx.x % 32;
  int y = blockIdx.x / (WIDTH / 32) * 8 + threadIdx.x / 32, z = blockIdx.y;
  int image = blockIdx.z / (F / 8), filter = blockIdx.z % (F / 8) * 8;
  float sums[8] = {};
  for (int c = 0; c < C; ++c) {
    const float *volume = in + ((size_t)image * C + c) * kVolume;
    for (int dz = 0; dz < 3; ++dz)
#pragma unroll
      for (int dy = 0; dy < 3; ++dy)
#pragma unroll
        for (int dx = 0; dx < 3; ++dx) {
          int fromX = x + dx - 1, fromY = y + dy - 1, fromZ = z + dz - 1;
          float value = 0;
          if (fromX >= 0 && fromX < WIDTH && fromY >= 0 && fromY < HEIGHT &&
              fromZ >= 0 && fromZ < DEPTH)
            value = volume[fromZ * kSlice + (size_t)fromY * WIDTH + fromX];
#pragma unroll
          for (int i = 0; i < 8; ++i)
            sums[i] += value *
                       weights[((filter + i) * C + c) * 27 + (dz * 3 + dy) * 3 + dx];
        }
  }
#pragma unroll
  for (int i = 0; i < 8; ++i)
    out[((size_t)image * F + filter + i) * kVolume + z * kSlice +
        (size_t)y * WIDTH + x] = sums[i];
}
