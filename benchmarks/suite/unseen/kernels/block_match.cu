//===- block_match.cu - Sums of absolute differences of a motion search ---===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each block of 16 x 16 pixels is compared with 16 x 16 places in the frame
// before, two pixels apart, a place a thread; the window of 46 x 46 pixels is
// in shared memory. The earlier frame has a border of 16 pixels. Sizes: WIDTH,
// HEIGHT, FRAMES. Grid: WIDTH / 16, HEIGHT / 16, FRAMES.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

constexpr int kWindow = 46, kStride = WIDTH + 32;

extern "C" __global__ __launch_bounds__(256) void
block_match(const unsigned char *__restrict__ current,
            const unsigned char *__restrict__ previous,
            int *__restrict__ costs) {
  __shared__ unsigned char block[256], window[kWindow * kWindow];
  int thread = threadIdx.x, dx = thread % 16, dy = thread / 16;
  const unsigned char *from =
      previous + (size_t)blockIdx.z * (HEIGHT + 32) * kStride +
      (size_t)(blockIdx.y * 16) * kStride + blockIdx.x * 16;
  block[thread] = current[((size_t)blockIdx.z * HEIGHT + blockIdx.y * 16 + dy) *
                              WIDTH +
                          blockIdx.x * 16 + dx];
  for (int i = thread; i < kWindow * kWindow; i += 256)
    window[i] = from[(size_t)(i / kWindow) * kStride + i % kWindow];
  __syncthreads();
  int sum = 0;
  for (int y = 0; y < 16; ++y)
#pragma unroll
    for (int x = 0; x < 16; ++x) {
      int difference = (int)block[y * 16 + x] -
                       (int)window[(y + dy * 2) * kWindow + x + dx * 2];
      sum += difference < 0 ? -difference : difference;
    }
  size_t at = ((size_t)blockIdx.z * (HEIGHT / 16) + blockIdx.y) * (WIDTH / 16) +
              blockIdx.x;
  costs[at * 256 + thread] = sum;
}
