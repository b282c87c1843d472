//===- softmax_bias.cpp - What softmax_bias.cu shall compute --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The softmax of scores / 8 + bias along the keys, the bias being the same for
// every batch.
//
// The kernel's exp(x) is (1 + x / 256)^256, of a number that is no lower than
// -64, so there are two functions:
//  - `reference` has that power, which floats have to 5e-5 (softmax_parts.cpp).
//    Both results are rounded to halves, not always to the same: 2^-10 more,
//    1.1e-3 together, relatively.
//  - `mathematics` has exp. (1 + x / n)^n is exp(x) (1 - x^2 / (2 n)) for small
//    x; numbers lie in [-9/8, 9/8), so that is at most 1 %. Sums lack less, so
//    a quotient is off by 1 % and the two roundings.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

extern "C" const double relative = 1.1e-3, absolute = 0;
extern "C" const double mathematics_relative = 1.1e-2, mathematics_absolute = 0;

static double power(double x) {
  return std::pow(1 + std::max(x, -64.0) / 256, 256);
}
static double exponential(double x) { return std::exp(x); }

static void softmax(const _Float16 *scores, const _Float16 *bias, _Float16 *out,
                    double (*exp)(double)) {
  std::vector<double> numbers(KEYS);
  for (size_t batch = 0; batch < BATCH; ++batch)
    for (size_t row = 0; row < HEADS * QUERIES; ++row) {
      size_t first = (batch * HEADS * QUERIES + row) * KEYS;
      for (size_t key = 0; key < KEYS; ++key)
        numbers[key] =
            double(scores[first + key]) / 8 + double(bias[row * KEYS + key]);
      double most = *std::max_element(numbers.begin(), numbers.end()), sum = 0;
      for (double number : numbers)
        sum += exp(number - most);
      for (size_t key = 0; key < KEYS; ++key)
        out[first + key] = _Float16(exp(numbers[key] - most) / sum);
    }
}

extern "C" void reference(const _Float16 *scores, const _Float16 *bias,
                          _Float16 *out) {
  softmax(scores, bias, out, power);
}
extern "C" void mathematics(const _Float16 *scores, const _Float16 *bias,
                            _Float16 *out) {
  softmax(scores, bias, out, exponential);
}
