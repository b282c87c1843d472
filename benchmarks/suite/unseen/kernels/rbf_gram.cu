//===- rbf_gram.cu - Matrix of a Gaussian kernel of two sets ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Squared distances summed directly, by coordinate, then exp(-d / 2). Tiles of
// 64 by 64, 16 coordinates at a time. Sizes: POINTS, CENTRES, DEPTH. Grid:
// CENTRES / 64, POINTS / 64.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

// exp(x) for x <= 0, of operations that every target has.
__device__ __forceinline__ float power(float x) {
  float y = 1.0f + fmaxf(x, -64.0f) / 256.0f;
  for (int i = 0; i < 8; ++i)
    y *= y;
  return y;
}

extern "C" __global__ __launch_bounds__(256) void
rbf_gram(const float *__restrict__ points, const float *__restrict__ centres,
         float *__restrict__ gram) {
  __shared__ float tileP[16][65], tileC[16][65];
  int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  size_t firstP = (size_t)blockIdx.y * 64, firstC = (size_t)blockIdx.x * 64;
  float sums[4][4] = {};
  for (int k = 0; k < DEPTH; k += 16) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      int row = ty + 16 * i;
      tileP[tx][row] = points[(firstP + row) * DEPTH + k + tx];
      tileC[tx][row] = centres[(firstC + row) * DEPTH + k + tx];
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < 16; ++j)
#pragma unroll
      for (int y = 0; y < 4; ++y)
#pragma unroll
        for (int x = 0; x < 4; ++x) {
          float d = tileP[j][ty + 16 * y] - tileC[j][tx + 16 * x];
          sums[y][x] += d * d;
        }
    __syncthreads();
  }
#pragma unroll
  for (int y = 0; y < 4; ++y)
#pragma unroll
    for (int x = 0; x < 4; ++x)
      gram[(firstP + ty + 16 * y) * CENTRES + firstC + tx + 16 * x] =
          power(-0.5f * sums[y][x]);
}
