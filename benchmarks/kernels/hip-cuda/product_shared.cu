//===- product_shared.cu - A product in tiles of 32 x 32 -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// c = a * b, row-major, n columns each; every workgroup stages tiles of both
// factors in workgroup memory. Grid: columns / 32 by rows / 32, block 32 x 8.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ __launch_bounds__(256) void
product_shared(const float *__restrict__ a, const float *__restrict__ b,
               float *__restrict__ c, int n) {
  __shared__ float tileA[32][33], tileB[32][33];
  int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
  float sums[4] = {};
  for (int k = 0; k < n; k += 32) {
    for (int i = 0; i < 4; ++i) {
      tileA[threadIdx.y + 8 * i][threadIdx.x] =
          a[(size_t)(row + 8 * i) * n + k + threadIdx.x];
      tileB[threadIdx.y + 8 * i][threadIdx.x] =
          b[(size_t)(k + threadIdx.y + 8 * i) * n + column];
    }
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      for (int i = 0; i < 4; ++i)
        sums[i] += tileA[threadIdx.y + 8 * i][j] * tileB[j][threadIdx.x];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    c[(size_t)(row + 8 * i) * n + column] = sums[i];
}
