//===- lbm_d2q9.cu - Lattice Boltzmann in the plane ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nine directions, an array each in one buffer, pulled from the neighbours,
// with wrapped borders, then relaxed (BGK). A point a thread. Sizes: NX, NY.
// Grid: NX / 256, NY.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

constexpr size_t kPlane = (size_t)NX * NY;

extern "C" __global__ __launch_bounds__(256) void
lbm_d2q9(const float *__restrict__ in, float *__restrict__ out) {
  const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
  const int cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  const float w[9] = {4.f / 9,  1.f / 9,  1.f / 9,  1.f / 9, 1.f / 9,
                      1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
  int x = blockIdx.x * 256 + threadIdx.x, y = blockIdx.y;
  int left = x == 0 ? NX - 1 : x - 1, right = x == NX - 1 ? 0 : x + 1;
  int below = y == 0 ? NY - 1 : y - 1, above = y == NY - 1 ? 0 : y + 1;
  float f[9], density = 0, ux = 0, uy = 0;
#pragma unroll
  for (int i = 0; i < 9; ++i) {
    int fromX = cx[i] > 0 ? left : cx[i] < 0 ? right : x;
    int fromY = cy[i] > 0 ? below : cy[i] < 0 ? above : y;
    f[i] = in[i * kPlane + (size_t)fromY * NX + fromX];
    density += f[i];
    ux += cx[i] * f[i];
    uy += cy[i] * f[i];
  }
  float safe = fmaxf(density < 0 ? -density : density, 0.01f);
  ux /= safe;
  uy /= safe;
  float square = 1.5f * (ux * ux + uy * uy);
#pragma unroll
  for (int i = 0; i < 9; ++i) {
    float along = 3.0f * (cx[i] * ux + cy[i] * uy);
    float rest = w[i] * density * (1.0f + along + 0.5f * along * along - square);
    out[i * kPlane + (size_t)y * NX + x] = f[i] + 0.6f * (rest - f[i]);
  }
}
