//===- product_stream_k.cpp - What product_stream_k.cu shall compute ------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A B^T, rounded to halves, and the parts of the last tiles: all steps of 64 of
// those are dealt out evenly, and each workgroup has a part for the tile that
// it begins in and one for the next. Exact: inputs are multiples of 1/128, and
// sums of up to 1024 of their products, multiples of 2^-14, are floats in
// whatever order.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cstddef>

extern "C" const double relative = 0, absolute = 0;

static double product(const _Float16 *a, const _Float16 *b, size_t row,
                      size_t column, size_t first, size_t last) {
  double sum = 0;
  for (size_t k = first; k < last; ++k)
    sum += double(a[row * K + k]) * double(b[column * K + k]);
  return sum;
}

extern "C" void reference(const _Float16 *a, const _Float16 *b, float *parts,
                          _Float16 *c) {
  for (size_t row = 0; row < M; ++row)
    for (size_t column = 0; column < N; ++column)
      c[row * N + column] = _Float16(product(a, b, row, column, 0, K));
  size_t across = N / 256, tiles = M / 256 * across, steps = K / 64;
  size_t rest = tiles % WORKGROUPS;
  for (size_t step = 0; step < rest * steps; ++step) {
    // Whose step it is, and whether it lies in the tile after this one's first.
    size_t id = ((step + 1) * WORKGROUPS - 1) / (rest * steps);
    size_t first = id * rest * steps / WORKGROUPS;
    bool next = step / steps != first / steps;
    bool begins = step == first || (next && step % steps == 0);
    size_t tile = tiles - rest + step / steps;
    size_t row = tile / (GROUP * across) * GROUP + tile % GROUP;
    size_t column = tile % (GROUP * across) / GROUP;
    float *part = parts + (id * 2 + next) * 256 * 256;
    for (size_t i = 0; i < 256; ++i)
      for (size_t j = 0; j < 256; ++j) {
        float sum = product(a, b, row * 256 + i, column * 256 + j,
                            step % steps * 64, (step % steps + 1) * 64);
        part[i * 256 + j] = begins ? sum : part[i * 256 + j] + sum;
      }
  }
}
