//===- triangle_update.cu - Outgoing edges of triangles, summed by channel ---===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// out[i][j] = sum over k of a[i][k] * b[j][k], channel by channel, channels
// last, as models of proteins update their pairs. 32 channels, eight j and
// eight i a workgroup. Sizes: LENGTH, CHANNELS. Grid: CHANNELS / 32, LENGTH /
// 8, LENGTH / 8.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ __launch_bounds__(256) void
triangle_update(const float *__restrict__ a, const float *__restrict__ b,
                float *__restrict__ out) {
  constexpr size_t kRow = (size_t)LENGTH * CHANNELS;
  int channel = blockIdx.x * 32 + threadIdx.x;
  int j = blockIdx.y * 8 + threadIdx.y, i = blockIdx.z * 8;
  const float *fromA = a + i * kRow + channel;
  const float *fromB = b + j * kRow + channel;
  float sums[8] = {};
#pragma unroll 2
  for (int k = 0; k < LENGTH; ++k) {
    float value = fromB[k * CHANNELS];
#pragma unroll
    for (int r = 0; r < 8; ++r)
      sums[r] += fromA[r * kRow + k * CHANNELS] * value;
  }
#pragma unroll
  for (int r = 0; r < 8; ++r)
    out[((size_t)(i + r) * LENGTH + j) * CHANNELS + channel] = sums[r];
}
