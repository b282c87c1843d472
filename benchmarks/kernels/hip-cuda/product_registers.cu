//===- product_registers.cu - A product of 8 x 8 results a thread --------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// c = a * b of 4096 x 4096, tiles of 128 x 128, 16 x 16 threads with 64 sums each in
// registers. Grid: 32 x 32.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

constexpr int kSize = 4096;

extern "C" __global__ __launch_bounds__(256) void
product_registers(const float *__restrict__ a, const float *__restrict__ b,
                  float *__restrict__ c) {
  __shared__ float tileA[8][128], tileB[8][128];
  int thread = threadIdx.x, tx = thread % 16, ty = thread / 16;
  const float *rows = a + (size_t)blockIdx.y * 128 * kSize;
  const float *columns = b + blockIdx.x * 128;
  float sums[8][8] = {};
  for (int k = 0; k < kSize; k += 8) {
    for (int i = 0; i < 4; ++i) {
      tileA[thread % 8][thread / 8 + 32 * i] =
          rows[(size_t)(thread / 8 + 32 * i) * kSize + k + thread % 8];
      tileB[thread / 128 + 2 * i][thread % 128] =
          columns[(size_t)(k + thread / 128 + 2 * i) * kSize + thread % 128];
    }
    __syncthreads();
    for (int j = 0; j < 8; ++j)
      for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 8; ++x)
          sums[y][x] += tileA[j][ty * 8 + y] * tileB[j][tx * 8 + x];
    __syncthreads();
  }
  float *results = c + (size_t)(blockIdx.y * 128 + ty * 8) * kSize +
                   blockIdx.x * 128 + tx * 8;
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x)
      results[(size_t)y * kSize + x] = sums[y][x];
}
