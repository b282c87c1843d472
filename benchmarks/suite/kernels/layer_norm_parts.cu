//===- layer_norm_parts.cu - Layer norm with rows split over workgroups ---===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two launches: sum and squares of each part of a row, then the row. 256 threads,
// COLUMNS / PARTS numbers a workgroup. Sizes: ROWS, COLUMNS, PARTS.
// Grid: PARTS, ROWS.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

constexpr int kPart = COLUMNS / PARTS;

extern "C" __global__ __launch_bounds__(256) void
layer_norm_sums(const float *__restrict__ in, float *__restrict__ sums,
                float *__restrict__ squares) {
  const float *part = in + (size_t)blockIdx.y * COLUMNS + blockIdx.x * kPart;
  float sum = 0, square = 0;
  for (int i = threadIdx.x; i < kPart; i += 256) {
    sum += part[i];
    square += part[i] * part[i];
  }
  sum = sumOverBlock<256>(sum);
  square = sumOverBlock<256>(square);
  if (threadIdx.x == 0) {
    sums[blockIdx.y * PARTS + blockIdx.x] = sum;
    squares[blockIdx.y * PARTS + blockIdx.x] = square;
  }
}

extern "C" __global__ __launch_bounds__(256) void
layer_norm_write(const float *__restrict__ in, const float *__restrict__ sums,
                 const float *__restrict__ squares,
                 const float *__restrict__ weight,
                 const float *__restrict__ bias, float *__restrict__ out) {
  float sum = 0, square = 0;
  for (int i = 0; i < PARTS; ++i) {
    sum += sums[blockIdx.y * PARTS + i];
    square += squares[blockIdx.y * PARTS + i];
  }
  float mean = sum / COLUMNS;
  float scale = rsqrtf(square / COLUMNS - mean * mean + 1e-5f);
  int first = blockIdx.x * kPart;
  for (int i = threadIdx.x; i < kPart; i += 256)
    out[(size_t)blockIdx.y * COLUMNS + first + i] =
        (in[(size_t)blockIdx.y * COLUMNS + first + i] - mean) * scale *
            weight[first + i] +
        bias[first + i];
}
