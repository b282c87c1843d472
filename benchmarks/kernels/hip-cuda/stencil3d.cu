//===- stencil3d.cu - A star of radius four in space ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One point a thread, 64 x 4 threads, 2048 x 2048 x 64 points with a border of
// four. Grid: 32 x 512 x 64.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

constexpr int kRadius = 4;
constexpr size_t kX = 2048 + 2 * kRadius, kY = 2048 + 2 * kRadius;

extern "C" __global__ __launch_bounds__(256) void
stencil3d(const float *__restrict__ in, float *__restrict__ out) {
  size_t at = ((blockIdx.z + kRadius) * kY + blockIdx.y * 4 + threadIdx.y +
               kRadius) * kX + blockIdx.x * 64 + threadIdx.x + kRadius;
  float sum = in[at];
  for (int i = 1; i <= kRadius; ++i)
    sum += (in[at - i] + in[at + i] + in[at - i * kX] + in[at + i * kX] +
            in[at - i * kX * kY] + in[at + i * kX * kY]) * (0.1f / i);
  out[at] = sum;
}
