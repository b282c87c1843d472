//===- nbody_systems.cu - A step of many systems of bodies, all pairs ----===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Positions and masses of 256 bodies at a time in shared memory, a body a
// thread, then a leap-frog step. Sizes: BODIES, SYSTEMS. Grid: BODIES / 256,
// SYSTEMS.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

typedef float Float4 __attribute__((ext_vector_type(4)));

extern "C" __global__ __launch_bounds__(256) void
nbody_systems(const Float4 *__restrict__ places,
              const Float4 *__restrict__ speeds, Float4 *__restrict__ newPlaces,
              Float4 *__restrict__ newSpeeds) {
  __shared__ Float4 tile[256];
  size_t system = (size_t)blockIdx.y * BODIES;
  size_t at = system + blockIdx.x * 256 + threadIdx.x;
  Float4 mine = places[at];
  float fx = 0, fy = 0, fz = 0;
  for (int first = 0; first < BODIES; first += 256) {
    tile[threadIdx.x] = places[system + first + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int i = 0; i < 256; ++i) {
      Float4 other = tile[i];
      float dx = other[0] - mine[0], dy = other[1] - mine[1];
      float dz = other[2] - mine[2];
      float near = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      float force = other[3] * near * near * near;
      fx += dx * force;
      fy += dy * force;
      fz += dz * force;
    }
    __syncthreads();
  }
  Float4 speed = speeds[at];
  speed[0] += 0.001f * fx;
  speed[1] += 0.001f * fy;
  speed[2] += 0.001f * fz;
  mine[0] += 0.001f * speed[0];
  mine[1] += 0.001f * speed[1];
  mine[2] += 0.001f * speed[2];
  newSpeeds[at] = speed;
  newPlaces[at] = mine;
}
