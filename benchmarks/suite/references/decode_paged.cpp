//===- decode_paged.cpp - What decode_paged.cu shall compute --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each sequence and query head, the query times every key of the key head
// that GROUP of them share, in the page that the sequence's table has. Exact:
// inputs are multiples of 1/128, and sums of 128 of their products, multiples
// of 2^-14, are floats in whatever order.
//
//===----------------------------------------------------------------------===//

#include <cstddef>

extern "C" const double relative = 0, absolute = 0;

extern "C" void reference(const _Float16 *query, const _Float16 *cache,
                          const int *table, float *scores) {
  for (size_t batch = 0; batch < BATCH; ++batch)
    for (size_t head = 0; head < HEADS; ++head)
      for (size_t key = 0; key < KEYS; ++key) {
        size_t copy = table[batch * (KEYS / 16) + key / 16] % COPIES;
        size_t page = key / 16 * COPIES + copy;
        size_t row = (page * (HEADS / GROUP) + head / GROUP) * 16 + key % 16;
        double sum = 0;
        for (size_t i = 0; i < 128; ++i)
          sum += double(query[(batch * HEADS + head) * 128 + i]) *
                 double(cache[row * 128 + i]);
        scores[(batch * HEADS + head) * KEYS + key] = float(sum);
      }
}
