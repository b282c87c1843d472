//===- groupwise_cost.cu - Group-wise correlation volume of a stereo pair ---===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of eight channels a group: the mean product of the left image's features and
// the right image's, which lie a disparity to the left; nothing beyond the
// border. Sizes: GROUPS, DISPARITIES, HEIGHT, WIDTH. Grid: HEIGHT * WIDTH /
// 256, GROUPS, DISPARITIES.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ __launch_bounds__(256) void
groupwise_cost(const float *__restrict__ left, const float *__restrict__ right,
               float *__restrict__ volume) {
  constexpr int kPixels = HEIGHT * WIDTH;
  int pixel = blockIdx.x * 256 + threadIdx.x;
  int group = blockIdx.y, disparity = blockIdx.z;
  float sum = 0;
  if (pixel % WIDTH >= disparity) {
    const float *fromL = left + (size_t)group * 8 * kPixels + pixel;
    const float *fromR = right + (size_t)group * 8 * kPixels + pixel - disparity;
#pragma unroll
    for (int c = 0; c < 8; ++c)
      sum += fromL[c * kPixels] * fromR[c * kPixels];
  }
  volume[((size_t)group * DISPARITIES + disparity) * kPixels + pixel] =
      0.125f * sum;
}
