//===- product_grouped.cpp - What product_grouped.cu shall compute --------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each group of rows times its own weights, A_g B_g^T, rounded to halves. Group
// g has 128 TILES rows, times 1, 6, 3, 8, 5, 2, 7, 4 and so on. Exact: inputs
// are multiples of 1/128, and sums of up to 1024 of their products, multiples
// of 2^-14, are floats in whatever order, which are rounded once.
//
//===----------------------------------------------------------------------===//

#include <cstddef>

extern "C" const double relative = 0, absolute = 0;

extern "C" void reference(const _Float16 *a, const _Float16 *b, _Float16 *c) {
  const size_t times[] = {1, 6, 3, 8, 5, 2, 7, 4};
  size_t row = 0;
  for (size_t group = 0; group < GROUPS; ++group)
    for (size_t end = row + 128 * TILES * times[group % 8]; row < end; ++row)
      for (size_t column = 0; column < N; ++column) {
        float sum = 0;
        for (size_t k = 0; k < K; ++k)
          sum += float(a[row * K + k]) * float(b[(group * N + column) * K + k]);
        c[row * N + column] = _Float16(sum);
      }
}
