//===- moe_gated.cu - Gated projection of a mixture of experts -----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// silu(x W1) * (x W3) with the same number of tokens for each expert. Tiles of
// 64 tokens x 64 columns, 16 of the depth at a time. Sizes: EXPERTS, TOKENS
// (of an expert), DEPTH, COLUMNS. Grid: COLUMNS / 64 * (TOKENS / 64) *
// EXPERTS, columns first.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

// exp(x) of operations that every target has.
__device__ __forceinline__ float power(float x) {
  float y = 1.0f + (x > 64.0f ? 64.0f : fmaxf(x, -64.0f)) / 256.0f;
  for (int i = 0; i < 8; ++i)
    y *= y;
  return y;
}

extern "C" __global__ __launch_bounds__(256) void
moe_gated(const float *__restrict__ in, const float *__restrict__ gates,
          const float *__restrict__ ups, float *__restrict__ out) {
  __shared__ float tileIn[16][65], tileGate[16][64], tileUp[16][64];
  constexpr int kAcross = COLUMNS / 64, kDown = TOKENS / 64;
  int thread = threadIdx.x, tx = thread % 16, ty = thread / 16;
  int tileX = blockIdx.x % kAcross, tileY = blockIdx.x / kAcross % kDown;
  int expert = blockIdx.x / (kAcross * kDown);
  const float *rows = in + ((size_t)expert * TOKENS + tileY * 64) * DEPTH;
  size_t columns = (size_t)expert * DEPTH * COLUMNS + tileX * 64;
  float gate[4][4] = {}, up[4][4] = {};
  for (int k = 0; k < DEPTH; k += 16) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      tileIn[thread % 16][thread / 16 + 16 * i] =
          rows[(size_t)(thread / 16 + 16 * i) * DEPTH + k + thread % 16];
      int row = thread / 64 + 4 * i, column = thread % 64;
      size_t at = columns + (size_t)(k + row) * COLUMNS + column;
      tileGate[row][column] = gates[at];
      tileUp[row][column] = ups[at];
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < 16; ++j)
#pragma unroll
      for (int y = 0; y < 4; ++y)
#pragma unroll
        for (int x = 0; x < 4; ++x) {
          gate[y][x] += tileIn[j][ty * 4 + y] * tileGate[j][tx + 16 * x];
          up[y][x] += tileIn[j][ty * 4 + y] * tileUp[j][tx + 16 * x];
        }
    __syncthreads();
  }
#pragma unroll
  for (int y = 0; y < 4; ++y) {
    float *to = out +
                ((size_t)expert * TOKENS + tileY * 64 + ty * 4 + y) * COLUMNS +
                tileX * 64;
#pragma unroll
    for (int x = 0; x < 4; ++x)
      to[tx + 16 * x] =
          gate[y][x] / (1.0f + power(-gate[y][x])) * up[y][x];
  }
}
