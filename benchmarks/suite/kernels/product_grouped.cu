//===- product_grouped.cu - Products of groups of rows --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A mixture of experts: tokens are sorted by the expert that they go to, and
// each group of rows is multiplied with the weights of its own, A_g * B_g^T,
// in fp16. Groups are filled up to whole tiles of 128 rows, as vLLM does it,
// and have 1 to 8 times TILES of them. A workgroup finds its group by the
// sums of the tiles before. Sizes: GROUPS (a multiple of 8), TILES, N, K.
// Grid: N / 128, tiles of rows: GROUPS / 8 * 36 * TILES.
//
//===----------------------------------------------------------------------===//

#include "tile_product.h"

// Where groups begin, in tiles of rows.
struct Begins {
  unsigned at[GROUPS + 1];
};
constexpr Begins beginsOf() {
  Begins begins = {};
  for (unsigned group = 0; group < GROUPS; ++group)
    begins.at[group + 1] = begins.at[group] + (1 + group * 5 % 8) * TILES;
  return begins;
}

extern "C" __global__ __launch_bounds__(256) void
product_grouped(const Half8 *__restrict__ a, const Half8 *__restrict__ b,
                Half2 *__restrict__ c) {
  __shared__ TileStep buffers[2];
  constexpr Begins begins = beginsOf();
  unsigned group = 0;
#pragma unroll
  for (int i = 1; i < GROUPS; ++i)
    group += blockIdx.y >= begins.at[i];
  size_t row = blockIdx.y * kTileEdge, column = blockIdx.x * kTileEdge;
  TileSums sums = {};
  multiplyTile<K / 8>(a + row * (K / 8), b + (group * N + column) * (K / 8),
                      K / kTileStep, buffers, sums);
  c += row * (N / 2) + column / 2;
  forEachPair(sums, [&](int y, int x, float left, float right) {
    c[y * (N / 2) + x] = halves(left, right);
  });
}
