//===- thomas.cu - Tridiagonal systems along the second axis -------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One sweep of an alternating direction method: a line along y a thread,
// forward, then back. Sizes: NX, NY, NZ. Grid: NX / 64, NZ.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ __launch_bounds__(64) void
thomas(const float *__restrict__ lower, const float *__restrict__ diagonal,
       const float *__restrict__ upper, const float *__restrict__ right,
       float *__restrict__ scratch, float *__restrict__ out) {
  size_t first = (size_t)blockIdx.y * NY * NX + blockIdx.x * 64 + threadIdx.x;
  float c = 0, d = 0;
#pragma unroll 4
  for (int y = 0; y < NY; ++y) {
    size_t at = first + (size_t)y * NX;
    float below = 0.25f * lower[at];
    float one = 1.0f / (2.0f + 0.25f * diagonal[at] - below * c);
    c = 0.25f * upper[at] * one;
    d = (right[at] - below * d) * one;
    scratch[at] = c;
    out[at] = d;
  }
  float value = 0;
#pragma unroll 4
  for (int y = NY - 1; y >= 0; --y) {
    size_t at = first + (size_t)y * NX;
    value = out[at] - scratch[at] * value;
    out[at] = value;
  }
}
