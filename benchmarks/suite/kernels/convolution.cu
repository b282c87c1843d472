//===- convolution.cu - Direct convolution --------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 3 x 3, channels last, fp32, with a border of one pixel. 128 filters and 8 x 4
// pixels a workgroup, a filter and 16 pixels a thread. Sizes: BATCH, H, W (pixels
// inside), C (channels), F (filters). Grid: F / 128, W / 8 * (H / 4), BATCH.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

constexpr size_t kRow = (size_t)(W + 2) * C, kImage = (H + 2) * kRow;

extern "C" __global__ __launch_bounds__(256) void
convolution(const float *__restrict__ in, const float *__restrict__ weights,
            float *__restrict__ out) {
  int filter = blockIdx.x * 128 + threadIdx.x % 128;
  int half = threadIdx.x / 128;
  int x = blockIdx.y % (W / 8) * 8, y = blockIdx.y / (W / 8) * 4 + half * 2;
  const float *image = in + blockIdx.z * kImage;
  float sums[2][8] = {};
  for (int dy = 0; dy < 3; ++dy)
    for (int dx = 0; dx < 3; ++dx)
      for (int c = 0; c < C; ++c) {
        float weight = weights[(size_t)((dy * 3 + dx) * C + c) * F + filter];
#pragma unroll
        for (int i = 0; i < 2; ++i)
#pragma unroll
          for (int j = 0; j < 8; ++j)
            sums[i][j] += weight * image[(y + i + dy) * kRow +
                                         (size_t)(x + j + dx) * C + c];
      }
#pragma unroll
  for (int i = 0; i < 2; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j)
      out[(((size_t)blockIdx.z * H + y + i) * W + x + j) * F + filter] =
          sums[i][j];
}
