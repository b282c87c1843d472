//===- smith_waterman_batch.cpp - What smith_waterman_batch.cu computes ---===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each sequence, of the table of its scores with the query: the last row,
// the last column, what stands in the last column above each 64 rows, and the
// best score of each 64 rows. A score is what the profile has for position and
// letter, less 8; a gap is -2, and nothing is below 0. Exact: whole numbers.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cstddef>
#include <vector>

extern "C" const double relative = 0, absolute = 0;

extern "C" void reference(const signed char *profile,
                          const signed char *letters, int *bottom, int *side,
                          int *corner, int *best) {
  for (size_t sequence = 0; sequence < SEQUENCES; ++sequence) {
    std::vector<int> table((QUERY + 1) * (LETTERS + 1));
    auto at = [&](size_t i, size_t j) -> int & {
      return table[i * (LETTERS + 1) + j];
    };
    for (size_t i = 1; i <= QUERY; ++i)
      for (size_t j = 1; j <= LETTERS; ++j) {
        size_t letter = letters[sequence * LETTERS + j - 1];
        int score = profile[((i - 1) / 64 * 24 + letter) * 64 + (i - 1) % 64];
        at(i, j) = std::max({0, at(i - 1, j) - 2, at(i, j - 1) - 2,
                             at(i - 1, j - 1) + score - 8});
        int &most = best[sequence * (QUERY / 64) + (i - 1) / 64];
        most = std::max(most, at(i, j));
      }
    for (size_t j = 1; j <= LETTERS; ++j)
      bottom[sequence * LETTERS + j - 1] = at(QUERY, j);
    for (size_t i = 1; i <= QUERY; ++i)
      side[sequence * QUERY + i - 1] = at(i, LETTERS);
    for (size_t i = 0; i < QUERY / 64; ++i)
      corner[sequence * (QUERY / 64) + i] = at(i * 64, LETTERS);
  }
}
