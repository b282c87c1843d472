//===- raft_correlation.cu - Correlation volume of optical flow ----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As RAFT does it (arXiv 2003.12039): the product of each pixel's features in
// one frame with each pixel's in the other, divided by the root of their
// number. Features are channels first. Tiles of 64 x 64 pixels, 16 features at
// a time. Sizes: BATCH, FEATURES, PIXELS. Grid: PIXELS / 64 (second frame),
// PIXELS / 64 (first frame), BATCH.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ __launch_bounds__(256) void
raft_correlation(const float *__restrict__ first,
                 const float *__restrict__ second,
                 float *__restrict__ volume) {
  __shared__ float tile1[16][64], tile2[16][64];
  int thread = threadIdx.x, tx = thread % 16, ty = thread / 16;
  int row = thread / 64, column = thread % 64;
  size_t frame = (size_t)blockIdx.z * FEATURES * PIXELS;
  const float *from1 = first + frame + blockIdx.y * 64 + column;
  const float *from2 = second + frame + blockIdx.x * 64 + column;
  float sums[4][4] = {};
  for (int d = 0; d < FEATURES; d += 16) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      tile1[row + 4 * i][column] = from1[(size_t)(d + row + 4 * i) * PIXELS];
      tile2[row + 4 * i][column] = from2[(size_t)(d + row + 4 * i) * PIXELS];
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < 16; ++j)
#pragma unroll
      for (int y = 0; y < 4; ++y)
#pragma unroll
        for (int x = 0; x < 4; ++x)
          sums[y][x] += tile1[j][ty * 4 + y] * tile2[j][tx + 16 * x];
    __syncthreads();
  }
  float scale = rsqrtf((float)FEATURES);
#pragma unroll
  for (int y = 0; y < 4; ++y) {
    float *to = volume +
                ((size_t)blockIdx.z * PIXELS + blockIdx.y * 64 + ty * 4 + y) *
                    PIXELS +
                blockIdx.x * 64;
#pragma unroll
    for (int x = 0; x < 4; ++x)
      to[tx + 16 * x] = sums[y][x] * scale;
  }
}
