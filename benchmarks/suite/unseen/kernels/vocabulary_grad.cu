//===- vocabulary_grad.cu - Gradient of a cross entropy over words ------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// exp(logit - l) less one at the label, in fp16, where l, the logarithm of the
// row's sum, is known. Rows are of any length; labels are taken modulo it. 1024
// of a row a workgroup, in TILES. Sizes: TOKENS, VOCABULARY, TILES. Grid:
// TILES, TOKENS.
//
//===----------------------------------------------------------------------===//

#include "gpu.h"

// exp(x) for x <= 0, of operations that every target has.
__device__ __forceinline__ float power(float x) {
  float y = 1.0f + fmaxf(x, -64.0f) / 256.0f;
  for (int i = 0; i < 8; ++i)
    y *= y;
  return y;
}

extern "C" __global__ __launch_bounds__(256) void
vocabulary_grad(const _Float16 *__restrict__ logits,
                const float *__restrict__ logSums, const int *__restrict__ labels,
                _Float16 *__restrict__ gradient) {
  size_t row = (size_t)blockIdx.y * VOCABULARY;
  int label = (unsigned)labels[blockIdx.y] % VOCABULARY;
  float logSum = logSums[blockIdx.y];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    int at = blockIdx.x * 1024 + i * 256 + threadIdx.x;
    if (at < VOCABULARY) {
      float share = power((float)logits[row + at] - logSum);
      float value = (share - (at == label ? 1.0f : 0.0f)) / TOKENS;
      gradient[row + at] = (_Float16)value;
    }
  }
}
