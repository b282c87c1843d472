//===- spade.cu - Normalised features, modulated by shared maps ---------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// (x - mean) * scale of each plane, then times (1 + gamma) and plus beta, which
// are maps of one segmentation, from which all images are made. NCHW. Sizes:
// BATCH, CHANNELS, PIXELS. Grid: PIXELS / 1024, CHANNELS, BATCH.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

typedef float Float4 __attribute__((ext_vector_type(4)));

extern "C" __global__ __launch_bounds__(256) void
spade(const Float4 *__restrict__ in, const float *__restrict__ means,
      const float *__restrict__ scales, const Float4 *__restrict__ gamma,
      const Float4 *__restrict__ beta, Float4 *__restrict__ out) {
  size_t plane = (size_t)blockIdx.z * CHANNELS + blockIdx.y;
  size_t pixel = blockIdx.x * 256 + threadIdx.x;
  size_t at = plane * (PIXELS / 4) + pixel;
  size_t map = (size_t)blockIdx.y * (PIXELS / 4) + pixel;
  float mean = means[plane], scale = scales[plane];
  Float4 value = (in[at] - mean) * scale;
  value = value * (1.0f + gamma[map]) + beta[map];
#pragma unroll
  for (int i = 0; i < 4; ++i)
    value[i] = value[i] > 0 ? value[i] : 0.2f * value[i];
  out[at] = value;
}
