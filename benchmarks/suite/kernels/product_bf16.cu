//===- product_bf16.cu - A product of bf16 numbers on AMD's matrix cores --===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C = A * B^T for gfx942 and gfx950, in the tiles of a product by HipKittens (arXiv
// 2511.08083): a workgroup of eight waves has 192 x 256 elements of C, 96 x 64 a
// wave, and goes through K by 64, a line of 128 bytes of each row, by way of two
// buffers in workgroup memory, so that one workgroup fits on a compute unit.
// Sizes: M, N, K. Grid: tiles of N, tiles of M.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

typedef short Short4 __attribute__((ext_vector_type(4)));
typedef short Short8 __attribute__((ext_vector_type(8))); // eight bf16 numbers
typedef float Float4 __attribute__((ext_vector_type(4)));

// In numbers of 16 bytes.
constexpr int kSteps = K / 64, kRow = K / 8, kLine = 8;

__device__ __forceinline__ Short4 half(Short8 x, int which) {
  return which ? Short4{x[4], x[5], x[6], x[7]} : Short4{x[0], x[1], x[2], x[3]};
}

extern "C" __global__ __launch_bounds__(512) void
product_bf16(const Short8 *__restrict__ a, const Short8 *__restrict__ b,
             __bf16 *__restrict__ c) {
  __shared__ Short8 tilesA[2][192][kLine], tilesB[2][256][kLine];
  int thread = threadIdx.x, lane = thread % 64, wave = thread / 64;
  int waveRow = wave / 4 * 96, waveColumn = wave % 4 * 64;
  int row = thread / kLine, column = thread % kLine; // of what it loads
  const Short8 *rows = a + ((size_t)blockIdx.y * 192 + row) * kRow + column;
  const Short8 *columns = b + ((size_t)blockIdx.x * 256 + row) * kRow + column;
  Float4 sums[6][4] = {};
  for (int step = 0; step < kSteps; ++step) {
    auto &tileA = tilesA[step % 2];
    auto &tileB = tilesB[step % 2];
    for (int i = 0; i < 3; ++i)
      tileA[row + 64 * i][column] = rows[(size_t)64 * i * kRow + step * kLine];
    for (int i = 0; i < 4; ++i)
      tileB[row + 64 * i][column] =
          columns[(size_t)64 * i * kRow + step * kLine];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kLine; k += 2)
#pragma unroll
      for (int y = 0; y < 6; ++y)
#pragma unroll
        for (int x = 0; x < 4; ++x)
          sums[y][x] = __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(
              half(tileA[waveRow + y * 16 + lane % 16][k + lane / 32],
                   lane / 16 % 2),
              half(tileB[waveColumn + x * 16 + lane % 16][k + lane / 32],
                   lane / 16 % 2),
              sums[y][x], 0, 0, 0);
  }
#pragma unroll
  for (int y = 0; y < 6; ++y)
#pragma unroll
    for (int x = 0; x < 4; ++x)
#pragma unroll
      for (int i = 0; i < 4; ++i)
        c[((size_t)blockIdx.y * 192 + waveRow + y * 16 + lane / 16 * 4 + i) *
              N +
          blockIdx.x * 256 + waveColumn + x * 16 + lane % 16] =
            (__bf16)sums[y][x][i];
}
