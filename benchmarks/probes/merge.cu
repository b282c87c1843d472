//===- merge.cu - Which compute units' reads are merged -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Workgroups, one to a compute unit, read streams without the first-level cache.
// A table says which stream a unit reads, and how many clocks after the others
// it begins. merge.py counts how many of the reads get to the L2.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

struct Role {
  unsigned stream; ///< ~0: none
  unsigned delay;
};

__device__ static inline unsigned clocks() {
  unsigned time;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(time)::"memory");
  return time;
}

// Each warp makes `steps` rounds, of `DEPTH` pieces of 512 bytes each; warps take
// turns, and `gap` clocks at least pass between two rounds of one. Workgroups wait
// for each other first.
template <int DEPTH>
__device__ static inline void follow(const float *in, float *out,
                                     const Role *roles, unsigned *arrived,
                                     unsigned units, unsigned lines,
                                     unsigned steps, unsigned gap) {
  unsigned unit;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(unit));
  Role role = roles[unit];
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1u);
    while (atomicAdd(arrived, 0u) < units)
      ;
  }
  __syncthreads();
  if (role.stream == ~0u)
    return;
  unsigned begin = clocks();
  while (clocks() - begin < role.delay)
    ;
  unsigned warps = blockDim.x / 32, warp = threadIdx.x / 32,
           lane = threadIdx.x % 32;
  const float *stream = in + (size_t)role.stream * lines * 32;
  float sum = 0;
  for (unsigned step = 0; step < steps; ++step) {
    float read[DEPTH][4];
    unsigned from = clocks();
#pragma unroll
    for (int i = 0; i < DEPTH; ++i) {
      unsigned piece = (step * DEPTH + i) * warps + warp;
      const float *at = stream + ((size_t)piece * 128 + lane * 4) % (lines * 32);
      asm volatile("ld.global.cg.v4.f32 {%0,%1,%2,%3}, [%4];"
                   : "=f"(read[i][0]), "=f"(read[i][1]), "=f"(read[i][2]),
                     "=f"(read[i][3])
                   : "l"(at));
    }
#pragma unroll
    for (int i = 0; i < DEPTH; ++i)
      sum += read[i][0] + read[i][1] + read[i][2] + read[i][3];
    if (sum == 1234.5f) // waits for what was read
      out[step] = sum;
    while (clocks() - from < gap)
      ;
  }
}

extern "C" __global__ __launch_bounds__(1024) void
merge_1(const float *in, float *out, const Role *roles, unsigned *arrived,
        unsigned units, unsigned lines, unsigned steps, unsigned gap) {
  follow<1>(in, out, roles, arrived, units, lines, steps, gap);
}

extern "C" __global__ __launch_bounds__(1024) void
merge_4(const float *in, float *out, const Role *roles, unsigned *arrived,
        unsigned units, unsigned lines, unsigned steps, unsigned gap) {
  follow<4>(in, out, roles, arrived, units, lines, steps, gap);
}
