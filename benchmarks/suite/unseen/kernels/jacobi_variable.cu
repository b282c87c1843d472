//===- jacobi_variable.cu - A Jacobi step with coefficients at every point ---===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Seven arrays of coefficients, as of diffusion in a material that is not the
// same everywhere; points of the border are left alone. A point a thread, 64 x
// 4 threads. Sizes: NX, NY, NZ. Grid: NX / 64, NY / 4, NZ.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ __launch_bounds__(256) void
jacobi_variable(const float *__restrict__ in, const float *__restrict__ right,
                const float *__restrict__ inverse, const float *__restrict__ w,
                const float *__restrict__ e, const float *__restrict__ s,
                const float *__restrict__ n, const float *__restrict__ b,
                const float *__restrict__ t, float *__restrict__ out) {
  int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
  int z = blockIdx.z;
  if (x < 1 || x >= NX - 1 || y < 1 || y >= NY - 1 || z < 1 || z >= NZ - 1)
    return;
  constexpr size_t kPlane = (size_t)NX * NY;
  size_t at = z * kPlane + (size_t)y * NX + x;
  float sum = right[at] - w[at] * in[at - 1] - e[at] * in[at + 1] -
              s[at] * in[at - NX] - n[at] * in[at + NX] -
              b[at] * in[at - kPlane] - t[at] * in[at + kPlane];
  out[at] = in[at] + 0.8f * (sum * inverse[at] - in[at]);
}
