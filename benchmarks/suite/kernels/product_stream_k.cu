//===- product_stream_k.cu - A product by persistent workgroups -----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C = A * B^T in fp16 on AMD's matrix cores (gfx942), tiles of 256 x 256 x 64,
// as stream-K (stream_k.h). A second launch adds up the parts of the tiles that
// several workgroups share, so that none waits for another. Eight waves,
// 128 x 64 elements of C each. Sizes: M, N, K, WORKGROUPS (as many as the chip
// has compute units), GROUP.
// Grid: WORKGROUPS; M * N / 65536 % WORKGROUPS * 64 to add up.
//
//===----------------------------------------------------------------------===//

#include "stream_k.h"

typedef _Float16 Half4 __attribute__((ext_vector_type(4)));
typedef _Float16 Half8 __attribute__((ext_vector_type(8)));
typedef float Float4 __attribute__((ext_vector_type(4)));

using Share = StreamK<256, 64>;
constexpr int kSteps = Share::kSteps, kWhole = Share::kWhole;
constexpr int kTile = 256 * 256;

struct Tiles {
  // Rows of eight pieces of 16 bytes, which lie crosswise for the banks.
  Half8 a[256][8], b[256][8];
};

__device__ __forceinline__ Half4 fragment(const Half8 (&tile)[256][8], int row,
                                          int k) {
  Half8 piece = tile[row][k / 8 ^ row % 8];
  return k % 8 ? piece.hi : piece.lo;
}

// Adds `steps` steps of a tile, from `first` on, to the sums of this thread.
__device__ __forceinline__ void multiply(const Half8 *__restrict__ a,
                                         const Half8 *__restrict__ b, int tile,
                                         int first, int steps, Tiles &shared,
                                         Float4 (&sums)[8][4]) {
  int thread = threadIdx.x, lane = thread % 64, wave = thread / 64;
  const Half8 *rows = a + (size_t)Share::rowOf(tile) * 256 * (K / 8);
  const Half8 *columns = b + (size_t)Share::columnOf(tile) * 256 * (K / 8);
  for (int step = first; step < first + steps; ++step) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      int row = thread / 8 + 64 * i, piece = thread % 8;
      size_t at = (size_t)row * (K / 8) + step * 8 + piece;
      shared.a[row][piece ^ row % 8] = rows[at];
      shared.b[row][piece ^ row % 8] = columns[at];
    }
    __syncthreads();
    for (int k = 0; k < 64; k += 16) {
      Half4 across[4];
#pragma unroll
      for (int x = 0; x < 4; ++x)
        across[x] = fragment(shared.b, wave % 4 * 64 + x * 16 + lane % 16,
                             k + lane / 16 * 4);
#pragma unroll
      for (int y = 0; y < 8; ++y) {
        Half4 down = fragment(shared.a, wave / 4 * 128 + y * 16 + lane % 16,
                              k + lane / 16 * 4);
#pragma unroll
        for (int x = 0; x < 4; ++x)
          sums[y][x] = __builtin_amdgcn_mfma_f32_16x16x16f16(
              down, across[x], sums[y][x], 0, 0, 0);
      }
    }
    __syncthreads();
  }
}

// Calls `write` with row, column and sum of all that this thread has of a tile.
template <typename Write>
__device__ __forceinline__ void forEach(const Float4 (&sums)[8][4],
                                        Write write) {
  int lane = threadIdx.x % 64, wave = threadIdx.x / 64;
#pragma unroll
  for (int y = 0; y < 8; ++y)
#pragma unroll
    for (int x = 0; x < 4; ++x)
#pragma unroll
      for (int i = 0; i < 4; ++i)
        write(wave / 4 * 128 + y * 16 + lane / 16 * 4 + i,
              wave % 4 * 64 + x * 16 + lane % 16, sums[y][x][i]);
}

extern "C" __global__ __launch_bounds__(512) void
product_stream_k(const Half8 *__restrict__ a, const Half8 *__restrict__ b,
                 float *__restrict__ parts, _Float16 *__restrict__ c) {
  __shared__ Tiles shared;
  for (int tile = blockIdx.x; tile < kWhole; tile += WORKGROUPS) {
    Float4 sums[8][4] = {};
    multiply(a, b, tile, 0, kSteps, shared, sums);
    _Float16 *results =
        c + (size_t)Share::rowOf(tile) * 256 * N + Share::columnOf(tile) * 256;
    forEach(sums, [&](int row, int column, float sum) {
      results[(size_t)row * N + column] = (_Float16)sum;
    });
  }
  // Steps of the tile that it begins in, and of the next if it gets that far.
  int first = Share::firstStep(blockIdx.x);
  int last = Share::firstStep(blockIdx.x + 1);
  int border = (first / kSteps + 1) * kSteps;
  for (int i = 0; i < 2; ++i) {
    int from = i ? border : first, to = i || last < border ? last : border;
    if (from >= to)
      return;
    Float4 sums[8][4] = {};
    multiply(a, b, kWhole + from / kSteps, from % kSteps, to - from, shared,
             sums);
    float *part = parts + ((size_t)blockIdx.x * 2 + i) * kTile;
    forEach(sums, [&](int row, int column, float sum) {
      part[row * 256 + column] = sum;
    });
  }
}

extern "C" __global__ __launch_bounds__(256) void
product_stream_k_add(const float *__restrict__ parts,
                     _Float16 *__restrict__ c) {
  int rest = blockIdx.x / 64, tile = kWhole + rest;
  int row = blockIdx.x % 64 * 4, column = threadIdx.x;
  _Float16 *results = c + ((size_t)Share::rowOf(tile) * 256 + row) * N +
                      Share::columnOf(tile) * 256 + column;
  float sums[4] = {};
  for (int id = 0; id < WORKGROUPS; ++id) {
    int first = Share::firstStep(id), last = Share::firstStep(id + 1);
    if (last <= rest * kSteps || first >= (rest + 1) * kSteps)
      continue;
    const float *part = parts +
                        ((size_t)id * 2 + (first < rest * kSteps)) * kTile +
                        row * 256 + column;
    for (int i = 0; i < 4; ++i)
      sums[i] += part[i * 256];
  }
  for (int i = 0; i < 4; ++i)
    results[(size_t)i * N] = (_Float16)sums[i];
}
