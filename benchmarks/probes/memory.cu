//===- memory.cu - What memory and stores cost, by themselves -------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels that do one thing each. Tiles of W x H numbers are read, written or
// copied in many orders: the same bytes, each once. Stores of some numbers a
// thread, one by one, are counted on their way to the L2. memory.py runs them.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

// The tile of a workgroup. Mode 0 walks pieces of `piece` columns down all rows,
// x fastest; mode 1 pieces of `piece` rows along all columns, y fastest.
__device__ static inline void place(unsigned columns, unsigned rows,
                                    unsigned piece, unsigned mode, unsigned &x,
                                    unsigned &y) {
  unsigned id = blockIdx.x;
  unsigned ofPiece = piece * (mode ? columns : rows);
  unsigned which = id / ofPiece, within = id % ofPiece;
  unsigned along = within / piece, across = which * piece + within % piece;
  x = mode ? along : across;
  y = mode ? across : along;
}

#define TILES(W, H)                                                            \
  extern "C" __global__ __launch_bounds__(256) void write_##W(                 \
      const float *__restrict__, float *__restrict__ out, unsigned columns,    \
      unsigned rows, unsigned piece, unsigned mode) {                          \
    unsigned x, y;                                                             \
    place(columns, rows, piece, mode, x, y);                                   \
    size_t length = (size_t)columns * W;                                       \
    for (int i = 0; i < W * H / 256; ++i)                                      \
      out[(y * H + threadIdx.x / W + i * (256 / W)) * length + x * W +         \
          threadIdx.x % W] = blockIdx.x + i;                                   \
  }                                                                            \
  extern "C" __global__ __launch_bounds__(256) void read_##W(                  \
      const float *__restrict__ in, float *__restrict__ out, unsigned columns, \
      unsigned rows, unsigned piece, unsigned mode) {                          \
    unsigned x, y;                                                             \
    place(columns, rows, piece, mode, x, y);                                   \
    size_t length = (size_t)columns * W;                                       \
    float sum = 0;                                                             \
    for (int i = 0; i < W * H / 256; ++i)                                      \
      sum += in[(y * H + threadIdx.x / W + i * (256 / W)) * length + x * W +   \
                threadIdx.x % W];                                              \
    if (sum == 1234.5f)                                                        \
      out[blockIdx.x] = sum;                                                   \
  }                                                                            \
  extern "C" __global__ __launch_bounds__(256) void copy_##W(                  \
      const float *__restrict__ in, float *__restrict__ out, unsigned columns, \
      unsigned rows, unsigned piece, unsigned mode) {                          \
    unsigned x, y;                                                             \
    place(columns, rows, piece, mode, x, y);                                   \
    size_t length = (size_t)columns * W;                                       \
    float kept[W * H / 256];                                                   \
    for (int i = 0; i < W * H / 256; ++i)                                      \
      kept[i] = in[(y * H + threadIdx.x / W + i * (256 / W)) * length +        \
                   x * W + threadIdx.x % W];                                   \
    for (int i = 0; i < W * H / 256; ++i)                                      \
      out[(y * H + threadIdx.x / W + i * (256 / W)) * length + x * W +         \
          threadIdx.x % W] = kept[i];                                          \
  }
TILES(32, 32)
TILES(64, 16)
TILES(128, 8)
TILES(256, 4)

// As many numbers a thread as the name says, read and stored one by one.
#define STORES(COUNT)                                                          \
  extern "C" __global__ __launch_bounds__(256) void stores_##COUNT(            \
      const float *__restrict__ in, float *__restrict__ out) {                 \
    size_t at = ((size_t)blockIdx.x * 256 + threadIdx.x) * COUNT;              \
    for (int i = 0; i < COUNT; ++i)                                            \
      out[at + i] = in[at + i] + 1;                                            \
  }
STORES(2)
STORES(4)
STORES(8)

// The same, where what is read may be what was stored.
extern "C" __global__ __launch_bounds__(256) void
stores_4_waiting(const float *in, float *out) {
  size_t at = ((size_t)blockIdx.x * 256 + threadIdx.x) * 4;
  for (int i = 0; i < 4; ++i)
    out[at + i] = in[at + i] + 1;
}
