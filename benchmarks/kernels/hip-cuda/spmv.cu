//===- spmv.cu - A sparse matrix times a vector --------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CSR, one row a thread. Grid: rows / 256.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ __launch_bounds__(256) void
spmv(const int *__restrict__ starts, const int *__restrict__ columns,
     const float *__restrict__ values, const float *__restrict__ x,
     float *__restrict__ y, int rows) {
  int row = blockIdx.x * 256 + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0;
  for (int i = starts[row]; i < starts[row + 1]; ++i)
    sum += values[i] * x[columns[i]];
  y[row] = sum;
}
