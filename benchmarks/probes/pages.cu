//===- pages.cu - What it costs to read from many pages at a time ---------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Addresses are translated a page at a time. `pages_cached` reads what the last-level
// cache holds, over and over, from a number of pages that each workgroup visits in
// turn; `pages_chase` does it one read at a time; `pages_stream` reads a buffer once,
// and `pages_copy` copies one, in pieces that consecutive workgroups take from
// different pages. pages.py times them.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

constexpr unsigned kPiece = 4096;      // what 256 threads read at once
constexpr size_t kPage = size_t(2) << 20;

__device__ static inline float read(const char *at) {
  float value[4];
  asm volatile("ld.global.cg.v4.f32 {%0,%1,%2,%3}, [%4];"
               : "=f"(value[0]), "=f"(value[1]), "=f"(value[2]), "=f"(value[3])
               : "l"(at));
  return value[0] + value[1] + value[2] + value[3];
}

/// Each workgroup visits `pages` pages, `group` workgroups the same ones. Of each page
/// it reads one of `pieces` pieces in turn.
extern "C" __global__ __launch_bounds__(256) void
pages_cached(char *buffer, float *out, unsigned pages, unsigned pieces, unsigned steps,
             unsigned group) {
  unsigned first = blockIdx.x / group * pages;
  float sum = 0;
  for (unsigned step = 0; step < steps; step += 4) {
    float part[4];
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) {
      unsigned page = first + (step + i + blockIdx.x) % pages;
      // Pieces of a page begin where no other page's do: the sets of caches are used alike.
      unsigned piece = ((step / pages) % pieces + page * pieces) % (kPage / kPiece);
      part[i] = read(buffer + page * kPage + piece * kPiece + threadIdx.x * 16);
    }
    sum += part[0] + part[1] + part[2] + part[3];
  }
  if (sum == 1234.5f)
    out[0] = sum;
}

/// One thread of each workgroup reads one line after another.
extern "C" __global__ __launch_bounds__(256) void
pages_chase(char *buffer, float *out, unsigned pages, unsigned, unsigned steps,
            unsigned) {
  if (threadIdx.x)
    return;
  float sum = 0;
  unsigned page = 0;
  for (unsigned step = 0; step < steps; ++step) {
    // The buffer is zero: the address waits for the read before.
    sum += read(buffer + page * kPage + (page * 4352u) % kPage + (sum != 0));
    page = page + 1 == pages ? 0 : page + 1;
  }
  if (sum == 1234.5f)
    out[0] = sum;
}

/// Where the workgroup's piece begins: `apart` consecutive workgroups take theirs from
/// places `stride` pieces from each other.
__device__ static inline size_t begin(unsigned apart, unsigned stride) {
  unsigned block = blockIdx.x / (apart * stride), rest = blockIdx.x % (apart * stride);
  unsigned piece = block * apart * stride + rest % apart * stride + rest / apart;
  return size_t(piece) * kPiece + threadIdx.x * 16;
}

extern "C" __global__ __launch_bounds__(256) void
pages_stream(char *buffer, float *out, unsigned apart, unsigned stride, unsigned,
             unsigned) {
  float sum = read(buffer + begin(apart, stride));
  if (sum == 1234.5f)
    out[0] = sum;
}

extern "C" __global__ __launch_bounds__(256) void
pages_copy(char *buffer, float *out, unsigned apart, unsigned stride, unsigned,
           unsigned) {
  size_t at = begin(apart, stride);
  float value = read(buffer + at);
  asm volatile("st.global.v4.f32 [%0], {%1,%1,%1,%1};" ::"l"((char *)out + at),
               "f"(value)
               : "memory");
}
