//===- attention_scores.cpp - What attention_scores shall compute ---------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each of the HEADS query heads, its queries times the keys of the head
// that four of them share; keys are transposed. Exact: inputs are multiples of
// 1/128, and sums of 128 of their products, multiples of 2^-14, are floats in
// whatever order.
//
//===----------------------------------------------------------------------===//

#include <cstddef>

extern "C" const double relative = 0, absolute = 0;

extern "C" void reference(const _Float16 *q, const _Float16 *k, float *s) {
  for (size_t head = 0; head < HEADS; ++head)
    for (size_t query = 0; query < QUERIES; ++query)
      for (size_t key = 0; key < KEYS; ++key) {
        double sum = 0;
        for (size_t i = 0; i < 128; ++i)
          sum += double(q[(head * QUERIES + query) * 128 + i]) *
                 double(k[(head / 4 * 128 + i) * KEYS + key]);
        s[(head * QUERIES + query) * KEYS + key] = float(sum);
      }
}
