//===- histogram.cu - A histogram of bytes -------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts in workgroup memory, which are added to those of all workgroups at the end.
// Grid: numbers / 4096.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ __launch_bounds__(256) void
histogram(const unsigned char *__restrict__ in, unsigned *__restrict__ counts) {
  __shared__ unsigned mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = 0; i < 16; ++i)
    atomicAdd(&mine[in[(size_t)blockIdx.x * 4096 + i * 256 + threadIdx.x]], 1u);
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], mine[threadIdx.x]);
}
