//===- sparse.cu - Tables that say where to go ----------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fills the tables that the kernels of sparse.py go by: numbers below `numbers`
// without an order, and rows of `length` of them. Grid: places / 256.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

extern "C" __global__ __launch_bounds__(256) void
fill_tables(int *starts, int *table, int places, int numbers, int length,
            int seed) {
  int place = blockIdx.x * 256 + threadIdx.x;
  unsigned mixed = place + seed;
  mixed = (mixed ^ mixed >> 16) * 0x7feb352du;
  mixed = (mixed ^ mixed >> 15) * 0x846ca68bu;
  if (place < places)
    table[place] = (mixed ^ mixed >> 16) % numbers;
  if (place * length <= places)
    starts[place] = place * length;
}
