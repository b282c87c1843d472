//===- fdtd2d.cpp - What fdtd2d.cu shall compute --------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One step of PolyBench's fdtd-2d without its source: y is PolyBench's i, x its
// j. Row 0 of ey, column 0 of ex, and the last row and column of hz keep their
// values.
//
// ey and ex are exact: inputs are multiples of 1/128, and halved. The kernel's
// 0.7f is off by 2^-25 of itself, and its product and its difference, both
// below 8, are rounded once each: hz is off by less than 1e-6.
//
//===----------------------------------------------------------------------===//

#include <cstddef>

extern "C" const double relative = 0, absolute = 1e-6;

extern "C" void reference(float *hz, float *ex, float *ey) {
  for (size_t y = 1; y < NY; ++y)
    for (size_t x = 0; x < NX; ++x)
      ey[y * NX + x] =
          float(ey[y * NX + x] - 0.5 * (hz[y * NX + x] - hz[(y - 1) * NX + x]));
  for (size_t y = 0; y < NY; ++y)
    for (size_t x = 1; x < NX; ++x)
      ex[y * NX + x] =
          float(ex[y * NX + x] - 0.5 * (hz[y * NX + x] - hz[y * NX + x - 1]));
  for (size_t y = 0; y + 1 < NY; ++y)
    for (size_t x = 0; x + 1 < NX; ++x)
      hz[y * NX + x] = float(
          hz[y * NX + x] - 0.7 * (double(ex[y * NX + x + 1]) - ex[y * NX + x] +
                                  ey[(y + 1) * NX + x] - ey[y * NX + x]));
}
