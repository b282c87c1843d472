//===- attention_blocks.cpp - What attention_blocks computes --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// softmax(Q K^T / sqrt(128)) V of grouped heads. With CAUSAL a query sees the
// keys up to its own place.
//
// The kernel multiplies values with exponentials that are cut to bf16, of the
// largest score so far, and cuts results. There are two functions:
//  - `reference` cuts them, too. Scores are exact: inputs are multiples of 1/128,
//    and sums of 128 of their products are floats in whatever order. Floats have
//    an exponential to about 1e-6, so that a few in a thousand are cut to the
//    neighbour, 2^-8 of one weight away: where weights sum up to 5, 1e-3,
//    absolutely. Results are cut to bf16: 2^-7, relatively.
//  - `mathematics` cuts nothing. A weight is too small by 2^-7 of itself at most,
//    and values lie in [-1, 1): 2^-7, absolutely, and as much for the result's own
//    cut.
//
//===----------------------------------------------------------------------===//

#include "attend.h"
#include "bf16.h"

extern "C" const double relative = 0x1p-7, absolute = 1e-3;
extern "C" const double mathematics_relative = 0x1p-7,
                        mathematics_absolute = 0x1p-7;

static void attention(const Bf16 *q, const Bf16 *k, const Bf16 *v, Bf16 *out,
                      double (*rounded)(double)) {
  for (size_t head = 0; head < BATCH * HEADS; ++head)
    for (size_t query = 0; query < LENGTH; ++query) {
      size_t shared = head / HEADS * (HEADS / GROUP) + head % HEADS / GROUP;
      size_t at = (head * LENGTH + query) * 128;
      auto result = attend(
          q + at, k + shared * LENGTH * 128, v + shared * LENGTH * 128,
          CAUSAL ? query + 1 : LENGTH,
          [](Bf16 x) { return double(widened(x)); }, rounded);
      for (size_t i = 0; i < 128; ++i)
        out[at + i] = cut(float(result[i]));
    }
}

extern "C" void reference(const Bf16 *q, const Bf16 *k, const Bf16 *v,
                          Bf16 *out) {
  attention(q, k, v, out,
            [](double x) { return double(widened(cut(float(x)))); });
}
extern "C" void mathematics(const Bf16 *q, const Bf16 *k, const Bf16 *v,
                            Bf16 *out) {
  attention(q, k, v, out, [](double x) { return x; });
}
