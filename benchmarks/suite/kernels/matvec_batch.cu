//===- matvec_batch.cu - A matrix times a vector each ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layer of a network for one token of each sequence of a batch, as a kernel
// for a single sequence does it: all sequences read the same weights. 32 rows of
// weights a workgroup, four a warp. Sizes: M (rows), K, BATCH.
// Grid: M / 32, BATCH.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

typedef float Float4 __attribute__((ext_vector_type(4)));

extern "C" __global__ __launch_bounds__(256) void
matvec_batch(const Float4 *__restrict__ weights, const Float4 *__restrict__ in,
             float *__restrict__ out) {
  __shared__ float parts[32][33];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const Float4 *row =
      weights + ((size_t)blockIdx.x * 32 + warp * 4) * (K / 4) + lane;
  const Float4 *vector = in + (size_t)blockIdx.y * (K / 4) + lane;
  Float4 sums[4] = {};
#pragma unroll 2
  for (int k = 0; k < K / 4; k += 32) {
    Float4 value = vector[k];
#pragma unroll
    for (int i = 0; i < 4; ++i)
      sums[i] += row[(size_t)i * (K / 4) + k] * value;
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
    parts[warp * 4 + i][lane] =
        sums[i][0] + sums[i][1] + sums[i][2] + sums[i][3];
  __syncthreads();
  if (threadIdx.x >= 32)
    return;
  float sum = 0;
  for (int i = 0; i < 32; ++i)
    sum += parts[threadIdx.x][i];
  out[(size_t)blockIdx.y * M + blockIdx.x * 32 + threadIdx.x] = sum;
}
