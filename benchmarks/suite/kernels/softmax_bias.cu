//===- softmax_bias.cu - Softmax of attention scores with a bias ----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scores are scaled, and a bias is added that the whole batch shares: the one
// of relative positions (T5), or of pairs of residues, which all sequences of
// an alignment share (AlphaFold 2). fp16 in memory. One row a workgroup, kept
// in registers, 256 threads. Sizes: BATCH, HEADS, QUERIES, KEYS.
// Grid: QUERIES, HEADS, BATCH.
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
softmax_bias(const _Float16 *__restrict__ scores,
             const _Float16 *__restrict__ bias, _Float16 *__restrict__ out) {
  __shared__ float shared[256];
  size_t row = (size_t)blockIdx.y * QUERIES + blockIdx.x;
  size_t first = (blockIdx.z * (size_t)(HEADS * QUERIES) + row) * KEYS;
  float mine[KEYS / 256], most = -65504.0f, sum = 0;
#pragma unroll
  for (int i = 0; i < KEYS / 256; ++i) {
    int key = i * 256 + threadIdx.x;
    mine[i] =
        0.125f * (float)scores[first + key] + (float)bias[row * KEYS + key];
    most = fmaxf(most, mine[i]);
  }
  shared[threadIdx.x] = most;
  __syncthreads();
  for (int i = 0; i < 256; ++i)
    most = fmaxf(most, shared[i]);
#pragma unroll
  for (int i = 0; i < KEYS / 256; ++i)
    sum += mine[i] = power(mine[i] - most);
  sum = sumOverBlock<256>(sum);
#pragma unroll
  for (int i = 0; i < KEYS / 256; ++i)
    out[first + i * 256 + threadIdx.x] = (_Float16)(mine[i] / sum);
}
