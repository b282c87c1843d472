//===- tile_product.h - A tile of a product on tensor cores -----*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 128 x 128 elements of A * B^T in fp16 by a workgroup of 256 threads on
// NVIDIA's tensor cores, in steps of 32: for kernels that differ in which tile
// a workgroup makes, and of how many steps. Eight warps have 64 x 32 sums each,
// in registers. What the next step needs is loaded during this one, and put
// into the other of two buffers, so that there is one barrier a step.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_BENCHMARKS_TILE_PRODUCT_H
#define SWIZZLE_BENCHMARKS_TILE_PRODUCT_H

#include "tensor_cores.h"

constexpr int kTileEdge = 128, kTileStep = 32;

/// One step of both operands, in pieces of 16 bytes: rows of four, and one
/// more, so that eight rows begin in different banks.
struct TileStep {
  Half8 a[kTileEdge][5], b[kTileEdge][5];
};

/// Of a warp: 4 x 4 blocks of 16 x 8, of which a lane has four elements.
struct TileSums {
  float at[4][4][4];
};

__device__ __forceinline__ void multiplyStep(const TileStep &step,
                                             TileSums &sums) {
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int row = warp / 4 * 64 + lane % 16;
  int column = warp % 4 * 32 + lane % 8 + lane / 16 * 8;
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    Half2 b[2][4];
#pragma unroll
    for (int x = 0; x < 2; ++x)
      loadMatrices(b[x], &step.b[column + x * 16][k * 2 + lane / 8 % 2]);
#pragma unroll
    for (int y = 0; y < 4; ++y) {
      Half2 a[4];
      loadMatrices(a, &step.a[row + y * 16][k * 2 + lane / 16]);
#pragma unroll
      for (int x = 0; x < 4; ++x)
        multiply(sums.at[y][x], a, b[x / 2][x % 2 * 2],
                 b[x / 2][x % 2 * 2 + 1]);
    }
  }
}

/// Adds `steps` steps to the sums. `a` and `b` are the tile's first rows at the
/// first step; rows are `kPitch` numbers of 16 bytes apart.
template <int kPitch>
__device__ __forceinline__ void
multiplyTile(const Half8 *__restrict__ a, const Half8 *__restrict__ b,
             int steps, TileStep (&buffers)[2], TileSums &sums) {
  // Eight lanes put two rows that begin four banks of 16 bytes apart.
  int lane = threadIdx.x % 32, piece = lane % 4;
  int row = threadIdx.x / 32 * 8 + lane / 4 % 2 * 4 + lane / 8;
  a += row * kPitch + piece;
  b += row * kPitch + piece;
  Half8 nextA[2], nextB[2];
  auto fetch = [&](int step) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      nextA[i] = a[64 * kPitch * i + step * (kTileStep / 8)];
      nextB[i] = b[64 * kPitch * i + step * (kTileStep / 8)];
    }
  };
  auto put = [&](TileStep &to) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      to.a[row + 64 * i][piece] = nextA[i];
      to.b[row + 64 * i][piece] = nextB[i];
    }
  };
  fetch(0);
  put(buffers[0]);
  __syncthreads();
  for (int step = 0; step < steps; ++step) {
    if (step + 1 < steps)
      fetch(step + 1);
    multiplyStep(buffers[step % 2], sums);
    if (step + 1 < steps)
      put(buffers[(step + 1) % 2]);
    __syncthreads();
  }
}

/// Calls `write` with row, pair of columns and sums of all that this thread
/// has.
template <typename Write>
__device__ __forceinline__ void forEachPair(const TileSums &sums, Write write) {
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
  for (int y = 0; y < 4; ++y)
#pragma unroll
    for (int x = 0; x < 4; ++x)
#pragma unroll
      for (int i = 0; i < 2; ++i)
        write(warp / 4 * 64 + y * 16 + lane / 4 + i * 8,
              warp % 4 * 16 + x * 4 + lane % 4, sums.at[y][x][i * 2],
              sums.at[y][x][i * 2 + 1]);
}

#endif // SWIZZLE_BENCHMARKS_TILE_PRODUCT_H
