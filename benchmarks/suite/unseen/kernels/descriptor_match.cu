//===- descriptor_match.cu - Nearest of many descriptors, by brute force ---===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Descriptors of 128 numbers of length one, in fp16; the greatest product wins.
// 64 queries and 1024 of the base a workgroup, whose winners a second kernel
// compares. Sizes: QUERIES, BASE. Grid: BASE / 1024, QUERIES / 64.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ __launch_bounds__(256) void
descriptor_match(const _Float16 *__restrict__ queries,
                 const _Float16 *__restrict__ base, float *__restrict__ bests,
                 int *__restrict__ places) {
  __shared__ float tileQ[16][65], tileB[16][65], scores[64][17];
  __shared__ int owners[64][17];
  int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  size_t firstQ = (size_t)blockIdx.y * 64;
  float best[4] = {-65504.0f, -65504.0f, -65504.0f, -65504.0f};
  int place[4] = {};
  int start = blockIdx.x * 1024;
  for (int first = start; first < start + 1024; first += 64) {
    float sums[4][4] = {};
    for (int k = 0; k < 128; k += 16) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        int row = ty + 16 * i;
        tileQ[tx][row] = (float)queries[(firstQ + row) * 128 + k + tx];
        tileB[tx][row] = (float)base[(size_t)(first + row) * 128 + k + tx];
      }
      __syncthreads();
#pragma unroll
      for (int j = 0; j < 16; ++j)
#pragma unroll
        for (int y = 0; y < 4; ++y)
#pragma unroll
          for (int x = 0; x < 4; ++x)
            sums[y][x] += tileQ[j][ty + 16 * y] * tileB[j][tx + 16 * x];
      __syncthreads();
    }
#pragma unroll
    for (int y = 0; y < 4; ++y)
#pragma unroll
      for (int x = 0; x < 4; ++x)
        if (sums[y][x] > best[y]) {
          best[y] = sums[y][x];
          place[y] = first + tx + 16 * x;
        }
  }
#pragma unroll
  for (int y = 0; y < 4; ++y) {
    scores[ty + 16 * y][tx] = best[y];
    owners[ty + 16 * y][tx] = place[y];
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    int winner = 0;
    for (int i = 1; i < 16; ++i)
      winner = scores[threadIdx.x][i] > scores[threadIdx.x][winner] ? i : winner;
    size_t to = (size_t)blockIdx.x * QUERIES + firstQ + threadIdx.x;
    bests[to] = scores[threadIdx.x][winner];
    places[to] = owners[threadIdx.x][winner];
  }
}
