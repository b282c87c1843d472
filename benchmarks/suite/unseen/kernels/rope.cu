//===- rope.cu - Rotary positions of queries -----------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Heads of 128 numbers in fp16; the first half of them is rotated with the
// second, by angles of the position whose cosines and sines all heads and
// sequences share. 16 positions a workgroup, 64 pairs each. Sizes: BATCH,
// HEADS, LENGTH. Grid: LENGTH / 16, HEADS, BATCH.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ __launch_bounds__(256) void
rope(const _Float16 *__restrict__ in, const float *__restrict__ cosines,
     const float *__restrict__ sines, _Float16 *__restrict__ out) {
  int pair = threadIdx.x % 64, row = threadIdx.x / 64;
  size_t head = (size_t)blockIdx.z * HEADS + blockIdx.y;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    size_t position = blockIdx.x * 16 + i * 4 + row;
    size_t at = (head * LENGTH + position) * 128 + pair;
    float c = cosines[position * 64 + pair], s = sines[position * 64 + pair];
    float left = (float)in[at], right = (float)in[at + 64];
    out[at] = (_Float16)(left * c - right * s);
    out[at + 64] = (_Float16)(right * c + left * s);
  }
}
