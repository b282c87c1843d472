//===- hadamard_rows.cu - Hadamard transform of rows with random signs ---===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before activations are quantised: signs that all rows share, then the
// transform of 4096 numbers of fp16 in shared memory, scaled by 1 / 64. A row a
// workgroup. Sizes: ROWS. Grid: ROWS.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ __launch_bounds__(256) void
hadamard_rows(const _Float16 *__restrict__ in, const float *__restrict__ signs,
              _Float16 *__restrict__ out) {
  __shared__ float row[4096];
  const _Float16 *from = in + (size_t)blockIdx.x * 4096;
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    int at = threadIdx.x + 256 * i;
    row[at] = (float)from[at] * signs[at];
  }
  __syncthreads();
  for (int half = 1; half < 4096; half *= 2) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      int pair = threadIdx.x + 256 * i;
      int at = pair / half * 2 * half + pair % half;
      float a = row[at], b = row[at + half];
      row[at] = a + b;
      row[at + half] = a - b;
    }
    __syncthreads();
  }
  _Float16 *to = out + (size_t)blockIdx.x * 4096;
#pragma unroll
  for (int i = 0; i < 16; ++i)
    to[threadIdx.x + 256 * i] = (_Float16)(row[threadIdx.x + 256 * i] / 64.0f);
}
