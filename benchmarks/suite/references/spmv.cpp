//===- spmv.cpp - What a sparse product in rows shall compute -------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each row's elements lie from its start to the next row's; a row whose next
// one starts before it is empty, as about half are where starts are at random.
// Exact: starts lie below 16, inputs are multiples of 1/128, and sums of 16 of
// their products, multiples of 2^-14, are floats in whatever order.
//
//===----------------------------------------------------------------------===//

#include <cstddef>

extern "C" const double relative = 0, absolute = 0;

extern "C" void reference(const int *starts, const int *columns,
                          const float *values, const float *x, float *y) {
  for (size_t row = 0; row < ROWS; ++row) {
    double sum = 0;
    for (int i = starts[row]; i < starts[row + 1]; ++i)
      sum += double(values[i]) * x[columns[i]];
    y[row] = float(sum);
  }
}
