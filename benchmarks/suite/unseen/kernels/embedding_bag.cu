//===- embedding_bag.cu - Sums of rows of embedding tables ---------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A bag sums LENGTH rows of 64 numbers, which are at random, so they are taken
// modulo ROWS. Four bags of one table a workgroup; results of a bag's tables
// lie side by side. Sizes: TABLES, ROWS, BAGS, LENGTH. Grid: BAGS / 4 *
// TABLES, bags first.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ __launch_bounds__(256) void
embedding_bag(const float *__restrict__ tables, const int *__restrict__ indices,
              float *__restrict__ out) {
  int table = blockIdx.x / (BAGS / 4), lane = threadIdx.x % 64;
  int bag = blockIdx.x % (BAGS / 4) * 4 + threadIdx.x / 64;
  const int *mine = indices + ((size_t)table * BAGS + bag) * LENGTH;
  const float *rows = tables + (size_t)table * ROWS * 64 + lane;
  float sum = 0;
#pragma unroll 8
  for (int i = 0; i < LENGTH; ++i) {
    unsigned row = (unsigned)mine[i] % ROWS;
    sum += rows[(size_t)row * 64];
  }
  out[((size_t)bag * TABLES + table) * 64 + lane] = sum;
}
