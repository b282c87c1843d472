//===- layer_norm.cu - Layer norm, a row a workgroup ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of 4096, 256 threads. Grid: one workgroup a row.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

constexpr int kColumns = 4096;

extern "C" __global__ __launch_bounds__(256) void
layer_norm(const float *__restrict__ in, const float *__restrict__ weight,
           const float *__restrict__ bias, float *__restrict__ out) {
  const float *row = in + (size_t)blockIdx.x * kColumns;
  float sum = 0, squares = 0;
  for (int i = threadIdx.x; i < kColumns; i += 256) {
    sum += row[i];
    squares += row[i] * row[i];
  }
  float mean = sumOverBlock<256>(sum) / kColumns;
  float variance = sumOverBlock<256>(squares) / kColumns - mean * mean;
  float scale = rsqrtf(variance + 1e-5f);
  for (int i = threadIdx.x; i < kColumns; i += 256)
    out[(size_t)blockIdx.x * kColumns + i] =
        (row[i] - mean) * scale * weight[i] + bias[i];
}
