//===- attention_blocks.cu - Attention of grouped heads on matrix cores ---===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// softmax(Q K^T / sqrt(128)) V in bf16 for gfx942 and gfx950, in the blocks of
// rocKE's dense attention (ROCm/rocm-libraries): a workgroup of eight waves has
// 256 queries of one head, 32 a wave, and goes through the keys and values by 64, by
// way of two buffers in workgroup memory, so that one workgroup fits on a compute
// unit. GROUP query heads share a key head. With CAUSAL a query sees the keys up to
// its own place, and the loop ends at the diagonal.
//
// Scores are computed transposed, so that a lane has four keys of one query, which
// is how the matrix cores want the weights of the values: nothing is exchanged but
// the largest score and the sum, with the three other lanes of the query. Sizes:
// BATCH, HEADS, GROUP, LENGTH, CAUSAL. Grid: LENGTH / 256, HEADS, BATCH.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

typedef short Short4 __attribute__((ext_vector_type(4)));
typedef short Short8 __attribute__((ext_vector_type(8)));
typedef float Float4 __attribute__((ext_vector_type(4)));

constexpr int kKeys = 64, kRow = 16; // a row of 128 numbers, of 16 bytes each
// exp(x / sqrt(128)) as a power of 2.
constexpr float kScale = 1.44269504f / 11.3137085f;
constexpr float kNever = -1e30f;

using Tile = Short8[kKeys][kRow];

// Of 16 queries: this lane's one, what was seen of its scores, and a part of its
// result.
struct Queries {
  Short8 query[8];
  Float4 sums[8] = {};
  float largest = kNever, total = 0;
};

__device__ __forceinline__ float fromLane(float x, int lane) {
  return __builtin_bit_cast(
      float,
      __builtin_amdgcn_ds_bpermute(lane * 4, __builtin_bit_cast(int, x)));
}
__device__ __forceinline__ short rounded(float x) {
  return (short)(__builtin_bit_cast(int, x) >> 16);
}
__device__ __forceinline__ Short4 half(Short8 x, int which) {
  return which ? Short4{x[4], x[5], x[6], x[7]} : Short4{x[0], x[1], x[2], x[3]};
}

__device__ __forceinline__ void scoresOf(Float4 (&scores)[4],
                                         const Queries &rows, const Tile &keys,
                                         int lane) {
  int part = lane / 16;
#pragma unroll
  for (int n = 0; n < 4; ++n)
#pragma unroll
    for (int i = 0; i < 8; ++i)
      scores[n] = __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(
          half(keys[n * 16 + lane % 16][i * 2 + part / 2], part % 2),
          half(rows.query[i], part % 2), scores[n], 0, 0, 0);
}

// Makes scores numerators, of the largest so far. `last`: the last key that the
// query sees, counted from the first score.
__device__ __forceinline__ void weigh(Short4 (&weights)[4], Float4 (&scores)[4],
                                      Queries &rows, int lane, int last) {
  float largest = rows.largest, sum = 0;
#pragma unroll
  for (int n = 0; n < 4; ++n)
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if (CAUSAL && n * 16 + lane / 16 * 4 + i > last)
        scores[n][i] = kNever;
      largest = fmaxf(largest, scores[n][i]);
    }
  largest = fmaxf(largest, fromLane(largest, lane ^ 16));
  largest = fmaxf(largest, fromLane(largest, lane ^ 32));
  float less = __builtin_amdgcn_exp2f((rows.largest - largest) * kScale);
#pragma unroll
  for (int n = 0; n < 4; ++n)
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      float weight = __builtin_amdgcn_exp2f((scores[n][i] - largest) * kScale);
      sum += weight;
      weights[n][i] = rounded(weight);
    }
  sum += fromLane(sum, lane ^ 16);
  sum += fromLane(sum, lane ^ 32);
  rows.total = rows.total * less + sum;
  rows.largest = largest;
#pragma unroll
  for (int d = 0; d < 8; ++d)
    rows.sums[d] *= less;
}

__device__ __forceinline__ void addValues(Queries &rows,
                                          const Short4 (&weights)[4],
                                          const Tile &values, int lane) {
#pragma unroll
  for (int d = 0; d < 8; ++d)
#pragma unroll
    for (int n = 0; n < 4; ++n) {
      Short4 column;
#pragma unroll
      for (int i = 0; i < 4; ++i)
        column[i] = ((const short *)values[n * 16 + lane / 16 * 4 +
                                           i])[d * 16 + lane % 16];
      rows.sums[d] = __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(
          column, weights[n], rows.sums[d], 0, 0, 0);
    }
}

extern "C" __global__ __launch_bounds__(512) void
attention_blocks(const Short8 *__restrict__ q, const Short8 *__restrict__ k,
                 const Short8 *__restrict__ v, Short4 *__restrict__ out) {
  __shared__ Tile keys[2], values[2];
  int thread = threadIdx.x, lane = thread % 64, wave = thread / 64;
  int first = blockIdx.x * 256 + wave * 32 + lane % 16; // of its two queries
  size_t head = (size_t)blockIdx.z * HEADS + blockIdx.y;
  size_t keyHead = (size_t)blockIdx.z * (HEADS / GROUP) + blockIdx.y / GROUP;
  const Short8 *allKeys = k + keyHead * LENGTH * kRow;
  const Short8 *allValues = v + keyHead * LENGTH * kRow;
  Queries rows[2];
#pragma unroll
  for (int y = 0; y < 2; ++y)
#pragma unroll
    for (int i = 0; i < 8; ++i)
      rows[y].query[i] = q[(head * LENGTH + first + y * 16) * kRow + i * 2 +
                           lane / 32];
  int steps = CAUSAL ? blockIdx.x * 4 + 4 : LENGTH / kKeys;
  for (int step = 0; step < steps; ++step) {
    auto &keyTile = keys[step % 2];
    auto &valueTile = values[step % 2];
    for (int at = thread; at < kKeys * kRow; at += 512) {
      keyTile[at / kRow][at % kRow] = allKeys[step * kKeys * kRow + at];
      valueTile[at / kRow][at % kRow] = allValues[step * kKeys * kRow + at];
    }
    __syncthreads();
#pragma unroll
    for (int y = 0; y < 2; ++y) {
      Float4 scores[4] = {};
      Short4 weights[4];
      scoresOf(scores, rows[y], keyTile, lane);
      weigh(weights, scores, rows[y], lane, first + y * 16 - step * kKeys);
      addValues(rows[y], weights, valueTile, lane);
    }
  }
#pragma unroll
  for (int y = 0; y < 2; ++y)
#pragma unroll
    for (int d = 0; d < 8; ++d) {
      Short4 result;
#pragma unroll
      for (int i = 0; i < 4; ++i)
        result[i] = rounded(rows[y].sums[d][i] / rows[y].total);
      out[(head * LENGTH + first + y * 16) * 32 + d * 4 + lane / 16] = result;
    }
}
