//===- masked_softmax.cu - Softmax of scores with a mask that heads share ---===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A mask of numbers that are added, one of each sequence, in fp32; scores in
// fp16. One row a workgroup, kept in registers, 256 threads. Sizes: BATCH,
// HEADS, QUERIES, KEYS. Grid: QUERIES, HEADS, BATCH.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

// exp(x) for x <= 0, of operations that every target has.
__device__ __forceinline__ float power(float x) {
  float y = 1.0f + fmaxf(x, -64.0f) / 256.0f;
  for (int i = 0; i < 8; ++i)
    y *= y;
  return y;
}

extern "C" __global__ __launch_bounds__(256) void
masked_softmax(const _Float16 *__restrict__ scores,
               const float *__restrict__ mask, _Float16 *__restrict__ out) {
  __shared__ float shared[256];
  size_t head = (size_t)blockIdx.z * HEADS + blockIdx.y;
  const _Float16 *row = scores + (head * QUERIES + blockIdx.x) * KEYS;
  const float *masked = mask + ((size_t)blockIdx.z * QUERIES + blockIdx.x) * KEYS;
  float mine[KEYS / 256], most = -65504.0f, sum = 0;
#pragma unroll
  for (int i = 0; i < KEYS / 256; ++i) {
    int key = i * 256 + threadIdx.x;
    mine[i] = 0.125f * (float)row[key] + masked[key];
    most = fmaxf(most, mine[i]);
  }
  shared[threadIdx.x] = most;
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (threadIdx.x < step)
      shared[threadIdx.x] = fmaxf(shared[threadIdx.x], shared[threadIdx.x + step]);
    __syncthreads();
  }
  most = shared[0];
#pragma unroll
  for (int i = 0; i < KEYS / 256; ++i)
    sum += mine[i] = power(mine[i] - most);
  sum = sumOverBlock<256>(sum);
#pragma unroll
  for (int i = 0; i < KEYS / 256; ++i)
    out[(head * QUERIES + blockIdx.x) * KEYS + i * 256 + threadIdx.x] =
        (_Float16)(mine[i] / sum);
}
