//===- layer_norm_parts.cpp - What layer_norm_parts.cu shall compute ------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums and sums of squares of each part of a row, and the row with mean 0 and
// variance 1, weighted and biased. The variance is here the mean square
// distance from the mean.
//
// Sums are exact: inputs are multiples of 1/128, and a part has at most 1024.
// The kernel's variance is a difference of numbers below 1/2, each rounded to
// 2^-25, and about 1/3 for inputs spread over [-1, 1): off by 3e-7 of itself.
// Normalised values are below 2 in magnitude, weights and biases at most 1:
// with a few more roundings, results are off by less than 2e-6.
//
//===----------------------------------------------------------------------===//

#include <cmath>
#include <cstddef>

extern "C" const double relative = 0, absolute = 2e-6;

constexpr size_t kPart = COLUMNS / PARTS;

extern "C" void reference(const float *in, float *sums, float *squares,
                          const float *weight, const float *bias, float *out) {
  for (size_t row = 0; row < ROWS; ++row) {
    const float *numbers = in + row * COLUMNS;
    double all = 0, variance = 0;
    for (size_t part = 0; part < PARTS; ++part) {
      double sum = 0, square = 0;
      for (size_t i = part * kPart; i < (part + 1) * kPart; ++i) {
        sum += numbers[i];
        square += double(numbers[i]) * numbers[i];
      }
      sums[row * PARTS + part] = float(sum);
      squares[row * PARTS + part] = float(square);
      all += sum;
    }
    double mean = all / COLUMNS;
    for (size_t i = 0; i < COLUMNS; ++i)
      variance += (numbers[i] - mean) * (numbers[i] - mean) / COLUMNS;
    for (size_t i = 0; i < COLUMNS; ++i)
      out[row * COLUMNS + i] =
          float((numbers[i] - mean) / std::sqrt(variance + 1e-5) * weight[i] +
                bias[i]);
  }
}
