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

#include "swizzle/Formula/Orders/Curves.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace swizzle {

namespace {

/// How much of `[origin, origin + size)` lies in `[0, extent)`.
int64_t clip(int64_t origin, int64_t size, int64_t extent) {
  return std::clamp<int64_t>(extent - origin, 0, size);
}

/// The Hilbert curve through four levels of a whole square, from each way that
/// the square can lie: what a byte of the index makes of x and y, and of how
/// the square of the last level lies.
struct HilbertTable {
  struct Entry {
    uint8_t x, y, turned, flipped;
  };
  static constexpr unsigned levels = 4;
  Entry entries[4][256];

  constexpr HilbertTable() : entries() {
    for (unsigned lies = 0; lies < 4; ++lies)
      for (unsigned byte = 0; byte < 256; ++byte) {
        unsigned turned = lies & 1, flipped = lies >> 1, x = 0, y = 0;
        for (unsigned level = levels; level-- > 0;) {
          unsigned quarter = byte >> 2 * level & 3;
          unsigned a = quarter >> 1, b = a ^ (quarter & 1);
          x = 2 * x + ((turned ? b : a) ^ flipped);
          y = 2 * y + ((turned ? a : b) ^ flipped);
          turned ^= unsigned(quarter == 0 || quarter == 3);
          flipped ^= unsigned(quarter == 3);
        }
        entries[lies][byte] = {uint8_t(x), uint8_t(y), uint8_t(turned),
                               uint8_t(flipped)};
      }
  }
};

constexpr HilbertTable hilbertTable;

/// The `i`-th point of a whole square with sides of 2^`levels`.
CurvePoint hilbertInSquare(uint64_t i, unsigned levels, unsigned turned,
                           unsigned flipped) {
  // Levels of zeros on top make the number of levels a multiple of four: each
  // exchanges the axes and leaves bits above the square.
  unsigned bytes = (levels + HilbertTable::levels - 1) / HilbertTable::levels;
  turned ^= (bytes * HilbertTable::levels - levels) & 1;
  uint64_t x = 0, y = 0;
  while (bytes-- > 0) {
    const HilbertTable::Entry &entry =
        hilbertTable.entries[turned | flipped << 1][i >> 8 * bytes & 255];
    x = x << HilbertTable::levels | entry.x;
    y = y << HilbertTable::levels | entry.y;
    turned = entry.turned;
    flipped = entry.flipped;
  }
  uint64_t mask = (uint64_t(1) << levels) - 1;
  return {int64_t(x & mask), int64_t(y & mask)};
}

} // namespace

void HilbertCursor::restart(int64_t w, int64_t h) {
  stands = h > w;
  width = stands ? h : w;
  height = stands ? w : h;
  side = int64_t(llvm::bit_ceil(uint64_t(height)));
  depth = 0;
}

CurvePoint HilbertCursor::at(int64_t i) {
  // Up to the smallest square walked before that holds the point.
  while (depth && (i < squares[depth - 1].first || i >= squares[depth - 1].end))
    --depth;
  if (!depth) {
    int64_t left = i / (side * height) * side, first = left * height;
    push({first, first + side * height, left, 0, side, 0, 0, false});
  }
  // Down to a cell or a whole square; `turned` exchanges the axes of the
  // current square, `flipped` reverses both.
  while (!squares[depth - 1].whole) {
    const Square &square = squares[depth - 1];
    int64_t first = square.first, half = square.side / 2;
    for (unsigned quarter = 0; quarter < 4; ++quarter) {
      unsigned a = quarter >> 1, b = (quarter >> 1) ^ (quarter & 1);
      int64_t x = square.x + half * ((square.turned ? b : a) ^ square.flipped);
      int64_t y = square.y + half * ((square.turned ? a : b) ^ square.flipped);
      int64_t end = first + clip(x, half, width) * clip(y, half, height);
      if (i >= end && quarter < 3) {
        first = end;
        continue;
      }
      push({first, end, x, y, half,
            square.turned ^ unsigned(quarter == 0 || quarter == 3),
            square.flipped ^ unsigned(quarter == 3), false});
      break;
    }
  }
  const Square &last = squares[depth - 1];
  CurvePoint point =
      hilbertInSquare(uint64_t(i - last.first), llvm::Log2_64(last.side),
                      last.turned, last.flipped);
  point.x += last.x;
  point.y += last.y;
  return stands ? CurvePoint{point.y, point.x} : point;
}

void HilbertCursor::push(Square square) {
  square.whole =
      square.x + square.side <= width && square.y + square.side <= height;
  squares[depth++] = square;
}

void HilbertWalk::start(int64_t w, int64_t h) {
  width = w;
  height = h;
  uint64_t last = uint64_t(w * h - 1);
  shift = 0;
  while (last >> shift >= maxCursors)
    ++shift;
  // A formula may change the sides with every workgroup.
  for (HilbertCursor &cursor : cursors)
    cursor.restart(w, h);
  while (cursors.size() <= last >> shift)
    cursors.emplace_back(w, h);
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
  for (int64_t half = llvm::bit_ceil(uint64_t(std::max(w, h))) / 2; half;
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
