//===- dwconv_nhwc.cu - Depthwise convolution, channels last -------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 3 x 3, one filter a channel, with a border of one pixel. 64 channels and 16
// pixels of a row a workgroup, four pixels a thread. Sizes: BATCH, H, W
// (pixels inside), C. Grid: C / 64, W / 16 * H, BATCH.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

constexpr size_t kRow = (size_t)(W + 2) * C, kImage = (H + 2) * kRow;

extern "C" __global__ __launch_bounds__(256) void
dwconv_nhwc(const float *__restrict__ in, const float *__restrict__ weights,
            float *__restrict__ out) {
  int c = blockIdx.x * 64 + threadIdx.x;
  int x = blockIdx.y % (W / 16) * 16 + threadIdx.y * 4, y = blockIdx.y / (W / 16);
  const float *from = in + blockIdx.z * kImage + y * kRow + (size_t)x * C + c;
  float sums[4] = {};
#pragma unroll
  for (int dy = 0; dy < 3; ++dy) {
    float values[6];
#pragma unroll
    for (int i = 0; i < 6; ++i)
      values[i] = from[dy * kRow + i * C];
#pragma unroll
    for (int dx = 0; dx < 3; ++dx) {
      float weight = weights[(dy * 3 + dx) * C + c];
#pragma unroll
      for (int i = 0; i < 4; ++i)
        sums[i] += weight * values[i + dx];
    }
  }
  float *to = out + (((size_t)blockIdx.z * H + y) * W + x) * C + c;
#pragma unroll
  for (int i = 0; i < 4; ++i)
    to[i * C] = fmaxf(sums[i], 0.0f);
}
