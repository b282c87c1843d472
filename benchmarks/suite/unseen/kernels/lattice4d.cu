//===- lattice4d.cu - Operator of a field on a lattice of four dimensions ---===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Eight neighbours, weighted by links: each site has those to the next site in
// each dimension, one array a dimension. Periodic. Sizes: NX, NY, NZ, NT, MASS.
// Grid: NX / 32 * (NY / 8), NZ, NT.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ __launch_bounds__(256) void
lattice4d(const float *__restrict__ field, const float *__restrict__ linksX,
          const float *__restrict__ linksY, const float *__restrict__ linksZ,
          const float *__restrict__ linksT, float *__restrict__ out) {
  int x = blockIdx.x % (NX / 32) * 32 + threadIdx.x;
  int y = blockIdx.x / (NX / 32) * 8 + threadIdx.y;
  int z = blockIdx.y, t = blockIdx.z;
  auto site = [](int x, int y, int z, int t) {
    return (((size_t)t * NZ + z) * NY + y) * NX + x;
  };
  size_t at = site(x, y, z, t);
  size_t left = site(x > 0 ? x - 1 : NX - 1, y, z, t);
  size_t right = site(x < NX - 1 ? x + 1 : 0, y, z, t);
  size_t up = site(x, y > 0 ? y - 1 : NY - 1, z, t);
  size_t down = site(x, y < NY - 1 ? y + 1 : 0, z, t);
  size_t front = site(x, y, z > 0 ? z - 1 : NZ - 1, t);
  size_t back = site(x, y, z < NZ - 1 ? z + 1 : 0, t);
  size_t before = site(x, y, z, t > 0 ? t - 1 : NT - 1);
  size_t after = site(x, y, z, t < NT - 1 ? t + 1 : 0);
  float sum = linksX[at] * field[right] + linksX[left] * field[left] +
              linksY[at] * field[down] + linksY[up] * field[up] +
              linksZ[at] * field[back] + linksZ[front] * field[front] +
              linksT[at] * field[after] + linksT[before] * field[before];
  out[at] = (8.0f + 0.01f * MASS) * field[at] - sum;
}
