//===- gemm_int8.cu - Product of quantised matrices ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of both are numbers of eight bits along K, four in a word, with a scale
// a row; the results are fp32. Tiles of 64 x 64 x 32, 4 x 4 results a thread.
// Sizes: M, N, K. Grid: N / 64 * (M / 64), along N first.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

constexpr int kWords = K / 4;

__device__ __forceinline__ int dot(int a, int b, int sum) {
#pragma unroll
  for (int i = 0; i < 4; ++i)
    sum += (int)(signed char)(a >> (8 * i)) * (int)(signed char)(b >> (8 * i));
  return sum;
}

extern "C" __global__ __launch_bounds__(256) void
gemm_int8(const int *__restrict__ a, const int *__restrict__ b,
          const float *__restrict__ scalesA, const float *__restrict__ scalesB,
          float *__restrict__ c) {
  __shared__ int tileA[8][65], tileB[8][65];
  int tileX = blockIdx.x % (N / 64), tileY = blockIdx.x / (N / 64);
  int thread = threadIdx.x, tx = thread % 16, ty = thread / 16;
  int word = thread % 8, row = thread / 8;
  int sums[4][4] = {};
  for (int k = 0; k < kWords; k += 8) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      int at = row + 32 * i;
      tileA[word][at] = a[((size_t)tileY * 64 + at) * kWords + k + word];
      tileB[word][at] = b[((size_t)tileX * 64 + at) * kWords + k + word];
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < 8; ++j)
#pragma unroll
      for (int y = 0; y < 4; ++y)
#pragma unroll
        for (int x = 0; x < 4; ++x)
          sums[y][x] =
              dot(tileA[j][ty * 4 + y], tileB[j][tx + 16 * x], sums[y][x]);
    __syncthreads();
  }
#pragma unroll
  for (int y = 0; y < 4; ++y)
#pragma unroll
    for (int x = 0; x < 4; ++x) {
      int m = tileY * 64 + ty * 4 + y, n = tileX * 64 + tx + 16 * x;
      c[(size_t)m * N + n] = (float)sums[y][x] * scalesA[m] * scalesB[n];
    }
}
