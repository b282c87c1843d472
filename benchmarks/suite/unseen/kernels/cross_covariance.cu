//===- cross_covariance.cu - Covariances of two tall tables -------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Means are known. 64 columns of each table and 480 rows a workgroup, 16 rows
// at a time, whose sums are added up later. Sizes: ROWS, FIRST, SECOND. Grid:
// ROWS / 480, SECOND / 64, FIRST / 64.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ __launch_bounds__(256) void
cross_covariance(const float *__restrict__ first,
                 const float *__restrict__ second,
                 const float *__restrict__ firstMeans,
                 const float *__restrict__ secondMeans,
                 float *__restrict__ sums) {
  __shared__ float tileF[16][64], tileS[16][64];
  int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  int column = threadIdx.x % 64, row = threadIdx.x / 64;
  int columnF = blockIdx.z * 64 + column, columnS = blockIdx.y * 64 + column;
  float meanF = firstMeans[columnF], meanS = secondMeans[columnS];
  float mine[4][4] = {};
  for (int r = 0; r < 480; r += 16) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      size_t at = (size_t)blockIdx.x * 480 + r + row + 4 * i;
      tileF[row + 4 * i][column] = first[at * FIRST + columnF] - meanF;
      tileS[row + 4 * i][column] = second[at * SECOND + columnS] - meanS;
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < 16; ++j)
#pragma unroll
      for (int y = 0; y < 4; ++y)
#pragma unroll
        for (int x = 0; x < 4; ++x)
          mine[y][x] += tileF[j][ty + 16 * y] * tileS[j][tx + 16 * x];
    __syncthreads();
  }
  float *to = sums + ((size_t)blockIdx.x * FIRST + blockIdx.z * 64) * SECOND +
              blockIdx.y * 64;
#pragma unroll
  for (int y = 0; y < 4; ++y)
#pragma unroll
    for (int x = 0; x < 4; ++x)
      to[(size_t)(ty + 16 * y) * SECOND + tx + 16 * x] = mine[y][x];
}
