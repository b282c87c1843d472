//===- wavelet_depth.cu - A level of the 9/7 wavelet through depth ------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nine planes make one of the lower half and seven one of the upper half; four
// planes are around the volume on either side. Sizes: NX, NY, NZ. Grid: NX /
// 64, NY / 4, NZ / 2.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ __launch_bounds__(256) void
wavelet_depth(const float *__restrict__ in, float *__restrict__ low,
              float *__restrict__ high) {
  constexpr size_t kPlane = (size_t)NX * NY;
  size_t at = (size_t)(blockIdx.y * 4 + threadIdx.y) * NX + blockIdx.x * 64 +
              threadIdx.x;
  // Planes 2 * z - 4 to 2 * z + 4 of the volume, which starts at plane 4.
  const float *from = in + 2 * blockIdx.z * kPlane + at;
  float planes[9];
#pragma unroll
  for (int i = 0; i < 9; ++i)
    planes[i] = from[i * kPlane];
  float lower = 0.602949f * planes[4] + 0.266864f * (planes[3] + planes[5]) -
                0.078223f * (planes[2] + planes[6]) -
                0.016864f * (planes[1] + planes[7]) +
                0.026749f * (planes[0] + planes[8]);
  float upper = 1.115087f * planes[5] - 0.591272f * (planes[4] + planes[6]) -
                0.057544f * (planes[3] + planes[7]) +
                0.091272f * (planes[2] + planes[8]);
  low[blockIdx.z * kPlane + at] = lower;
  high[blockIdx.z * kPlane + at] = upper;
}
