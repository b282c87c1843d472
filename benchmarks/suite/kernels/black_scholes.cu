//===- black_scholes.cu - Prices of European options ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One option a thread, 256 threads. Sizes: N. Grid: N / 256.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

// exp and the normal distribution by polynomials, so that every target has them.
__device__ __forceinline__ float power(float x) {
  float y = 1.0f + x / 256.0f;
  for (int i = 0; i < 8; ++i)
    y *= y;
  return y;
}
__device__ __forceinline__ float normal(float d) {
  float x = d < 0 ? -d : d, k = 1.0f / (1.0f + 0.2316419f * x);
  float tail = 0.39894228f * power(fmaxf(-0.5f * x * x, -64.0f)) * k *
               (0.31938153f + k * (-0.356563782f + k * (1.781477937f +
                k * (-1.821255978f + k * 1.330274429f))));
  return d < 0 ? tail : 1.0f - tail;
}

extern "C" __global__ __launch_bounds__(256) void
black_scholes(const float *__restrict__ price, const float *__restrict__ strike,
              const float *__restrict__ years, float *__restrict__ call,
              float *__restrict__ put) {
  size_t at = (size_t)blockIdx.x * 256 + threadIdx.x;
  float s = 2.0f + price[at], k = 2.0f + strike[at], t = 2.0f + years[at];
  float root = 1.0f / rsqrtf(t), ratio = (s - k) / (s + k);
  float log = 2.0f * ratio * (1.0f + ratio * ratio / 3.0f);
  float d1 = (log + (0.02f + 0.045f) * t) / (0.3f * root);
  float d2 = d1 - 0.3f * root, discount = k * power(-0.02f * t);
  float value = s * normal(d1) - discount * normal(d2);
  call[at] = value;
  put[at] = value + discount - s;
}
