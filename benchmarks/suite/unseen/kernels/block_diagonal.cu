//===- block_diagonal.cu - Vectors times the blocks of a diagonal -------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Row vectors, so that a thread sums down a column; blocks are row-major and
// the same for the whole batch. 128 columns a workgroup. Sizes: BATCH, BLOCKS,
// ROWS, COLUMNS. Grid: COLUMNS / 128, BLOCKS, BATCH.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ __launch_bounds__(128) void
block_diagonal(const float *__restrict__ in, const float *__restrict__ blocks,
               float *__restrict__ out) {
  __shared__ float vector[ROWS];
  size_t part = (size_t)blockIdx.z * BLOCKS + blockIdx.y;
  int column = blockIdx.x * 128 + threadIdx.x;
  for (int i = threadIdx.x; i < ROWS; i += 128)
    vector[i] = in[part * ROWS + i];
  __syncthreads();
  const float *from = blocks + (size_t)blockIdx.y * ROWS * COLUMNS + column;
  float sum = 0;
#pragma unroll 8
  for (int i = 0; i < ROWS; ++i)
    sum += vector[i] * from[(size_t)i * COLUMNS];
  out[part * COLUMNS + column] = sum;
}
