//===- smith_waterman.cu - Local alignment of two sequences ---------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One launch an anti-diagonal of tiles of 64 x 64 scores; a workgroup walks the
// anti-diagonals of its tile, a row of the tile a thread. Row and column 0 of the
// table are zero. Sizes: N (letters of each sequence). Launch d of 0 .. 2 N / 64 - 2:
// `diagonal` = d, grid = the tiles on it.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

constexpr int kTile = 64, kTiles = N / kTile;
constexpr size_t kPitch = N + 1;

extern "C" __global__ __launch_bounds__(64) void
smith_waterman(const signed char *__restrict__ first,
               const signed char *__restrict__ second,
               int *__restrict__ table, int diagonal) {
  int top = diagonal < kTiles ? 0 : diagonal - kTiles + 1;
  int row = (top + blockIdx.x) * kTile + threadIdx.x + 1;
  int left = (diagonal - top - blockIdx.x) * kTile + 1;
  for (int step = 0; step < 2 * kTile - 1; ++step) {
    int column = step - (int)threadIdx.x;
    if (column >= 0 && column < kTile) {
      int *here = table + row * kPitch + left + column;
      int match = first[row - 1] == second[left + column - 1] ? 3 : -3;
      int best = here[-(long)kPitch - 1] + match;
      int above = here[-(long)kPitch] - 2, before = here[-1] - 2;
      best = best > above ? best : above;
      best = best > before ? best : before;
      *here = best > 0 ? best : 0;
    }
    __syncthreads();
  }
}
