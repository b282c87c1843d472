//===- attention.cu - Attention of grouped heads, prefill -----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// softmax(Q K^T / sqrt(128)) V in fp16 on NVIDIA's tensor cores, as
// FlashAttention-2 does it (arXiv 2307.08691): a workgroup has 128 queries of
// one head, 16 a warp, and goes through the keys by 64, whose values it loads
// while it multiplies the keys, and the next keys while it multiplies the
// values. Sums, largest scores and results stay in registers. GROUP query heads
// share a key head. With CAUSAL the last query sees all keys and each one
// before it a key less: the loop ends at the diagonal, and the two tiles on it
// are masked. Sizes: BATCH, HEADS, GROUP, QUERIES, KEYS, CAUSAL.
// Grid: QUERIES / 128, HEADS, BATCH.
//
//===----------------------------------------------------------------------===//

#include "tensor_cores.h"

// In numbers of 16 bytes, of which a row of 128 halves has 16.
constexpr int kRow = 16, kTile = 64 * kRow;
// exp(x / sqrt(128)) as a power of 2.
constexpr float kScale = 1.44269504f / 11.3137085f;

// Rows of 272 bytes, so that eight of them begin in different banks.
struct Tile {
  Half8 rows[64][kRow + 1];
};

// A tile's rows lie one after the other in memory.
__device__ __forceinline__ void fetch(Half8 (&pieces)[4],
                                      const Half8 *__restrict__ from) {
#pragma unroll
  for (int i = 0; i < 4; ++i)
    pieces[i] = from[threadIdx.x + 256 * i];
}
__device__ __forceinline__ void put(Tile &tile, const Half8 (&pieces)[4]) {
#pragma unroll
  for (int i = 0; i < 4; ++i)
    tile.rows[threadIdx.x / 16 + 16 * i][threadIdx.x % 16] = pieces[i];
}

__device__ __forceinline__ float exp2(float x) {
  return __nvvm_ex2_approx_ftz_f(x);
}
// Of the four lanes that have parts of a row.
__device__ __forceinline__ float largestOfRow(float x) {
  x = fmaxf(x, __nvvm_shfl_sync_bfly_f32(~0u, x, 1, 31));
  return fmaxf(x, __nvvm_shfl_sync_bfly_f32(~0u, x, 2, 31));
}
__device__ __forceinline__ float sumOfRow(float x) {
  x += __nvvm_shfl_sync_bfly_f32(~0u, x, 1, 31);
  return x + __nvvm_shfl_sync_bfly_f32(~0u, x, 2, 31);
}

// What a warp knows of its 16 queries; a lane has two rows of each.
struct Rows {
  Half2 queries[8][4];
  float sums[16][4], largest[2], total[2];
};

__device__ __forceinline__ void scoresOf(float (&scores)[8][4],
                                         const Rows &rows, const Tile &keys) {
  int lane = threadIdx.x % 32;
#pragma unroll
  for (int n = 0; n < 8; n += 2)
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      Half2 b[4];
      loadMatrices(
          b,
          &keys.rows[n * 8 + lane % 8 + lane / 16 * 8][k * 2 + lane / 8 % 2]);
      multiply(scores[n], rows.queries[k], b[0], b[1]);
      multiply(scores[n + 1], rows.queries[k], b[2], b[3]);
    }
}

// Leaves out keys after the query; both are counted from the diagonal's begin.
__device__ __forceinline__ void mask(float (&scores)[8][4], int firstKey) {
  int lane = threadIdx.x % 32, row = threadIdx.x / 32 * 16 + lane / 4;
  int column = firstKey + lane % 4 * 2;
#pragma unroll
  for (int n = 0; n < 8; ++n)
#pragma unroll
    for (int i = 0; i < 4; ++i)
      if (column + n * 8 + i % 2 > row + i / 2 * 8)
        scores[n][i] = -__builtin_inff();
}

