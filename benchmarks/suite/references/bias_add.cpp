//===- bias_add.cpp - What bias_add.cu shall compute ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exact: of inputs that are multiples of 1/128, sums and an eighth of them are
// floats.
//
//===----------------------------------------------------------------------===//

#include <cstddef>

extern "C" const double relative = 0, absolute = 0;

extern "C" void reference(const float *in, const float *bias, float *out) {
  for (size_t batch = 0; batch < BATCH; ++batch)
    for (size_t i = 0; i < size_t(ROWS) * COLUMNS; ++i) {
      double sum = double(in[batch * ROWS * COLUMNS + i]) + bias[i];
      out[batch * ROWS * COLUMNS + i] = float(sum > 0 ? sum : sum / 8);
    }
}
