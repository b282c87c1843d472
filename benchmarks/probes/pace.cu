//===- pace.cu - How out of step workgroups run, what caches keep ---------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two kernels of the suite, and one that only reads, which note when each of
// their workgroups began and ended, and on which compute unit; and one that
// reads a slice per workgroup again and again. pace.py runs them.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

#define M 8192
#define N 8192
#define K 4096
#define BATCH 32
#define H 56
#define W 56
#define C 64
#define F 256

// The kernels of the suite as functions.
#undef __global__
#undef __launch_bounds__
#define __global__ __device__ __forceinline__
#define __launch_bounds__(THREADS)
#include "../suite/kernels/product.cu"
#include "../suite/kernels/convolution.cu"
#undef __global__
#undef __launch_bounds__
#define __global__ __attribute__((global))
#define __launch_bounds__(THREADS) __attribute__((launch_bounds(THREADS)))

struct Life {
  unsigned long long begin, end;
  unsigned unit, unused;
};

__device__ static inline unsigned long long now() {
  unsigned long long time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time)::"memory");
  return time;
}

__device__ static inline void note(Life *lives, unsigned id,
                                   unsigned long long begin) {
  __syncthreads();
  if (threadIdx.x)
    return;
  unsigned unit;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(unit));
  lives[id] = {begin, now(), unit, 0};
}

extern "C" __global__ __launch_bounds__(256) void
pace_product(const float *__restrict__ a, const float *__restrict__ b,
             float *__restrict__ c, Life *lives) {
  unsigned long long begin = now();
  product(a, b, c);
  note(lives, blockIdx.y * (N / 128) + blockIdx.x, begin);
}

extern "C" __global__ __launch_bounds__(256) void
pace_convolution(const float *__restrict__ in,
                 const float *__restrict__ weights, float *__restrict__ out,
                 Life *lives) {
  unsigned long long begin = now();
  convolution(in, weights, out);
  note(lives,
       (blockIdx.z * (W / 8 * (H / 4)) + blockIdx.y) * (F / 128) + blockIdx.x,
       begin);
}

// Workgroup i reads slice i % slices of as many numbers once, and waits for all
// of its waves every eight reads, or never.
template <bool Together>
__device__ static inline void readSlice(const float *in, float *out,
                                        unsigned slices, unsigned numbers,
                                        Life *lives) {
  unsigned long long begin = now();
  const float *slice = in + (size_t)(blockIdx.x % slices) * numbers;
  float sum = 0;
#pragma unroll 1
  for (unsigned at = threadIdx.x; at < numbers; at += 8 * 256) {
    float read[8];
#pragma unroll
    for (int i = 0; i < 8; ++i)
      asm volatile("ld.global.cg.f32 %0, [%1];"
                   : "=f"(read[i])
                   : "l"(slice + at + i * 256));
#pragma unroll
    for (int i = 0; i < 8; ++i)
      sum += read[i];
    if (Together)
      __syncthreads();
  }
  if (sum == 1234.5f)
    out[blockIdx.x] = sum;
  note(lives, blockIdx.x, begin);
}

extern "C" __global__ __launch_bounds__(256) void
pace_read(const float *in, float *out, unsigned slices, unsigned numbers,
          Life *lives) {
  readSlice<false>(in, out, slices, numbers, lives);
}

extern "C" __global__ __launch_bounds__(256) void
pace_read_together(const float *in, float *out, unsigned slices,
                   unsigned numbers, Life *lives) {
  readSlice<true>(in, out, slices, numbers, lives);
}

// Workgroup i reads slice i % slices of `lines` lines of 128 bytes, `passes`
// times from its first to its last line, without the first-level cache.
extern "C" __global__ __launch_bounds__(1024) void
reuse(const float *in, float *out, unsigned lines, unsigned slices,
      unsigned passes) {
  const float *slice = in + (size_t)(blockIdx.x % slices) * lines * 32;
  float sum = 0;
  for (unsigned pass = 0; pass < passes; ++pass)
    for (unsigned at = threadIdx.x; at < lines * 32; at += 1024) {
      float read;
      asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(read) : "l"(slice + at));
      sum += read;
    }
  if (sum == 1234.5f)
    out[blockIdx.x] = sum;
}
