//===- decode_scores.cu - Scores of one step of decoding ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Grouped heads: GROUP query heads share a key head. 64 keys of 128 numbers a
// workgroup, 32 lanes a key. Sizes: BATCH, HEADS, GROUP, KEYS.
// Grid: KEYS / 64, HEADS, BATCH.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

constexpr int kDepth = 128, kKeyHeads = HEADS / GROUP;

extern "C" __global__ __launch_bounds__(256) void
decode_scores(const float *__restrict__ query, const float *__restrict__ keys,
              float *__restrict__ scores) {
  __shared__ float parts[64][33];
  size_t head = blockIdx.z * HEADS + blockIdx.y;
  size_t keyHead = blockIdx.z * kKeyHeads + blockIdx.y / GROUP;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float mine[4];
  for (int i = 0; i < 4; ++i)
    mine[i] = query[head * kDepth + lane * 4 + i];
  for (int k = warp; k < 64; k += 8) {
    const float *key =
        keys + (keyHead * KEYS + blockIdx.x * 64 + k) * kDepth + lane * 4;
    parts[k][lane] = key[0] * mine[0] + key[1] * mine[1] + key[2] * mine[2] +
                     key[3] * mine[3];
  }
  __syncthreads();
  if (threadIdx.x >= 64)
    return;
  float sum = 0;
  for (int i = 0; i < 32; ++i)
    sum += parts[threadIdx.x][i];
  scores[head * KEYS + blockIdx.x * 64 + threadIdx.x] = sum;
}
