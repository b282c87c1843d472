//===- shared_prefix.cu - Attention of requests to a prompt they share ---===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One new token a request; keys and values of the prompt in fp16, heads of 128
// numbers, GROUP heads of queries to one of keys. 256 keys a workgroup; what is
// written is weighted sums, greatest scores, and sums of weights, for a second
// kernel. Sizes: BATCH, HEADS, GROUP, KEYS. Grid: KEYS / 256, HEADS, BATCH.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

typedef _Float16 Half8 __attribute__((ext_vector_type(8)));

// exp(x) for x <= 0, of operations that every target has.
__device__ __forceinline__ float power(float x) {
  float y = 1.0f + fmaxf(x, -64.0f) / 256.0f;
  for (int i = 0; i < 8; ++i)
    y *= y;
  return y;
}

extern "C" __global__ __launch_bounds__(256) void
shared_prefix(const float *__restrict__ queries, const Half8 *__restrict__ keys,
              const _Float16 *__restrict__ values, float *__restrict__ sums,
              float *__restrict__ mosts, float *__restrict__ weights) {
  __shared__ float query[128], shared[256], most[256];
  int thread = threadIdx.x;
  size_t head = (size_t)blockIdx.z * HEADS + blockIdx.y;
  size_t first = (size_t)(blockIdx.y / GROUP) * KEYS + blockIdx.x * 256;
  if (thread < 128)
    query[thread] = queries[head * 128 + thread];
  __syncthreads();
  float score = 0;
#pragma unroll 4
  for (int i = 0; i < 16; ++i) {
    Half8 key = keys[(first + thread) * 16 + i];
#pragma unroll
    for (int j = 0; j < 8; ++j)
      score += (float)key[j] * query[i * 8 + j];
  }
  score *= 0.088388f;
  most[thread] = score;
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (thread < step)
      most[thread] = fmaxf(most[thread], most[thread + step]);
    __syncthreads();
  }
  float weight = power(score - most[0]);
  shared[thread] = weight;
  float total = sumOverBlock<256>(weight);
  int column = thread % 128, half = thread / 128 * 128;
  const _Float16 *from = values + (first + half) * 128 + column;
  float sum = 0;
#pragma unroll 8
  for (int i = 0; i < 128; ++i)
    sum += shared[half + i] * (float)from[i * 128];
  __syncthreads();
  shared[thread] = sum;
  __syncthreads();
  size_t part = head * (KEYS / 256) + blockIdx.x;
  if (thread < 128)
    sums[part * 128 + thread] = shared[thread] + shared[thread + 128];
  if (thread == 0) {
    mosts[part] = most[0];
    weights[part] = total;
  }
}
