//===- star3d.cu - A star in space ----------------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One point a thread, 64 x 4 threads; a border of R points in z and y, of 32 in x.
// Sizes: NX, NY, NZ (points inside), R (radius). Grid: NX / 64, NY / 4, NZ.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

constexpr size_t kX = NX + 64, kY = NY + 2 * R;

extern "C" __global__ __launch_bounds__(256) void
star3d(const float *__restrict__ in, float *__restrict__ out) {
  size_t at = ((blockIdx.z + R) * kY + blockIdx.y * 4 + threadIdx.y + R) * kX +
              blockIdx.x * 64 + threadIdx.x + 32;
  float sum = in[at];
  for (int i = 1; i <= R; ++i)
    sum += (in[at - i] + in[at + i] + in[at - i * kX] + in[at + i * kX] +
            in[at - i * kX * kY] + in[at + i * kX * kY]) *
           (0.125f / i);
  out[at] = sum;
}
