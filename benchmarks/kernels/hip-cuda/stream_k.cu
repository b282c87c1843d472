//===- stream_k.cu - A product whose workgroups wait for each other ------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each workgroup adds its share of the inner dimension; the last one of a tile waits
// for the others by a flag. Must be refused: another order could wait for ever.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ __launch_bounds__(256) void
stream_k(const float *__restrict__ a, const float *__restrict__ b,
         float *__restrict__ c, float *__restrict__ partial,
         unsigned *__restrict__ flags) {
  int tile = blockIdx.x / 4, part = blockIdx.x % 4, thread = threadIdx.x;
  float sum = 0;
  for (int k = part * 256; k < part * 256 + 256; ++k)
    sum += a[(size_t)tile * 1024 + k] * b[k * 256 + thread];
  partial[(size_t)blockIdx.x * 256 + thread] = sum;
  __syncthreads();
  if (part != 3) {
    if (thread == 0)
      __scoped_atomic_fetch_add(&flags[tile], 1u, __ATOMIC_RELEASE,
                                __MEMORY_SCOPE_DEVICE);
    return;
  }
  while (__scoped_atomic_load_n(&flags[tile], __ATOMIC_ACQUIRE,
                                __MEMORY_SCOPE_DEVICE) != 3u)
    ;
  for (int other = 0; other < 3; ++other)
    sum += partial[(size_t)(tile * 4 + other) * 256 + thread];
  c[(size_t)tile * 256 + thread] = sum;
}
