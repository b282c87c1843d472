//===- window_histogram.cu - Histograms of windows that overlap by half ---===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As local equalisation wants them: windows of 64 by 64 pixels every 32, 64
// bins. Each of 64 threads counts a column in bins of its own, which are then
// added up. ACROSS and DOWN are the windows of a frame. Sizes: FRAMES, ACROSS,
// DOWN. Grid: ACROSS, DOWN, FRAMES.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ __launch_bounds__(64) void
window_histogram(const unsigned char *__restrict__ frames,
                 int *__restrict__ counts) {
  constexpr int kWidth = ACROSS * 32 + 32, kHeight = DOWN * 32 + 32;
  __shared__ unsigned short slots[64][66];
  int thread = threadIdx.x;
  const unsigned char *from =
      frames + ((size_t)blockIdx.z * kHeight + blockIdx.y * 32) * kWidth +
      blockIdx.x * 32 + thread;
  for (int bin = 0; bin < 64; ++bin)
    slots[bin][thread] = 0;
#pragma unroll 8
  for (int y = 0; y < 64; ++y)
    ++slots[from[y * kWidth] / 4][thread];
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 64; ++i)
    sum += slots[thread][i];
  size_t window = ((size_t)blockIdx.z * DOWN + blockIdx.y) * ACROSS + blockIdx.x;
  counts[window * 64 + thread] = sum;
}
