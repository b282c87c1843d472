//===- split_k.cu - A product whose inner dimension is split -------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each workgroup adds its share of the inner dimension atomically. Grid: 16 columns
// by rows by four parts.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

constexpr int kSize = 4096;

extern "C" __global__ __launch_bounds__(256) void
split_k(const float *__restrict__ a, const float *__restrict__ b,
        float *__restrict__ c) {
  int column = blockIdx.x * 256 + threadIdx.x, row = blockIdx.y;
  int first = blockIdx.z * (kSize / 4);
  float sum = 0;
  for (int k = first; k < first + kSize / 4; ++k)
    sum += a[(size_t)row * kSize + k] * b[(size_t)k * kSize + column];
  atomicAdd(&c[(size_t)row * kSize + column], sum);
}
