//===- diffuse_march.cu - Anisotropic diffusion, marching by planes -----===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Perona and Malik's: differences to six neighbours, weighted by 1 / (1 + d *
// d). A workgroup has 32 by 8 points and marches through CHUNK planes, keeping
// the plane in shared memory and those around it in registers. Borders repeat.
// Sizes: NX, NY, NZ, CHUNK. Grid: NX / 32, NY / 8, NZ / CHUNK.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

__device__ __forceinline__ float flux(float difference) {
  return difference / (1.0f + difference * difference);
}

extern "C" __global__ __launch_bounds__(256) void
diffuse_march(const float *__restrict__ in, float *__restrict__ out) {
  __shared__ float tile[10][34];
  constexpr size_t kPlane = (size_t)NX * NY;
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * 32 + tx, y = blockIdx.y * 8 + ty;
  int left = x > 0 ? x - 1 : 0, right = x < NX - 1 ? x + 1 : NX - 1;
  int up = y > 0 ? y - 1 : 0, down = y < NY - 1 ? y + 1 : NY - 1;
  int first = blockIdx.z * CHUNK;
  size_t at = (size_t)y * NX + x;
  float here = in[first * kPlane + at];
  float before = in[(first > 0 ? first - 1 : 0) * kPlane + at];
  for (int z = first; z < first + CHUNK; ++z) {
    const float *plane = in + z * kPlane;
    float after = in[(z < NZ - 1 ? z + 1 : NZ - 1) * kPlane + at];
    tile[ty + 1][tx + 1] = here;
    if (tx == 0)
      tile[ty + 1][0] = plane[(size_t)y * NX + left];
    if (tx == 31)
      tile[ty + 1][33] = plane[(size_t)y * NX + right];
    if (ty == 0)
      tile[0][tx + 1] = plane[(size_t)up * NX + x];
    if (ty == 7)
      tile[9][tx + 1] = plane[(size_t)down * NX + x];
    __syncthreads();
    float sum = flux(before - here) + flux(after - here) +
                flux(tile[ty][tx + 1] - here) + flux(tile[ty + 2][tx + 1] - here) +
                flux(tile[ty + 1][tx] - here) + flux(tile[ty + 1][tx + 2] - here);
    out[z * kPlane + at] = here + 0.14f * sum;
    before = here;
    here = after;
    __syncthreads();
  }
}
