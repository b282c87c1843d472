//===- product_stream_k_atomic.cu - Stream-K that adds up in memory -------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C += A * B^T, fp16 to fp32, on NVIDIA's tensor cores, as stream-K
// (stream_k.h) in one launch: workgroups that share a tile add what they have
// of it to C, which is zero at first, so that none waits for another. Whole
// tiles are added in the same way, so that there is nothing but updates, which
// commute. Bundles fill inputs with multiples of 1/8 in [-1, 1): sums of up to
// 2^18 of their products, multiples of 1/64, are floats in whatever order, and
// outputs are compared bit by bit. Sizes: M, N, K, WORKGROUPS (two for each
// compute unit), GROUP. Grid: WORKGROUPS.
//
//===----------------------------------------------------------------------===//

#include "stream_k.h"
#include "tile_product.h"

using Share = StreamK<kTileEdge, kTileStep>;

// Adds `steps` steps of a tile, from `first` on, to C.
__device__ __forceinline__ void addSteps(const Half8 *__restrict__ a,
                                         const Half8 *__restrict__ b,
                                         float *__restrict__ c, int tile,
                                         int first, int steps,
                                         TileStep (&buffers)[2]) {
  size_t row = Share::rowOf(tile) * kTileEdge;
  size_t column = Share::columnOf(tile) * kTileEdge;
  TileSums sums = {};
  multiplyTile<K / 8>(a + row * (K / 8) + first * (kTileStep / 8),
                      b + column * (K / 8) + first * (kTileStep / 8), steps,
                      buffers, sums);
  c += row * N + column;
  forEachPair(sums, [&](int y, int x, float left, float right) {
    atomicAdd(&c[y * N + x * 2], left);
    atomicAdd(&c[y * N + x * 2 + 1], right);
  });
}

extern "C" __global__ __launch_bounds__(256) void
product_stream_k_atomic(const Half8 *__restrict__ a,
                        const Half8 *__restrict__ b, float *__restrict__ c) {
  __shared__ TileStep buffers[2];
  for (int tile = blockIdx.x; tile < Share::kWhole; tile += WORKGROUPS)
    addSteps(a, b, c, tile, 0, Share::kSteps, buffers);
  int step = Share::firstStep(blockIdx.x);
  int last = Share::firstStep(blockIdx.x + 1);
  while (step < last) {
    int first = step % Share::kSteps, left = Share::kSteps - first;
    int steps = last - step < left ? last - step : left;
    addSteps(a, b, c, Share::kWhole + step / Share::kSteps, first, steps,
             buffers);
    step += steps;
  }
}
