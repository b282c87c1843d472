//===- attention_dv.cu - Gradient of attention's values ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The transposed weights, which are in memory, times the gradient of the
// result, in fp16 with sums of fp32; heads of 64 numbers. 64 keys a workgroup,
// 16 queries at a time. Sizes: BATCH, HEADS, QUERIES, KEYS. Grid: KEYS / 64,
// HEADS, BATCH.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ __launch_bounds__(256) void
attention_dv(const _Float16 *__restrict__ weights,
             const _Float16 *__restrict__ gradient, _Float16 *__restrict__ out) {
  __shared__ float tileW[16][64], tileG[16][64];
  int thread = threadIdx.x, tx = thread % 16, ty = thread / 16;
  int row = thread / 64, column = thread % 64;
  size_t head = (size_t)blockIdx.z * HEADS + blockIdx.y;
  const _Float16 *fromW = weights + head * QUERIES * KEYS + blockIdx.x * 64;
  const _Float16 *fromG = gradient + head * QUERIES * 64;
  float sums[4][4] = {};
  for (int q = 0; q < QUERIES; q += 16) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      size_t query = q + row + 4 * i;
      tileW[row + 4 * i][column] = (float)fromW[query * KEYS + column];
      tileG[row + 4 * i][column] = (float)fromG[query * 64 + column];
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < 16; ++j)
#pragma unroll
      for (int y = 0; y < 4; ++y)
#pragma unroll
        for (int x = 0; x < 4; ++x)
          sums[y][x] += tileW[j][ty * 4 + y] * tileG[j][tx + 16 * x];
    __syncthreads();
  }
#pragma unroll
  for (int y = 0; y < 4; ++y)
#pragma unroll
    for (int x = 0; x < 4; ++x)
      out[(head * KEYS + blockIdx.x * 64 + ty * 4 + y) * 64 + tx + 16 * x] =
          (_Float16)sums[y][x];
}
