//===- bias_add.cu - Fused elementwise operations -------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A bias that all batches share, and an activation. Four numbers a thread, 256
// threads. Sizes: ROWS, COLUMNS, BATCH. Grid: COLUMNS / 1024, ROWS, BATCH.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ __launch_bounds__(256) void
bias_add(const float *__restrict__ in, const float *__restrict__ bias,
         float *__restrict__ out) {
  size_t inside = (size_t)blockIdx.y * COLUMNS + blockIdx.x * 1024 +
                  threadIdx.x * 4;
  size_t at = (size_t)blockIdx.z * ROWS * COLUMNS + inside;
  for (int i = 0; i < 4; ++i) {
    float sum = in[at + i] + bias[inside + i];
    out[at + i] = sum > 0 ? sum : 0.125f * sum;
  }
}
