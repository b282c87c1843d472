//===- Curves.cpp - Space-filling curves over any rectangle ---------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both curves are one loop: halve the square, find the quarter that holds the
// point by counting the cells of the quarters before it, go on in there.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Formula/Curves.h"

#include <algorithm>

namespace swizzle {

namespace {

/// How much of `[origin, origin + size)` lies in `[0, extent)`.
int64_t clip(int64_t origin, int64_t size, int64_t extent) {
  return std::clamp<int64_t>(extent - origin, 0, size);
}

/// The smallest power of two that is at least `value`.
int64_t roundUpToPowerOfTwo(int64_t value) {
  int64_t power = 1;
  while (power < value)
    power *= 2;
  return power;
}

} // namespace

CurvePoint hilbertPoint(int64_t i, int64_t w, int64_t h) {
  if (h > w) {
    CurvePoint turned = hilbertPoint(i, h, w);
    return {turned.y, turned.x};
  }
  int64_t side = roundUpToPowerOfTwo(h);
  int64_t square = i / (side * h);
  i -= square * side * h;
  int64_t left = square * side, width = w - left;

  // `turned` exchanges the axes of the current square, `flipped` reverses both.
  int64_t x = 0, y = 0;
  unsigned turned = 0, flipped = 0;
  for (int64_t half = side / 2; half; half /= 2) {
    for (unsigned quarter = 0; quarter < 4; ++quarter) {
      unsigned a = quarter >> 1, b = (quarter >> 1) ^ (quarter & 1);
      int64_t qx = x + half * ((turned ? b : a) ^ flipped);
      int64_t qy = y + half * ((turned ? a : b) ^ flipped);
      int64_t cells = clip(qx, half, width) * clip(qy, half, h);
      if (i >= cells && quarter < 3) {
        i -= cells;
        continue;
      }
      x = qx;
      y = qy;
      turned ^= quarter == 0 || quarter == 3;
      flipped ^= quarter == 3;
      break;
    }
  }
  return {left + x, y};
}

CurvePoint mortonPoint(int64_t i, int64_t w, int64_t h) {
  int64_t x = 0, y = 0;
  for (int64_t half = roundUpToPowerOfTwo(std::max(w, h)) / 2; half;
       half /= 2) {
    int64_t lower = clip(y, half, h);
    int64_t cells = clip(x, 2 * half, w) * lower;
    if (i >= cells) {
      i -= cells;
      y += half;
      lower = clip(y, half, h);
    }
    cells = clip(x, half, w) * lower;
    if (i >= cells) {
      i -= cells;
      x += half;
    }
  }
  return {x, y};
}

} // namespace swizzle
