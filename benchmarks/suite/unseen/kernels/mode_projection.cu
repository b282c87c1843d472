//===- mode_projection.cu - Masked images projected on a set of modes ---===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums over an image times a mode and the mask that all share, 3600 pixels a
// workgroup; sums of parts are added up later. Sizes: IMAGES, MODES, PIXELS.
// Grid: PIXELS / 3600, MODES, IMAGES.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ __launch_bounds__(256) void
mode_projection(const float *__restrict__ images, const float *__restrict__ modes,
                const float *__restrict__ mask, float *__restrict__ parts) {
  int first = blockIdx.x * 3600;
  const float *image = images + (size_t)blockIdx.z * PIXELS;
  const float *mode = modes + (size_t)blockIdx.y * PIXELS;
  float sum = 0;
#pragma unroll 4
  for (int pixel = first + threadIdx.x; pixel < first + 3600; pixel += 256)
    sum += image[pixel] * mode[pixel] * mask[pixel];
  sum = sumOverBlock<256>(sum);
  if (threadIdx.x == 0)
    parts[((size_t)blockIdx.z * MODES + blockIdx.y) * (PIXELS / 3600) +
          blockIdx.x] = sum;
}
