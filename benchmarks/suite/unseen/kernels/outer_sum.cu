//===- outer_sum.cu - Sums of three tables of pairs ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// out[z][y][x] = a[z][y] + b[z][x] + c[y][x], as of features of triples. Four
// numbers a thread and row, 512 numbers of eight rows a workgroup. Sizes: NX,
// NY, NZ. Grid: NX / 512, NY / 8, NZ.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

typedef float Float4 __attribute__((ext_vector_type(4)));

extern "C" __global__ __launch_bounds__(128) void
outer_sum(const float *__restrict__ a, const Float4 *__restrict__ b,
          const Float4 *__restrict__ c, Float4 *__restrict__ out) {
  int x = blockIdx.x * 128 + threadIdx.x, z = blockIdx.z;
  Float4 column = b[(size_t)z * (NX / 4) + x];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    int y = blockIdx.y * 8 + i;
    Float4 sum = c[(size_t)y * (NX / 4) + x] + column + a[(size_t)z * NY + y];
    out[((size_t)z * NY + y) * (NX / 4) + x] = sum;
  }
}
