//===- lora_expand.cu - The second of two thin products of adapters ------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As of serving many adapters at once: a sequence's four tokens, already
// shrunk to RANK numbers, are multiplied by its adapter's matrix and added to
// what the layer made of them. Sequences take adapters in turn. 256 outputs a
// workgroup. Sizes: SEQUENCES, ADAPTERS, RANK, OUTPUTS. Grid: OUTPUTS / 256,
// SEQUENCES.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

constexpr int kTokens = 4;

extern "C" __global__ __launch_bounds__(256) void
lora_expand(const float *__restrict__ shrunk, const float *__restrict__ adapters,
            float *__restrict__ out) {
  __shared__ float tokens[kTokens * RANK];
  int sequence = blockIdx.y, adapter = sequence % ADAPTERS;
  int column = blockIdx.x * 256 + threadIdx.x;
  for (int i = threadIdx.x; i < kTokens * RANK; i += 256)
    tokens[i] = shrunk[(size_t)sequence * kTokens * RANK + i];
  __syncthreads();
  const float *matrix = adapters + (size_t)adapter * RANK * OUTPUTS + column;
  float sums[kTokens] = {};
#pragma unroll 8
  for (int r = 0; r < RANK; ++r) {
    float weight = matrix[(size_t)r * OUTPUTS];
#pragma unroll
    for (int i = 0; i < kTokens; ++i)
      sums[i] += tokens[i * RANK + r] * weight;
  }
#pragma unroll
  for (int i = 0; i < kTokens; ++i)
    out[((size_t)sequence * kTokens + i) * OUTPUTS + column] += 2.0f * sums[i];
}
