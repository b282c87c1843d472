//===- fabric.cu - What a cache hands out, and what crosses it ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Workgroups read and write pieces of 16 KiB of a buffer that the last-level cache
// holds, over and over, without the first-level cache. `share` of them walk the
// same pieces. fabric.py times them.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

constexpr unsigned kPiece = 16384;

struct Walk {
  unsigned pieces, steps, share;
};

/// Where the calling thread begins in its piece of a step. Odd factors spread what
/// runs at a time over the whole buffer.
__device__ static inline char *pieceOf(char *buffer, Walk walk, unsigned step,
                                       unsigned offset) {
  unsigned who = blockIdx.x / walk.share;
  unsigned piece = (who * 17u + step * 1031u + offset) % walk.pieces;
  return buffer + (size_t)piece * kPiece + threadIdx.x * 16;
}

__device__ static inline float readPiece(const char *at) {
  float read[4][4], sum = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i)
    asm volatile("ld.global.cg.v4.f32 {%0,%1,%2,%3}, [%4];"
                 : "=f"(read[i][0]), "=f"(read[i][1]), "=f"(read[i][2]),
                   "=f"(read[i][3])
                 : "l"(at + i * kPiece / 4));
#pragma unroll
  for (int i = 0; i < 4; ++i)
    sum += read[i][0] + read[i][1] + read[i][2] + read[i][3];
  return sum;
}

__device__ static inline void writePiece(char *at, float value) {
#pragma unroll
  for (int i = 0; i < 4; ++i)
    asm volatile("st.global.cg.v4.f32 [%0], {%1,%1,%1,%1};" ::"l"(at + i * kPiece / 4),
                 "f"(value)
                 : "memory");
}

extern "C" __global__ __launch_bounds__(256) void
fabric_read(char *buffer, float *out, unsigned pieces, unsigned steps,
            unsigned share) {
  Walk walk{pieces, steps, share};
  float sum = 0;
  for (unsigned step = 0; step < steps; ++step)
    sum += readPiece(pieceOf(buffer, walk, step, 0));
  if (sum == 1234.5f)
    out[0] = sum;
}

extern "C" __global__ __launch_bounds__(256) void
fabric_write(char *buffer, float *, unsigned pieces, unsigned steps,
             unsigned share) {
  Walk walk{pieces, steps, share};
  for (unsigned step = 0; step < steps; ++step)
    writePiece(pieceOf(buffer, walk, step, 0), 1.0f);
}

// What is read was written by another, half a buffer before: the copy in the half
// that is not its home is out of date.
extern "C" __global__ __launch_bounds__(256) void
fabric_both(char *buffer, float *out, unsigned pieces, unsigned steps,
            unsigned share) {
  Walk walk{pieces, steps, share};
  float sum = 0;
  for (unsigned step = 0; step < steps; ++step) {
    sum += readPiece(pieceOf(buffer, walk, step, pieces / 2));
    writePiece(pieceOf(buffer, walk, step, 0), 1.0f);
  }
  if (sum == 1234.5f)
    out[0] = sum;
}
