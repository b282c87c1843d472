//===- elementwise.cu - A sum with a broadcast row -----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// out[i][j] = a[i][j] + b[j], rows of 16384. Grid: 64 x rows.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

constexpr int kColumns = 16384;

extern "C" __global__ __launch_bounds__(256) void
elementwise(const float *__restrict__ a, const float *__restrict__ b,
            float *__restrict__ out) {
  int j = blockIdx.x * 256 + threadIdx.x;
  size_t at = (size_t)blockIdx.y * kColumns + j;
  out[at] = a[at] + b[j];
}
