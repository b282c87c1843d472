//===- backproject.cu - Slices of a volume from parallel projections ----===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums over angles between two detectors' values; projections hold the slices'
// rows, as they are recorded, and cosines and sines are in memory. Sizes:
// ANGLES, DETECTORS, NX, NY, NZ. Grid: NX / 32, NY / 8, NZ.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

typedef float Float2 __attribute__((ext_vector_type(2)));

extern "C" __global__ __launch_bounds__(256) void
backproject(const float *__restrict__ projections,
            const Float2 *__restrict__ directions, float *__restrict__ out) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  float fx = x - 0.5f * NX, fy = y - 0.5f * NY, sum = 0;
  const float *from = projections + (size_t)blockIdx.z * DETECTORS;
#pragma unroll 4
  for (int angle = 0; angle < ANGLES; ++angle) {
    Float2 direction = directions[angle];
    float place = fx * direction[0] + fy * direction[1] + 0.5f * DETECTORS;
    place = place > 0 ? place : 0;
    place = place < DETECTORS - 1.01f ? place : DETECTORS - 1.01f;
    int left = (int)place;
    float low = from[left], high = from[left + 1];
    sum += low + (place - left) * (high - low);
    from += (size_t)NZ * DETECTORS;
  }
  out[((size_t)blockIdx.z * NY + y) * NX + x] = sum / ANGLES;
}
