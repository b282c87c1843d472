//===- fir_bank.cu - A bank of FIR filters over many signals ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every filter over every signal; 32 taps, 1024 samples a workgroup, which with
// what follows them are in shared memory. Signals are longer than results by
// the taps. Sizes: SIGNALS, FILTERS, SAMPLES. Grid: SAMPLES / 1024, SIGNALS,
// FILTERS.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ __launch_bounds__(256) void
fir_bank(const float *__restrict__ signals, const float *__restrict__ taps,
         float *__restrict__ out) {
  __shared__ float tile[1024 + 32];
  const float *from =
      signals + (size_t)blockIdx.y * (SAMPLES + 32) + blockIdx.x * 1024;
  const float *mine = taps + blockIdx.z * 32;
  for (int i = threadIdx.x; i < 1024 + 32; i += 256)
    tile[i] = from[i];
  __syncthreads();
  float sums[4] = {};
#pragma unroll
  for (int k = 0; k < 32; ++k) {
    float tap = mine[k];
#pragma unroll
    for (int i = 0; i < 4; ++i)
      sums[i] += tap * tile[threadIdx.x + 256 * i + k];
  }
  float *to = out + ((size_t)blockIdx.z * SIGNALS + blockIdx.y) * SAMPLES +
              blockIdx.x * 1024;
#pragma unroll
  for (int i = 0; i < 4; ++i)
    to[threadIdx.x + 256 * i] = sums[i];
}
