//===- radial_degrid.cu - Samples on spokes, out of the grids of many coils ---===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The forward step of a reconstruction from radial MRI: cubic weights of the
// four by four points around each sample. All coils have the same spokes, whose
// directions are in memory. Sizes: COILS, SPOKES, SAMPLES, SIDE. Grid: COILS,
// SPOKES.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

typedef float Float2 __attribute__((ext_vector_type(2)));

__device__ __forceinline__ void spline(float t, float weights[4]) {
  float s = 1.0f - t;
  weights[0] = s * s * s / 6.0f;
  weights[1] = (4.0f - 6.0f * t * t + 3.0f * t * t * t) / 6.0f;
  weights[2] = (4.0f - 6.0f * s * s + 3.0f * s * s * s) / 6.0f;
  weights[3] = t * t * t / 6.0f;
}

extern "C" __global__ __launch_bounds__(256) void
radial_degrid(const Float2 *__restrict__ grids,
              const Float2 *__restrict__ directions, Float2 *__restrict__ out) {
  const Float2 *grid = grids + (size_t)blockIdx.x * SIDE * SIDE;
  Float2 direction = directions[blockIdx.y];
  float scale = rsqrtf(direction[0] * direction[0] + direction[1] * direction[1] +
                       1e-6f) * SIDE / SAMPLES;
  for (int i = threadIdx.x; i < SAMPLES; i += 256) {
    float radius = (i - SAMPLES / 2) * scale;
    float fx = SIDE / 2 + radius * direction[0];
    float fy = SIDE / 2 + radius * direction[1];
    int x = (int)fx, y = (int)fy;
    x = x < 1 ? 1 : x > SIDE - 3 ? SIDE - 3 : x;
    y = y < 1 ? 1 : y > SIDE - 3 ? SIDE - 3 : y;
    float wx[4], wy[4];
    spline(fx - x, wx);
    spline(fy - y, wy);
    Float2 sum = {0, 0};
#pragma unroll
    for (int r = 0; r < 4; ++r)
#pragma unroll
      for (int c = 0; c < 4; ++c)
        sum += wy[r] * wx[c] * grid[(y + r - 1) * SIDE + x + c - 1];
    out[((size_t)blockIdx.x * SPOKES + blockIdx.y) * SAMPLES + i] = sum;
  }
}
