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

HilbertCursor::HilbertCursor(int64_t w, int64_t h)
    : stands(h > w), width(stands ? h : w), height(stands ? w : h),
      side(roundUpToPowerOfTwo(height)) {}

CurvePoint HilbertCursor::at(int64_t i) {
  // Up to the smallest square walked before that holds the point.
  while (depth && (i < squares[depth - 1].first || i >= squares[depth - 1].end))
    --depth;
  if (!depth) {
    int64_t left = i / (side * height) * side, first = left * height;
    squares[depth++] = {first, first + side * height, left, 0, side / 2, 0, 0};
  }
  // Down to the cell; `turned` exchanges the axes of the current square,
  // `flipped` reverses both.
  while (squares[depth - 1].half) {
    const Square &square = squares[depth - 1];
    int64_t first = square.first, half = square.half;
    for (unsigned quarter = 0; quarter < 4; ++quarter) {
      unsigned a = quarter >> 1, b = (quarter >> 1) ^ (quarter & 1);
      int64_t x = square.x + half * ((square.turned ? b : a) ^ square.flipped);
      int64_t y = square.y + half * ((square.turned ? a : b) ^ square.flipped);
      int64_t end = first + clip(x, half, width) * clip(y, half, height);
      if (i >= end && quarter < 3) {
        first = end;
        continue;
      }
      squares[depth] = {first,
                        end,
                        x,
                        y,
                        half / 2,
                        square.turned ^ unsigned(quarter == 0 || quarter == 3),
                        square.flipped ^ unsigned(quarter == 3)};
      break;
    }
    ++depth;
  }
  const Square &cell = squares[depth - 1];
  return stands ? CurvePoint{cell.y, cell.x} : CurvePoint{cell.x, cell.y};
}

CurvePoint hilbertPoint(int64_t i, int64_t w, int64_t h) {
  return HilbertCursor(w, h).at(i);
}

/// The even bits of `bits`, together.
static int64_t evenBits(uint64_t bits) {
  bits &= 0x5555555555555555;
  bits = (bits | bits >> 1) & 0x3333333333333333;
  bits = (bits | bits >> 2) & 0x0f0f0f0f0f0f0f0f;
  bits = (bits | bits >> 4) & 0x00ff00ff00ff00ff;
  bits = (bits | bits >> 8) & 0x0000ffff0000ffff;
  return int64_t((bits | bits >> 16) & 0xffffffff);
}

CurvePoint mortonPoint(int64_t i, int64_t w, int64_t h) {
  int64_t x = 0, y = 0;
  for (int64_t half = roundUpToPowerOfTwo(std::max(w, h)) / 2; half;
       half /= 2) {
    // A whole square: x and y take turns in the bits.
    if (x + 2 * half <= w && y + 2 * half <= h)
      return {x + evenBits(uint64_t(i)), y + evenBits(uint64_t(i) >> 1)};
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
