//===- conv_transposed.cu - Transposed convolution of stride two --------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As decoders enlarge images; NCHW, inputs with a border of one. A thread makes
// two by two pixels of eight features, a workgroup those of 16 by 16 pixels of
// the input. Sizes: BATCH, CHANNELS, FEATURES, HEIGHT, WIDTH (of the input).
// Grid: WIDTH / 16 * (HEIGHT / 16), FEATURES / 8, BATCH.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ __launch_bounds__(256) void
conv_transposed(const float *__restrict__ in, const float *__restrict__ weights,
                float *__restrict__ out) {
  __shared__ float kernels[8][128];
  constexpr int kRow = WIDTH + 2;
  int x = blockIdx.x % (WIDTH / 16) * 16 + threadIdx.x % 16;
  int y = blockIdx.x / (WIDTH / 16) * 16 + threadIdx.x / 16;
  int feature = blockIdx.y * 8;
  const float *from =
      in + (size_t)blockIdx.z * CHANNELS * (HEIGHT + 2) * kRow + y * kRow + x;
  float sums[8][2][2] = {};
  for (int first = 0; first < CHANNELS; first += 8) {
#pragma unroll
    for (int i = threadIdx.x; i < 1024; i += 256)
      kernels[i / 128][i % 128] =
          weights[((size_t)(first + i / 128) * FEATURES + feature) * 16 + i % 128];
    __syncthreads();
    for (int c = 0; c < 8; ++c, from += (HEIGHT + 2) * kRow) {
      float near[3][3];
#pragma unroll
      for (int i = 0; i < 9; ++i)
        near[i / 3][i % 3] = from[i / 3 * kRow + i % 3];
#pragma unroll
      for (int f = 0; f < 8; ++f)
#pragma unroll
        for (int i = 0; i < 16; ++i) {
          // Of an even row, weights 1 and 3 of this row and the one above; of
          // an odd row, weights 2 and 0 of this row and the one below.
          int oy = i / 8, ox = i / 4 % 2, ay = i / 2 % 2, ax = i % 2;
          int ky = 3 - oy - 2 * ay, kx = 3 - ox - 2 * ax;
          sums[f][oy][ox] +=
              near[oy + ay][ox + ax] * kernels[c][f * 16 + ky * 4 + kx];
        }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 32; ++i)
    out[(((size_t)blockIdx.z * FEATURES + feature + i / 4) * (2 * HEIGHT) + 2 * y +
         i / 2 % 2) * (2 * WIDTH) + 2 * x + i % 2] = sums[i / 4][i / 2 % 2][i % 2];
}
