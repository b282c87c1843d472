//===- spmm.cu - A sparse matrix times a dense one ------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CSR, 256 columns of one row a workgroup. Grid: columns / 256 x rows. Rows of the
// dense matrix come again, but not before many others.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ __launch_bounds__(256) void
spmm(const int *__restrict__ starts, const int *__restrict__ columns,
     const float *__restrict__ values, const float *__restrict__ dense,
     float *__restrict__ out, int width) {
  int row = blockIdx.y, column = blockIdx.x * 256 + threadIdx.x;
  float sum = 0;
  for (int i = starts[row]; i < starts[row + 1]; ++i)
    sum += values[i] * dense[(size_t)columns[i] * width + column];
  out[(size_t)row * width + column] = sum;
}
