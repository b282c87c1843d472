//===- attend.h - What one query of attention comes to --------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// softmax(q K^T / sqrt(128)) V, keys by 64 as kernels go through them: what
// rounds weights of the largest score so far rounds them here, too.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_BENCHMARKS_SUITE_REFERENCES_ATTEND_H
#define SWIZZLE_BENCHMARKS_SUITE_REFERENCES_ATTEND_H

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

/// The result of a query that sees the first `seen` keys. `wide` makes a number
/// a double; `rounded`: of the exponentials.
template <typename Number, typename Wide>
std::array<double, 128> attend(const Number *query, const Number *keys,
                               const Number *values, size_t seen, Wide wide,
                               double (*rounded)(double)) {
  auto dot = [&](size_t key) {
    double sum = 0;
    for (size_t i = 0; i < 128; ++i)
      sum += wide(query[i]) * wide(keys[key * 128 + i]);
    return sum;
  };
  std::array<double, 128> sums{};
  double most = -INFINITY, total = 0;
  for (size_t first = 0; first < seen; first += 64) {
    size_t last = std::min(first + 64, seen);
    double before = most;
    for (size_t key = first; key < last; ++key)
      most = std::max(most, dot(key));
    double less = std::exp((before - most) / std::sqrt(128.0));
    total *= less;
    for (double &sum : sums)
      sum *= less;
    for (size_t key = first; key < last; ++key) {
      double weight = std::exp((dot(key) - most) / std::sqrt(128.0));
      total += weight;
      for (size_t i = 0; i < 128; ++i)
        sums[i] += rounded(weight) * wide(values[key * 128 + i]);
    }
  }
  for (double &sum : sums)
    sum /= total;
  return sums;
}

#endif // SWIZZLE_BENCHMARKS_SUITE_REFERENCES_ATTEND_H
