//===- sem_laplace.cu - Stiffness of spectral elements for several fields ---===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Eight nodes a direction: derivatives by a matrix, six geometric factors a
// node, which all fields share, and the transposed derivatives of what comes
// out. An element a workgroup, a node a thread. Sizes: ELEMENTS, FIELDS. Grid:
// ELEMENTS, FIELDS.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ __launch_bounds__(512) void
sem_laplace(const float *__restrict__ in, const float *__restrict__ factors,
            const float *__restrict__ matrix, float *__restrict__ out) {
  __shared__ float d[8][9], u[512], r[512], s[512], t[512];
  int thread = threadIdx.x, i = thread % 8, j = thread / 8 % 8, k = thread / 64;
  size_t at = ((size_t)blockIdx.y * ELEMENTS + blockIdx.x) * 512 + thread;
  const float *g = factors + (size_t)blockIdx.x * 6 * 512 + thread;
  if (thread < 64)
    d[thread / 8][thread % 8] = matrix[thread];
  u[thread] = in[at];
  __syncthreads();
  float dr = 0, ds = 0, dt = 0;
#pragma unroll
  for (int m = 0; m < 8; ++m) {
    dr += d[i][m] * u[k * 64 + j * 8 + m];
    ds += d[j][m] * u[k * 64 + m * 8 + i];
    dt += d[k][m] * u[m * 64 + j * 8 + i];
  }
  r[thread] = g[0] * dr + g[512] * ds + g[1024] * dt;
  s[thread] = g[512] * dr + g[1536] * ds + g[2048] * dt;
  t[thread] = g[1024] * dr + g[2048] * ds + g[2560] * dt;
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int m = 0; m < 8; ++m)
    sum += d[m][i] * r[k * 64 + j * 8 + m] + d[m][j] * s[k * 64 + m * 8 + i] +
           d[m][k] * t[m * 64 + j * 8 + i];
  out[at] = sum;
}
