//===- star2d.cpp - What star2d.cu shall compute --------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A point and its neighbours up to R away along each axis, those at distance i
// with weight 1 / (8 i). A border of R points in y and of 32 in x keeps what it
// held.
//
// Exact for radii up to 2: inputs are multiples of 1/128, weights powers of
// two. At distance 3 the kernel's weight is a float, off by 2^-25 of itself;
// with up to 17 terms of at most 1 that are rounded as they are added, results
// of magnitude 2 are off by less than 1e-6.
//
//===----------------------------------------------------------------------===//

#include <cstddef>
#include <initializer_list>

extern "C" const double relative = 0, absolute = R <= 2 ? 0 : 1e-6;

constexpr ptrdiff_t kPitch = NX + 64;

extern "C" void reference(const float *in, float *out) {
  for (ptrdiff_t y = R; y < NY + R; ++y)
    for (ptrdiff_t x = 32; x < NX + 32; ++x) {
      double sum = in[y * kPitch + x];
      for (ptrdiff_t i = 1; i <= R; ++i) {
        double around = 0;
        for (ptrdiff_t side : {-i, i})
          around +=
              double(in[y * kPitch + x + side]) + in[(y + side) * kPitch + x];
        sum += around / double(8 * i);
      }
      out[y * kPitch + x] = float(sum);
    }
}
