//===- star2d.cu - A star in the plane ------------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One point a thread, 64 x 4 threads; a border of R points in y, of 32 in x.
// Sizes: NX, NY (points inside), R (radius). Grid: NX / 64, NY / 4.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

constexpr size_t kX = NX + 64;

extern "C" __global__ __launch_bounds__(256) void
star2d(const float *__restrict__ in, float *__restrict__ out) {
  size_t at = (size_t)(blockIdx.y * 4 + threadIdx.y + R) * kX +
              blockIdx.x * 64 + threadIdx.x + 32;
  float sum = in[at];
  for (int i = 1; i <= R; ++i)
    sum += (in[at - i] + in[at + i] + in[at - i * kX] + in[at + i * kX]) *
           (0.125f / i);
  out[at] = sum;
}
