//===- stencil2d.cu - Five points of a plane -----------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One point a thread, 64 x 4 threads, 8192 x 8192 points with a border. Grid:
// 128 x 2048.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

constexpr int kWidth = 8192 + 2;

extern "C" __global__ __launch_bounds__(256) void
stencil2d(const float *__restrict__ in, float *__restrict__ out) {
  size_t at = (size_t)(blockIdx.y * 4 + threadIdx.y + 1) * kWidth +
              blockIdx.x * 64 + threadIdx.x + 1;
  out[at] = 0.2f * (in[at] + in[at - 1] + in[at + 1] + in[at - kWidth] +
                    in[at + kWidth]);
}
