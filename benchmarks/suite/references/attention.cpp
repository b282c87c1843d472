//===- attention.cpp - What attention.cu shall compute --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values, weighed by the softmax of scores / sqrt(128). With CAUSAL, the last
// query sees all keys, and each one before it a key less.
//
// The kernel multiplies values with exponentials that are rounded to halves, so
// there are two functions:
//  - `reference` rounds them, too, of the largest score in the tiles of 64 keys
//    so far. Scores are exact: inputs are multiples of 1/128, and sums of 128
//    of their products, multiples of 2^-14, are floats in whatever order.
//    Floats have an exponential to about 1e-6, so that a few in a thousand are
//    rounded to the neighbour, which is at most 2^-11 away: where weights sum
//    up to 5, 1e-4, absolutely. Results are rounded to halves: 2^-10,
//    relatively.
//  - `mathematics` does not round them. Each is off by 2^-11 of itself at most,
//    as none is small enough to be denormal, and values lie in [-1, 1): 2^-11,
//    absolutely, and 2^-12 for the result's own rounding.
//
//===----------------------------------------------------------------------===//

#include "attend.h"

extern "C" const double relative = 0x1p-10, absolute = 1e-4;
extern "C" const double mathematics_relative = 0,
                        mathematics_absolute = 0x1.8p-11;

static void attention(const _Float16 *q, const _Float16 *k, const _Float16 *v,
                      _Float16 *out, double (*rounded)(double)) {
  for (size_t head = 0; head < BATCH * HEADS; ++head)
    for (size_t query = 0; query < QUERIES; ++query) {
      size_t shared = head / HEADS * (HEADS / GROUP) + head % HEADS / GROUP;
      size_t at = (head * QUERIES + query) * 128;
      auto result = attend(
          q + at, k + shared * KEYS * 128, v + shared * KEYS * 128,
          CAUSAL ? KEYS - QUERIES + query + 1 : KEYS,
          [](_Float16 x) { return double(x); }, rounded);
      for (size_t i = 0; i < 128; ++i)
        out[at + i] = _Float16(result[i]);
    }
}

extern "C" void reference(const _Float16 *q, const _Float16 *k,
                          const _Float16 *v, _Float16 *out) {
  attention(q, k, v, out, [](double x) { return double(_Float16(x)); });
}
extern "C" void mathematics(const _Float16 *q, const _Float16 *k,
                            const _Float16 *v, _Float16 *out) {
  attention(q, k, v, out, [](double x) { return x; });
}
