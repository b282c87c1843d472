//===- fft_radix4.cu - First pass of a Fourier transform by fours --------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stockham's, decimated in frequency: points a quarter apart are combined,
// turned by factors of a table that all transforms share, and written side by
// side. A butterfly a thread. Sizes: POINTS, BATCH. Grid: POINTS / 1024,
// BATCH.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

typedef float Float2 __attribute__((ext_vector_type(2)));

__device__ __forceinline__ Float2 turned(Float2 a, Float2 b) {
  return Float2{a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]};
}

extern "C" __global__ __launch_bounds__(256) void
fft_radix4(const Float2 *__restrict__ in, const Float2 *__restrict__ factors,
           Float2 *__restrict__ out) {
  constexpr size_t kQuarter = POINTS / 4;
  size_t p = (size_t)blockIdx.x * 256 + threadIdx.x;
  const Float2 *from = in + (size_t)blockIdx.y * POINTS + p;
  Float2 a = from[0], b = from[kQuarter], c = from[2 * kQuarter];
  Float2 d = from[3 * kQuarter];
  Float2 even = a + c, odd = a - c, sum = b + d, rest = b - d;
  Float2 across = {rest[1], -rest[0]}; // -i times the rest
  Float2 *to = out + (size_t)blockIdx.y * POINTS + p * 4;
  to[0] = even + sum;
  to[1] = turned(odd + across, factors[p]);
  to[2] = turned(even - sum, factors[kQuarter + p]);
  to[3] = turned(odd - across, factors[2 * kQuarter + p]);
}
