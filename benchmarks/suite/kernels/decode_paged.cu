//===- decode_paged.cu - Scores of decoding, over pages of keys -----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One step of decoding in fp16 as in vLLM (arXiv 2309.06180): keys lie in pages
// of 16, of which each sequence has a table. Sequences that began as one, as
// beams do, share pages: of each 16 keys there are COPIES in the cache, and a
// sequence's entry of the table says which one is its own. Entries are at
// random, so they are taken modulo COPIES. GROUP query heads share a key head;
// a page has its keys head by head. 64 keys of 128 numbers a workgroup, 16
// lanes a key. Sizes: BATCH, HEADS, GROUP, KEYS, COPIES.
// Grid: KEYS / 64, HEADS, BATCH.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

typedef _Float16 Half8 __attribute__((ext_vector_type(8)));

constexpr int kPage = 16, kKeyHeads = HEADS / GROUP;
// In numbers of 16 bytes, of which a key has 16.
constexpr int kKey = 16;

__device__ __forceinline__ float dot(Half8 a, Half8 b) {
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i)
    sum += (float)a[i] * (float)b[i];
  return sum;
}

extern "C" __global__ __launch_bounds__(256) void
decode_paged(const Half8 *__restrict__ query, const Half8 *__restrict__ cache,
             const int *__restrict__ table, float *__restrict__ scores) {
  __shared__ float parts[64][17];
  size_t head = blockIdx.z * HEADS + blockIdx.y;
  int lane = threadIdx.x % kKey, row = threadIdx.x / kKey;
  Half8 mine = query[head * kKey + lane];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    size_t page = blockIdx.x * 4 + i;
    unsigned entry = table[blockIdx.z * (KEYS / kPage) + page];
    page = page * COPIES + entry % COPIES;
    size_t key = (page * kKeyHeads + blockIdx.y / GROUP) * kPage + row;
    parts[i * kPage + row][lane] = dot(mine, cache[key * kKey + lane]);
  }
  __syncthreads();
  if (threadIdx.x >= 64)
    return;
  float sum = 0;
  for (int i = 0; i < 16; ++i)
    sum += parts[threadIdx.x][i];
  scores[head * KEYS + blockIdx.x * 64 + threadIdx.x] = sum;
}
