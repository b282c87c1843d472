//===- smith_waterman.cpp - What smith_waterman.cu shall compute ----------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of scores, row after row: 3 for equal letters, -3 for different
// ones, -2 for a gap, never below 0. Row and column 0 are zero. Exact: whole
// numbers.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cstddef>

extern "C" const double relative = 0, absolute = 0;

extern "C" void reference(const signed char *first, const signed char *second,
                          int *table) {
  auto at = [&](size_t i, size_t j) -> int & { return table[i * (N + 1) + j]; };
  for (size_t i = 1; i <= N; ++i)
    for (size_t j = 1; j <= N; ++j)
      at(i, j) = std::max(
          {0, at(i - 1, j) - 2, at(i, j - 1) - 2,
           at(i - 1, j - 1) + (first[i - 1] == second[j - 1] ? 3 : -3)});
}
