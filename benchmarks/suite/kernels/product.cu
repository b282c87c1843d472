//===- product.cu - Product with tiles in registers -----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// fp32, tiles of 128 x 128 x 8, 8 x 8 results a thread, batches along z. Sizes: M,
// N, K, BATCH. Grid: N / 128, M / 128, BATCH.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ __launch_bounds__(256) void
product(const float *__restrict__ a, const float *__restrict__ b,
        float *__restrict__ c) {
  __shared__ float tileA[8][132], tileB[8][128];
  int thread = threadIdx.x, tx = thread % 16, ty = thread / 16;
  const float *rows = a + ((size_t)blockIdx.z * M + blockIdx.y * 128) * K;
  const float *columns = b + (size_t)blockIdx.z * K * N + blockIdx.x * 128;
  float sums[8][8] = {};
  for (int k = 0; k < K; k += 8) {
    for (int i = 0; i < 4; ++i) {
      tileA[thread % 8][thread / 8 + 32 * i] =
          rows[(size_t)(thread / 8 + 32 * i) * K + k + thread % 8];
      tileB[thread / 128 + 2 * i][thread % 128] =
          columns[(size_t)(k + thread / 128 + 2 * i) * N + thread % 128];
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < 8; ++j)
#pragma unroll
      for (int y = 0; y < 8; ++y)
#pragma unroll
        for (int x = 0; x < 8; ++x)
          sums[y][x] += tileA[j][ty * 8 + y] * tileB[j][tx + 16 * x];
    __syncthreads();
  }
  float *results = c +
                   ((size_t)blockIdx.z * M + blockIdx.y * 128 + ty * 8) * N +
                   blockIdx.x * 128;
#pragma unroll
  for (int y = 0; y < 8; ++y)
#pragma unroll
    for (int x = 0; x < 8; ++x)
      results[(size_t)y * N + tx + 16 * x] = sums[y][x];
}