// Makes scores numerators, of the largest score so far.
__device__ __forceinline__ void weigh(Rows &rows, float (&scores)[8][4]) {
#pragma unroll
  for (int row = 0; row < 2; ++row) {
    float most = rows.largest[row], total = 0;
#pragma unroll
    for (int n = 0; n < 8; ++n)
      most = fmaxf(most, fmaxf(scores[n][row * 2], scores[n][row * 2 + 1]));
    most = largestOfRow(most);
    float less = exp2((rows.largest[row] - most) * kScale);
    rows.largest[row] = most;
#pragma unroll
    for (int n = 0; n < 8; ++n)
#pragma unroll
      for (int i = row * 2; i < row * 2 + 2; ++i)
        total += scores[n][i] = exp2(scores[n][i] * kScale - most * kScale);
    rows.total[row] = rows.total[row] * less + total;
#pragma unroll
    for (int n = 0; n < 16; ++n) {
      rows.sums[n][row * 2] *= less;
      rows.sums[n][row * 2 + 1] *= less;
    }
  }
}

__device__ __forceinline__ void
addValues(Rows &rows, const float (&weights)[8][4], const Tile &values) {
  int lane = threadIdx.x % 32;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const float *left = weights[k * 2], *right = weights[k * 2 + 1];
    Half2 a[4] = {halves(left[0], left[1]), halves(left[2], left[3]),
                  halves(right[0], right[1]), halves(right[2], right[3])};
#pragma unroll
    for (int n = 0; n < 16; n += 2) {
      Half2 b[4];
      loadMatrices<true>(b, &values.rows[k * 16 + lane % 16][n + lane / 16]);
      multiply(rows.sums[n], a, b[0], b[1]);
      multiply(rows.sums[n + 1], a, b[2], b[3]);
    }
  }
}

extern "C" __global__ __launch_bounds__(256) void
attention(const Half8 *__restrict__ q, const Half8 *__restrict__ k,
          const Half8 *__restrict__ v, Half8 *__restrict__ out) {
  __shared__ Tile tiles[2];
  Tile &keys = tiles[0], &values = tiles[1];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  Tile &mine = tiles[warp / 4];
  size_t head = blockIdx.z * HEADS + blockIdx.y;
  size_t first = (head * QUERIES + blockIdx.x * 128) * kRow;
  size_t keyHead = blockIdx.z * (HEADS / GROUP) + blockIdx.y / GROUP;
  k += keyHead * KEYS * kRow;
  v += keyHead * KEYS * kRow;
  Half8 pieces[4];
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    fetch(pieces, q + first + kTile * i);
    put(tiles[i], pieces);
  }
  __syncthreads();
  const float lowest = -__builtin_inff();
  Rows rows = {{}, {}, {lowest, lowest}, {}};
#pragma unroll
  for (int i = 0; i < 8; ++i)
    loadMatrices(rows.queries[i],
                 &mine.rows[warp % 4 * 16 + lane % 16][i * 2 + lane / 16]);
  int count = CAUSAL ? (KEYS - QUERIES) / 64 + (blockIdx.x + 1) * 2 : KEYS / 64;
  fetch(pieces, k);
  __syncthreads();
  put(keys, pieces);
  for (int tile = 0; tile < count; ++tile) {
    fetch(pieces, v + tile * kTile);
    __syncthreads();
    float scores[8][4] = {};
    scoresOf(scores, rows, keys);
    put(values, pieces);
    if (tile + 1 < count)
      fetch(pieces, k + (tile + 1) * kTile);
    __syncthreads();
    if (CAUSAL && tile >= count - 2)
      mask(scores, (tile - count + 2) * 64);
    weigh(rows, scores);
    addValues(rows, scores, values);
    if (tile + 1 < count)
      put(keys, pieces);
  }
  __syncthreads();
#pragma unroll
  for (int row = 0; row < 2; ++row) {
    float one = 1.0f / sumOfRow(rows.total[row]);
#pragma unroll
    for (int n = 0; n < 16; ++n)
      ((Half2 *)&mine.rows[warp % 4 * 16 + lane / 4 + row * 8][n])[lane % 4] =
          halves(rows.sums[n][row * 2] * one, rows.sums[n][row * 2 + 1] * one);
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 8; ++i)
    out[first + threadIdx.x + 256 * i] =
        tiles[i / 4].rows[threadIdx.x / 16 + i % 4 * 16][threadIdx.x % 16];
}
