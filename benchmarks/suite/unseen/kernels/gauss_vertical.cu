//===- gauss_vertical.cu - Vertical pass of a separable filter -----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Weights of 2 R + 1 rows, of which those outside are the nearest inside. A
// column a thread, four rows of it. Sizes: WIDTH, HEIGHT, PLANES, R. Grid:
// WIDTH / 256, HEIGHT / 4, PLANES.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ __launch_bounds__(256) void
gauss_vertical(const float *__restrict__ in, const float *__restrict__ weights,
               float *__restrict__ out) {
  int x = blockIdx.x * 256 + threadIdx.x, y = blockIdx.y * 4;
  size_t plane = (size_t)blockIdx.z * HEIGHT * WIDTH;
  float sums[4] = {};
#pragma unroll
  for (int i = -R; i < 4 + R; ++i) {
    int row = y + i < 0 ? 0 : y + i >= HEIGHT ? HEIGHT - 1 : y + i;
    float value = in[plane + (size_t)row * WIDTH + x];
#pragma unroll
    for (int j = 0; j < 4; ++j)
      if (i - j >= -R && i - j <= R)
        sums[j] += weights[i - j + R] * value;
  }
#pragma unroll
  for (int j = 0; j < 4; ++j)
    out[plane + (size_t)(y + j) * WIDTH + x] = sums[j];
}
