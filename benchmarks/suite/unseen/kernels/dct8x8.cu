//===- dct8x8.cu - Cosine transform of blocks, quantised ----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Four blocks side by side a workgroup; rows, then columns, in shared memory,
// then times the inverse of the quantisation. The matrix and the table come
// from memory. Sizes: FRAMES, HEIGHT, WIDTH. Grid: WIDTH / 32, HEIGHT / 8,
// FRAMES.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ __launch_bounds__(256) void
dct8x8(const float *__restrict__ frames, const float *__restrict__ cosines,
       const float *__restrict__ inverses, _Float16 *__restrict__ out) {
  __shared__ float matrix[8][9], tile[8][33], half[8][33];
  int x = threadIdx.x % 32, y = threadIdx.x / 32, u = x % 8;
  size_t at = ((size_t)blockIdx.z * HEIGHT + blockIdx.y * 8 + y) * WIDTH +
              blockIdx.x * 32 + x;
  if (threadIdx.x < 64)
    matrix[threadIdx.x / 8][threadIdx.x % 8] = cosines[threadIdx.x];
  tile[y][x] = frames[at];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i)
    sum += matrix[u][i] * tile[y][x - u + i];
  half[y][x] = sum;
  __syncthreads();
  sum = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i)
    sum += matrix[y][i] * half[i][x];
  out[at] = (_Float16)(sum * inverses[y * 8 + u]);
}
