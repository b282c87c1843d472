//===- softmax_parts.cu - Softmax with rows split over workgroups ---------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two launches: the largest number and the sum of each part of a row, then the row.
// 256 threads, COLUMNS / PARTS numbers a workgroup. Sizes: ROWS, COLUMNS, PARTS.
// Grid: PARTS, ROWS.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

constexpr int kPart = COLUMNS / PARTS;

// exp(x) for x <= 0, of operations that every target has.
__device__ __forceinline__ float power(float x) {
  float y = 1.0f + fmaxf(x, -64.0f) / 256.0f;
  for (int i = 0; i < 8; ++i)
    y *= y;
  return y;
}

extern "C" __global__ __launch_bounds__(256) void
softmax_sums(const float *__restrict__ in, float *__restrict__ largest,
             float *__restrict__ sums) {
  __shared__ float shared[256];
  const float *part = in + (size_t)blockIdx.y * COLUMNS + blockIdx.x * kPart;
  float most = part[threadIdx.x];
  for (int i = threadIdx.x; i < kPart; i += 256)
    most = fmaxf(most, part[i]);
  shared[threadIdx.x] = most;
  __syncthreads();
  for (int i = 0; i < 256; ++i)
    most = fmaxf(most, shared[i]);
  float sum = 0;
  for (int i = threadIdx.x; i < kPart; i += 256)
    sum += power(part[i] - most);
  sum = sumOverBlock<256>(sum);
  if (threadIdx.x == 0) {
    largest[blockIdx.y * PARTS + blockIdx.x] = most;
    sums[blockIdx.y * PARTS + blockIdx.x] = sum;
  }
}

extern "C" __global__ __launch_bounds__(256) void
softmax_write(const float *__restrict__ in, const float *__restrict__ largest,
              const float *__restrict__ sums, float *__restrict__ out) {
  float most = largest[blockIdx.y * PARTS], sum = 0;
  for (int i = 1; i < PARTS; ++i)
    most = fmaxf(most, largest[blockIdx.y * PARTS + i]);
  for (int i = 0; i < PARTS; ++i)
    sum += sums[blockIdx.y * PARTS + i] *
           power(largest[blockIdx.y * PARTS + i] - most);
  size_t first = (size_t)blockIdx.y * COLUMNS + blockIdx.x * kPart;
  for (int i = threadIdx.x; i < kPart; i += 256)
    out[first + i] = power(in[first + i] - most) / sum;
}
