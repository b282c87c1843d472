//===- decode_scores.cpp - What decode_scores.cu shall compute ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each query head, its query times every key of the key head that GROUP of
// them share. Exact: inputs are multiples of 1/128, and sums of 128 of their
// products, multiples of 2^-14, are floats in whatever order.
//
//===----------------------------------------------------------------------===//

#include <cstddef>

extern "C" const double relative = 0, absolute = 0;

extern "C" void reference(const float *query, const float *keys,
                          float *scores) {
  for (size_t batch = 0; batch < BATCH; ++batch)
    for (size_t head = 0; head < HEADS; ++head)
      for (size_t key = 0; key < KEYS; ++key) {
        size_t shared = batch * (HEADS / GROUP) + head / GROUP;
        double sum = 0;
        for (size_t i = 0; i < 128; ++i)
          sum += double(query[(batch * HEADS + head) * 128 + i]) *
                 keys[(shared * KEYS + key) * 128 + i];
        scores[(batch * HEADS + head) * KEYS + key] = float(sum);
      }
}
