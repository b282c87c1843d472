//===- black_scholes_scenarios.cu - A portfolio under scenarios -----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Full revaluation, as for a value at risk: each scenario moves prices,
// volatilities and the rate, and what counts is the value of the portfolio.
// Every scenario reads all of it. `options` has five rows of N: prices, strikes,
// years, volatilities and amounts. 1024 options a workgroup, four a thread, 256
// threads; the sum over the workgroups of a scenario is left to the host.
// Sizes: N (options), SCENARIOS. Grid: N / 1024, SCENARIOS.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

// exp and the normal distribution by polynomials, so that all targets have them.
__device__ __forceinline__ float power(float x) {
  float y = 1.0f + x / 256.0f;
  for (int i = 0; i < 8; ++i)
    y *= y;
  return y;
}
__device__ __forceinline__ float normal(float d) {
  float x = d < 0 ? -d : d, k = 1.0f / (1.0f + 0.2316419f * x);
  float tail =
      0.39894228f * power(fmaxf(-0.5f * x * x, -64.0f)) * k *
      (0.31938153f +
       k * (-0.356563782f +
            k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  return d < 0 ? tail : 1.0f - tail;
}

extern "C" __global__ __launch_bounds__(256) void
black_scholes_scenarios(const float *__restrict__ options,
                        const float *__restrict__ moves,
                        float *__restrict__ values) {
  const float *move = moves + blockIdx.y * 3;
  float ratio = 1.0f + 0.25f * move[0], wider = 1.0f + 0.25f * move[1];
  float rate = 0.02f + 0.01f * move[2], sum = 0;
  for (int i = 0; i < 4; ++i) {
    const float *at =
        options + (size_t)blockIdx.x * 1024 + i * 256 + threadIdx.x;
    float s = (2.0f + at[0]) * ratio, k = 2.0f + at[N];
    float t = 2.0f + at[2 * N], v = (0.3f + 0.1f * at[3 * N]) * wider;
    float spread = v / rsqrtf(t), part = (s - k) / (s + k);
    float log = 2.0f * part * (1.0f + part * part / 3.0f);
    float d = (log + (rate + 0.5f * v * v) * t) / spread;
    float value = s * normal(d) - k * power(-rate * t) * normal(d - spread);
    sum += (2.0f + at[4 * N]) * value;
  }
  sum = sumOverBlock<256>(sum);
  if (threadIdx.x == 0)
    values[(size_t)blockIdx.y * (N / 1024) + blockIdx.x] = sum;
}
