//===- followers.cu - Where the next workgroup starts ---------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Workgroups that do nothing for a while note on which compute unit they run and
// when they began. followers.py tells how often one starts in the cluster of
// compute units (GPC) of the one before.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

__device__ static inline unsigned now() {
  unsigned time;
  asm volatile("mov.u32 %0, %%globaltimer_lo;" : "=r"(time));
  return time;
}

__device__ static inline unsigned unit() {
  unsigned number;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
  return number;
}

/// Lives last `life` nanoseconds, and up to `more` more, as a hash of the workgroup says.
extern "C" __global__ void follow(unsigned *notes, unsigned life, unsigned more) {
  unsigned began = now();
  if (threadIdx.x)
    return;
  unsigned hash = (blockIdx.x ^ blockIdx.x >> 15) * 0x7feb352du;
  hash = (hash ^ hash >> 15) * 0x846ca68bu;
  unsigned long long all = life + (((unsigned long long)more * (hash ^ hash >> 16)) >> 32);
  while (now() - began < all)
    ;
  notes[2 * blockIdx.x] = unit();
  notes[2 * blockIdx.x + 1] = began;
}

/// Launched with eight workgroups a cluster, all of which one cluster of compute units runs.
extern "C" __global__ void cluster(unsigned *notes, unsigned life, unsigned) {
  unsigned began = now();
  while (now() - began < life)
    ;
  notes[2 * blockIdx.x] = unit();
}
