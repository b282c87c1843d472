//===- beamform.cu - Beams of an array of microphones, by frequency -----===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In each bin of a spectrum, a beam is a sum of channels by complex weights,
// the same in all frames. A bin a thread. Sizes: FRAMES, BEAMS, CHANNELS, BINS.
// Grid: BINS / 128, BEAMS, FRAMES.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

typedef float Float2 __attribute__((ext_vector_type(2)));

extern "C" __global__ __launch_bounds__(128) void
beamform(const Float2 *__restrict__ spectra, const Float2 *__restrict__ weights,
         Float2 *__restrict__ out) {
  int bin = blockIdx.x * 128 + threadIdx.x;
  const Float2 *from = spectra + (size_t)blockIdx.z * CHANNELS * BINS + bin;
  const Float2 *by = weights + (size_t)blockIdx.y * CHANNELS * BINS + bin;
  float real = 0, imaginary = 0;
#pragma unroll 8
  for (int c = 0; c < CHANNELS; ++c) {
    Float2 value = from[c * BINS], weight = by[c * BINS];
    real += weight[0] * value[0] + weight[1] * value[1];
    imaginary += weight[0] * value[1] - weight[1] * value[0];
  }
  Float2 sum = {real, imaginary};
  out[((size_t)blockIdx.z * BEAMS + blockIdx.y) * BINS + bin] = sum;
}
