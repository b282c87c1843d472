//===- product.cpp - What product.cu shall compute ------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C = A B for each of the batches, all by rows. Exact: inputs are multiples of
// 1/128, and sums of up to 1024 of their products, multiples of 2^-14, are
// floats in whatever order.
//
//===----------------------------------------------------------------------===//

#include <cstddef>

extern "C" const double relative = 0, absolute = 0;

extern "C" void reference(const float *a, const float *b, float *c) {
  for (size_t batch = 0; batch < BATCH; ++batch)
    for (size_t i = 0; i < M; ++i)
      for (size_t j = 0; j < N; ++j) {
        double sum = 0;
        for (size_t k = 0; k < K; ++k)
          sum +=
              double(a[(batch * M + i) * K + k]) * b[(batch * K + k) * N + j];
        c[(batch * M + i) * N + j] = float(sum);
      }
}
