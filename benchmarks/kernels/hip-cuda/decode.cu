//===- decode.cu - Scores of one step of decoding, grouped heads ---------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 32 query heads share 8 key heads; 64 keys of 128 numbers a workgroup, one thread a
// key. Grid: 32 heads x 512 blocks of keys.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

constexpr int kHeads = 32, kGroup = 4, kDepth = 128, kKeys = 32768;

extern "C" __global__ __launch_bounds__(64) void
decode(const float *__restrict__ query, const float *__restrict__ keys,
       float *__restrict__ scores) {
  int head = blockIdx.x, key = blockIdx.y * 64 + threadIdx.x;
  const float *mine =
      keys + ((size_t)(head / kGroup) * kKeys + key) * kDepth;
  float score = 0;
  for (int i = 0; i < kDepth; ++i)
    score += query[head * kDepth + i] * mine[i];
  scores[(size_t)head * kKeys + key] = score;
}
