//===- product_stream_k_atomic.cpp - What that kernel shall compute -------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C += A B^T. Exact: inputs are multiples of 1/128, and sums of up to 1024 of
// their products, multiples of 2^-14, are floats in whatever order.
//
//===----------------------------------------------------------------------===//

#include <cstddef>

extern "C" const double relative = 0, absolute = 0;

extern "C" void reference(const _Float16 *a, const _Float16 *b, float *c) {
  for (size_t i = 0; i < M; ++i)
    for (size_t j = 0; j < N; ++j) {
      double sum = c[i * N + j];
      for (size_t k = 0; k < K; ++k)
        sum += double(a[i * K + k]) * double(b[j * K + k]);
      c[i * N + j] = float(sum);
    }
}
