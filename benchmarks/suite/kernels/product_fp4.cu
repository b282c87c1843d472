//===- product_fp4.cu - A product of 4-bit floats on matrix cores ---------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C = A * B^T for chips whose matrix cores multiply fp4 (gfx950). Operands come in
// tiles that are contiguous and arranged as the instructions want them, as IREE's data
// tiling leaves them: 128 x 256 elements of A (16 KiB), 256 x 256 of B (32 KiB). Eight
// waves, 64 x 64 elements of C each; every tile is read once a step, through one of two
// buffers in workgroup memory, so that one workgroup fits on a compute unit. Scales are
// 1. Sizes: M, N, K. Grid: tiles of N, tiles of M.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

typedef int Int4 __attribute__((ext_vector_type(4)));
typedef int Int8 __attribute__((ext_vector_type(8)));
typedef float Float4 __attribute__((ext_vector_type(4)));

constexpr int kSteps = K / 256;
constexpr int kFp4 = 4, kScale = 127; // formats of the instruction; 2 to the 0

__device__ __forceinline__ Int8 widened(Int4 a) {
  return Int8{a[0], a[1], a[2], a[3], 0, 0, 0, 0};
}

extern "C" __global__ __launch_bounds__(512) void
product_fp4(const Int4 *__restrict__ a, const Int4 *__restrict__ b,
            float *__restrict__ c) {
  __shared__ Int4 tilesA[2][8][2][64], tilesB[2][16][2][64];
  int thread = threadIdx.x, lane = thread % 64, wave = thread / 64;
  int waveRow = wave / 4 * 4, waveColumn = wave % 4 * 4; // in tiles of 16
  const Int4 *rows = a + (size_t)blockIdx.y * kSteps * 1024;
  const Int4 *columns = b + (size_t)blockIdx.x * kSteps * 2048;
  Float4 sums[4][4] = {};
  for (int step = 0; step < kSteps; ++step) {
    auto &tileA = tilesA[step % 2];
    auto &tileB = tilesB[step % 2];
    for (int i = 0; i < 2; ++i)
      (&tileA[0][0][0])[thread + 512 * i] =
          rows[(size_t)step * 1024 + thread + 512 * i];
    for (int i = 0; i < 4; ++i)
      (&tileB[0][0][0])[thread + 512 * i] =
          columns[(size_t)step * 2048 + thread + 512 * i];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 2; ++k)
#pragma unroll
      for (int y = 0; y < 4; ++y)
#pragma unroll
        for (int x = 0; x < 4; ++x)
          sums[y][x] = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(
              widened(tileA[waveRow + y][k][lane]),
              widened(tileB[waveColumn + x][k][lane]), sums[y][x], kFp4, kFp4,
              0, kScale, 0, kScale);
  }
#pragma unroll
  for (int y = 0; y < 4; ++y)
#pragma unroll
    for (int x = 0; x < 4; ++x)
#pragma unroll
      for (int i = 0; i < 4; ++i)
        c[((size_t)blockIdx.y * 128 + (waveRow + y) * 16 + lane / 16 * 4 + i) *
              N +
          blockIdx.x * 256 + (waveColumn + x) * 16 + lane % 16] =
            sums[y][x][i];
}
