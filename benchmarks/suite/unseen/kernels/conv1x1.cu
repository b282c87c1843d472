//===- conv1x1.cu - Pointwise convolution as a product, channels first ---===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// out[n][f][p] = sum over c of weights[f][c] in[n][c][p]. Tiles of 64 filters
// x 64 pixels x 16 channels in shared memory, 4 x 4 results a thread. Sizes:
// BATCH, C, F, PIXELS. Grid: PIXELS / 64, F / 64, BATCH.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ __launch_bounds__(256) void
conv1x1(const float *__restrict__ in, const float *__restrict__ weights,
        const float *__restrict__ bias, float *__restrict__ out) {
  __shared__ float tileW[16][65], tileIn[16][64];
  int thread = threadIdx.x, tx = thread % 16, ty = thread / 16;
  const float *image = in + (size_t)blockIdx.z * C * PIXELS + blockIdx.x * 64;
  const float *filters = weights + (size_t)blockIdx.y * 64 * C;
  float sums[4][4] = {};
  for (int c = 0; c < C; c += 16) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      tileW[thread % 16][thread / 16 + 16 * i] =
          filters[(size_t)(thread / 16 + 16 * i) * C + c + thread % 16];
      tileIn[thread / 64 + 4 * i][thread % 64] =
          image[(size_t)(c + thread / 64 + 4 * i) * PIXELS + thread % 64];
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < 16; ++j)
#pragma unroll
      for (int y = 0; y < 4; ++y)
#pragma unroll
        for (int x = 0; x < 4; ++x)
          sums[y][x] += tileW[j][ty * 4 + y] * tileIn[j][tx + 16 * x];
    __syncthreads();
  }
#pragma unroll
  for (int y = 0; y < 4; ++y) {
    int filter = blockIdx.y * 64 + ty * 4 + y;
    float *to = out + ((size_t)blockIdx.z * F + filter) * PIXELS + blockIdx.x * 64;
#pragma unroll
    for (int x = 0; x < 4; ++x)
      to[tx + 16 * x] = sums[y][x] + bias[filter];
  }
}
