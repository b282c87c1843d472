//===- elastic_velocity.cu - Velocities of an elastic wave --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Staggered grid, fourth order, six stresses; z is contiguous and x is slowest.
// Two points at each border stay as they are. Sizes: NX, NY, NZ. Grid: NZ / 64,
// NY / 4, NX.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ __launch_bounds__(256) void
elastic_velocity(const float *__restrict__ xx, const float *__restrict__ yy,
                 const float *__restrict__ zz, const float *__restrict__ xy,
                 const float *__restrict__ xz, const float *__restrict__ yz,
                 const float *__restrict__ lightness, float *__restrict__ vx,
                 float *__restrict__ vy, float *__restrict__ vz) {
  constexpr int kY = NZ, kX = NY * NZ;
  int z = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
  int x = blockIdx.z;
  if (z < 2 || z >= NZ - 2 || y < 2 || y >= NY - 2 || x < 2 || x >= NX - 2)
    return;
  size_t at = (size_t)x * kX + (size_t)y * kY + z;
  // From at - step / 2: backwards; forwards is the same one step on.
  auto slope = [](const float *p, int step) {
    return 1.125f * (p[0] - p[-step]) - 0.041667f * (p[step] - p[-2 * step]);
  };
  float scale = 0.001f * lightness[at];
  vx[at] += scale * (slope(xx + at + kX, kX) + slope(xy + at, kY) +
                     slope(xz + at, 1));
  vy[at] += scale * (slope(xy + at, kX) + slope(yy + at + kY, kY) +
                     slope(yz + at, 1));
  vz[at] += scale * (slope(xz + at, kX) + slope(yz + at, kY) +
                     slope(zz + at + 1, 1));
}
