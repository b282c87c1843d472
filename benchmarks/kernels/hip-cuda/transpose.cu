//===- transpose.cu - A transposition by tiles ---------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 8192 x 8192, tiles of 32 x 32 through workgroup memory, 32 x 8 threads. Grid:
// 256 x 256.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

constexpr int kSize = 8192;

extern "C" __global__ __launch_bounds__(256) void
transpose(const float *__restrict__ in, float *__restrict__ out) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32, y = blockIdx.y * 32;
  for (int i = 0; i < 32; i += 8)
    tile[threadIdx.y + i][threadIdx.x] =
        in[(size_t)(y + threadIdx.y + i) * kSize + x + threadIdx.x];
  __syncthreads();
  for (int i = 0; i < 32; i += 8)
    out[(size_t)(x + threadIdx.y + i) * kSize + y + threadIdx.x] =
        tile[threadIdx.x][threadIdx.y + i];
}
