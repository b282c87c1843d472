//===- softmax_parts.cpp - What softmax_parts.cu shall compute ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The largest number and the sum of each part of a row, and the row's softmax.
//
// The kernel's exp(x) is (1 + x / 256)^256, of a number that is no lower than
// -64, so there are two functions:
//  - `reference` has that power. In floats, 1 + x / 256 is off by 2^-25, its
//    power by 256 times that and by as much for the eight squarings: 1.6e-5. A
//    result has powers in its dividend and its divisor, and beside them a few
//    roundings: 5e-5, relatively.
//  - `mathematics` has exp. (1 + x / n)^n is exp(x) (1 - x^2 / (2 n)) for small
//    x; with inputs in [-1, 1), that is at most 4 / 512, and a quotient of two
//    such is off by less than 1 %.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cmath>
#include <cstddef>

extern "C" const double relative = 5e-5, absolute = 0;
extern "C" const double mathematics_relative = 1e-2, mathematics_absolute = 0;

constexpr size_t kPart = COLUMNS / PARTS;

static double power(double x) {
  return std::pow(1 + std::max(x, -64.0) / 256, 256);
}
static double exponential(double x) { return std::exp(x); }

static void softmax(const float *in, float *largest, float *sums, float *out,
                    double (*exp)(double)) {
  for (size_t row = 0; row < ROWS; ++row) {
    const float *numbers = in + row * COLUMNS;
    for (size_t part = 0; part < PARTS; ++part) {
      const float *begin = numbers + part * kPart, *end = begin + kPart;
      float most = *std::max_element(begin, end);
      double sum = 0;
      for (const float *number = begin; number != end; ++number)
        sum += exp(double(*number) - most);
      largest[row * PARTS + part] = most;
      sums[row * PARTS + part] = float(sum);
    }
    double most = *std::max_element(numbers, numbers + COLUMNS), sum = 0;
    for (size_t i = 0; i < COLUMNS; ++i)
      sum += exp(numbers[i] - most);
    for (size_t i = 0; i < COLUMNS; ++i)
      out[row * COLUMNS + i] = float(exp(numbers[i] - most) / sum);
  }
}

extern "C" void reference(const float *in, float *largest, float *sums,
                          float *out) {
  softmax(in, largest, sums, out, power);
}
extern "C" void mathematics(const float *in, float *largest, float *sums,
                            float *out) {
  softmax(in, largest, sums, out, exponential);
}
