//===- smith_waterman_batch.cu - One query against many sequences ---------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Best scores of local alignments with a batch of sequences from a database,
// without their tables. What a letter scores at a position of the query is a
// profile that all sequences share (as in CUDASW++,
// doi 10.1186/1756-0500-3-93), in bytes with an offset (as in Farrar's,
// doi 10.1093/bioinformatics/btl582), tile by tile: 64 positions of each of 24
// letters. One launch an anti-diagonal of tiles of 64 x 64 scores; a workgroup
// walks the anti-diagonals of its tile, a position of the query a thread. What
// tiles hand on is the last row and the last column that are known, both zero
// at first. Sizes: QUERY, LETTERS (of each sequence), SEQUENCES. Launch d of
// 0 .. QUERY / 64 + LETTERS / 64 - 2: `diagonal` = d,
// grid = SEQUENCES, the tiles on it.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

constexpr int kTile = 64, kRows = QUERY / kTile, kColumns = LETTERS / kTile;
constexpr int kAlphabet = 24, kOffset = 8;

extern "C" __global__ __launch_bounds__(64) void
smith_waterman_batch(const signed char *__restrict__ profile,
                     const signed char *__restrict__ letters,
                     int *__restrict__ bottom, int *__restrict__ side,
                     int *__restrict__ corner, int *__restrict__ best,
                     int diagonal) {
  __shared__ signed char scores[kAlphabet * kTile], word[kTile];
  __shared__ int edge[kTile], column[kTile + 1], last[2][kTile];
  int thread = threadIdx.x;
  int row = (diagonal < kColumns ? 0 : diagonal - kColumns + 1) + blockIdx.y;
  size_t across = (size_t)blockIdx.x * LETTERS + (diagonal - row) * kTile;
  size_t down = (size_t)blockIdx.x * QUERY + row * kTile;
  size_t tile = (size_t)blockIdx.x * kRows + row;
  for (int i = thread; i < kAlphabet * kTile; i += kTile)
    scores[i] = profile[row * kAlphabet * kTile + i];
  word[thread] = letters[across + thread];
  edge[thread] = bottom[across + thread];
  int left = side[down + thread], most = 0;
  column[thread + 1] = left;
  if (thread == 0)
    column[0] = corner[tile];
  __syncthreads();
  int before = column[thread]; // above the score to the left
  for (int step = 0; step < 2 * kTile - 1; ++step) {
    int at = step - thread;
    if (at >= 0 && at < kTile) {
      int above = thread ? last[step % 2][thread - 1] : edge[at];
      int score = before + scores[word[at] * kTile + thread] - kOffset;
      score = score > above - 2 ? score : above - 2;
      score = score > left - 2 ? score : left - 2;
      left = score > 0 ? score : 0;
      before = above;
      most = most > left ? most : left;
      last[(step + 1) % 2][thread] = left;
      if (thread == kTile - 1)
        edge[at] = left;
    }
    __syncthreads();
  }
  bottom[across + thread] = edge[thread];
  side[down + thread] = left;
  column[thread] = most;
  __syncthreads();
  if (thread)
    return;
  corner[tile] = before;
  for (int i = 0; i < kTile; ++i)
    most = most > column[i] ? most : column[i];
  if (most > best[tile])
    best[tile] = most;
}
