//===- product_bf16.cpp - What product_bf16 computes ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C = A * B^T. Inputs are multiples of 1/128 below 1: sums of up to 512 of
// their products, multiples of 2^-14, are floats in whatever order, and
// rounding them to bf16 once leaves one result.
//
//===----------------------------------------------------------------------===//

#include "bf16.h"

#include <cstddef>

extern "C" const double relative = 0, absolute = 0;

extern "C" void reference(const Bf16 *a, const Bf16 *b, Bf16 *c) {
  static_assert(K <= 512, "sums are exact");
  for (size_t row = 0; row < M; ++row)
    for (size_t column = 0; column < N; ++column) {
      float sum = 0;
      for (size_t k = 0; k < K; ++k)
        sum += widened(a[row * K + k]) * widened(b[column * K + k]);
      c[row * N + column] = rounded(sum);
    }
}
