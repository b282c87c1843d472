//===- syrk_lower.cu - Symmetric update of rank K, lower triangle --------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C = 0.5 C + A A^T. Tiles of 64 x 64 x 16, 4 x 4 results a thread; workgroups
// above the diagonal return at once. Sizes: N, K. Grid: N / 64, N / 64.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ __launch_bounds__(256) void
syrk_lower(const float *__restrict__ a, float *__restrict__ c) {
  __shared__ float tileRow[16][65], tileColumn[16][65];
  if (blockIdx.x > blockIdx.y)
    return;
  int thread = threadIdx.x, tx = thread % 16, ty = thread / 16;
  const float *rows = a + (size_t)blockIdx.y * 64 * K;
  const float *columns = a + (size_t)blockIdx.x * 64 * K;
  float sums[4][4] = {};
  for (int k = 0; k < K; k += 16) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      size_t at = (size_t)(ty + 16 * i) * K + k + tx;
      tileRow[tx][ty + 16 * i] = rows[at];
      tileColumn[tx][ty + 16 * i] = columns[at];
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < 16; ++j)
#pragma unroll
      for (int y = 0; y < 4; ++y)
#pragma unroll
        for (int x = 0; x < 4; ++x)
          sums[y][x] += tileRow[j][ty * 4 + y] * tileColumn[j][tx + 16 * x];
    __syncthreads();
  }
#pragma unroll
  for (int y = 0; y < 4; ++y)
#pragma unroll
    for (int x = 0; x < 4; ++x) {
      int row = blockIdx.y * 64 + ty * 4 + y;
      int column = blockIdx.x * 64 + tx + 16 * x;
      if (column <= row) {
        size_t at = (size_t)row * N + column;
        c[at] = 0.5f * c[at] + sums[y][x];
      }
    }
}
