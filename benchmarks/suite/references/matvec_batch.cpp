//===- matvec_batch.cpp - What matvec_batch.cu shall compute --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The same matrix times each vector of a batch. Exact: inputs are multiples of
// 1/8 of magnitude 1, and sums of up to 2^17 of their products, multiples of
// 2^-6, are floats in whatever order.
//
//===----------------------------------------------------------------------===//

#include <cstddef>

extern "C" const double relative = 0, absolute = 0;

extern "C" void reference(const float *weights, const float *in, float *out) {
  for (size_t batch = 0; batch < BATCH; ++batch)
    for (size_t row = 0; row < M; ++row) {
      double sum = 0;
      for (size_t k = 0; k < K; ++k)
        sum += double(weights[row * K + k]) * in[batch * K + k];
      out[batch * M + row] = float(sum);
    }
}
