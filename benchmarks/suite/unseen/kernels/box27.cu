//===- box27.cu - Mean of the 27 points around each ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Weighted by how far they are; points of the border are left alone. A point a
// thread, 64 x 4 threads. Sizes: NX, NY, NZ. Grid: NX / 64, NY / 4, NZ.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ __launch_bounds__(256) void
box27(const float *__restrict__ in, float *__restrict__ out) {
  int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
  int z = blockIdx.z;
  if (x < 1 || x >= NX - 1 || y < 1 || y >= NY - 1 || z < 1 || z >= NZ - 1)
    return;
  const float weights[4] = {0.4f, 0.05f, 0.02f, 0.0075f};
  size_t at = ((size_t)z * NY + y) * NX + x;
  float sum = 0;
#pragma unroll
  for (int dz = -1; dz <= 1; ++dz)
#pragma unroll
    for (int dy = -1; dy <= 1; ++dy)
#pragma unroll
      for (int dx = -1; dx <= 1; ++dx)
        sum += weights[dx * dx + dy * dy + dz * dz] *
               in[at + ((long)dz * NY + dy) * NX + dx];
  out[at] = sum;
}
