//===- softmax.cu - Softmax, a row a workgroup ---------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of 4096, 256 threads; the exponential is a polynomial, so that no library is
// needed. Grid: one workgroup a row.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

constexpr int kColumns = 4096;

__device__ __forceinline__ float power(float x) {
  float y = 1.0f + x / 256.0f;
  for (int i = 0; i < 8; ++i)
    y *= y;
  return y;
}

extern "C" __global__ __launch_bounds__(256) void
softmax(const float *__restrict__ in, float *__restrict__ out) {
  __shared__ float most[256];
  const float *row = in + (size_t)blockIdx.x * kColumns;
  float largest = row[threadIdx.x];
  for (int i = threadIdx.x; i < kColumns; i += 256)
    largest = fmaxf(largest, row[i]);
  most[threadIdx.x] = largest;
  __syncthreads();
  for (int i = 0; i < 256; ++i)
    largest = fmaxf(largest, most[i]);
  float sum = 0;
  for (int i = threadIdx.x; i < kColumns; i += 256)
    sum += power(row[i] - largest);
  sum = sumOverBlock<256>(sum);
  for (int i = threadIdx.x; i < kColumns; i += 256)
    out[(size_t)blockIdx.x * kColumns + i] = power(row[i] - largest) / sum;
}
