//===- layer_norm_grad.cu - Gradients of a layer norm's weight and bias, in parts ---===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each workgroup sums 256 rows of 64 columns; another kernel would sum these
// parts. Sizes: ROWS, COLUMNS. Grid: COLUMNS / 64, ROWS / 256.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ __launch_bounds__(256) void
layer_norm_grad(const float *__restrict__ gradient,
                const float *__restrict__ in, const float *__restrict__ means,
                const float *__restrict__ scales, float *__restrict__ weights,
                float *__restrict__ biases) {
  __shared__ float parts[2][4][64];
  int column = blockIdx.x * 64 + threadIdx.x;
  float weight = 0, bias = 0;
#pragma unroll 4
  for (int i = threadIdx.y; i < 256; i += 4) {
    int row = blockIdx.y * 256 + i;
    size_t at = (size_t)row * COLUMNS + column;
    weight += gradient[at] * (in[at] - means[row]) * scales[row];
    bias += gradient[at];
  }
  parts[0][threadIdx.y][threadIdx.x] = weight;
  parts[1][threadIdx.y][threadIdx.x] = bias;
  __syncthreads();
  if (threadIdx.y >= 2)
    return;
  float sum = 0;
  for (int i = 0; i < 4; ++i)
    sum += parts[threadIdx.y][i][threadIdx.x];
  (threadIdx.y ? biases : weights)[(size_t)blockIdx.y * COLUMNS + column] = sum;
}
