//===- convolution.cpp - What convolution.cu shall compute ----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Images with a border of one pixel, channels last; weights by row, column,
// channel and filter. Exact: inputs are multiples of 1/128, and sums of up to
// 1024 of their products, multiples of 2^-14, are floats in whatever order.
//
//===----------------------------------------------------------------------===//

#include <cstddef>

extern "C" const double relative = 0, absolute = 0;

static double pixel(const float *in, size_t image, size_t y, size_t x,
                    size_t channel) {
  return in[((image * (H + 2) + y) * (W + 2) + x) * C + channel];
}

extern "C" void reference(const float *in, const float *weights, float *out) {
  for (size_t image = 0; image < BATCH; ++image)
    for (size_t y = 0; y < H; ++y)
      for (size_t x = 0; x < W; ++x)
        for (size_t filter = 0; filter < F; ++filter) {
          double sum = 0;
          for (size_t dy = 0; dy < 3; ++dy)
            for (size_t dx = 0; dx < 3; ++dx)
              for (size_t c = 0; c < C; ++c)
                sum += pixel(in, image, y + dy, x + dx, c) *
                       weights[((dy * 3 + dx) * C + c) * F + filter];
          out[((image * H + y) * W + x) * F + filter] = float(sum);
        }
}
