//===- Curves.h - Space-filling curves over any rectangle -------*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The curves of the formula language, exact for every w x h rectangle:
//
// - Morton: the cells of the rectangle in the order of their Morton codes (bits
//   of y and x interleaved, x lowest).
// - Hilbert: the long side is cut into squares whose side is the smallest power
//   of two that is not less than the short side; the squares follow one another
//   along the long side, each walked by the Hilbert curve that starts in its
//   near corner and ends at the far one along the long side; cells outside the
//   rectangle are skipped. Where no square is cut, neighbours along the curve
//   are neighbours in the rectangle.
//
//   Morton, 4 x 4:  0  1  4  5      Hilbert, 4 x 4:  0  1 14 15
//                   2  3  6  7                       3  2 13 12
//                   8  9 12 13                       4  7  8 11
//                  10 11 14 15                       5  6  9 10
//
//   hilbertPoint(6, 4, 4)           // x = 1, y = 3
//
// Sources: G. M. Morton, A computer oriented geodetic data base, IBM 1966; D.
// Hilbert, Über die stetige Abbildung einer Linie auf ein Flächenstück,
// Mathematische Annalen 38, 1891.
//
// Each call, where it cannot go on from the last one, descends one level a step
// and counts how many cells of each quarter lie inside: at most 31 levels of
// four quarters.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_FORMULA_ORDERS_CURVES_H
#define SWIZZLE_FORMULA_ORDERS_CURVES_H

#include <cstdint>
#include <vector>

namespace swizzle {

struct CurvePoint {
  int64_t x = 0, y = 0;
};

/// True if `i` is a point of a curve over w x h: both sides are in 1 .. 2^31-1
/// and 0 <= i < w * h.
inline bool isCurvePoint(int64_t i, int64_t w, int64_t h) {
  return w > 0 && h > 0 && w < (int64_t(1) << 31) && h < (int64_t(1) << 31) &&
         i >= 0 && i < w * h;
}

/// Walks the Hilbert curve over w x h, both in 1 .. 2^31 - 1. Remembers the
/// squares around the last point that reach beyond the edge, down to one that
/// does not, in which a table tells the way.
class HilbertCursor {
public:
  HilbertCursor(int64_t w, int64_t h) { restart(w, h); }

  /// Goes on to another curve; much cheaper than a new cursor.
  void restart(int64_t w, int64_t h);

  /// The `i`-th cell, 0 <= i < w * h.
  CurvePoint at(int64_t i);

private:
  /// A square with the points [first, end).
  struct Square {
    int64_t first, end;
    int64_t x, y;
    int64_t side;
    unsigned turned, flipped;
    bool whole; ///< no part of it lies outside; a cell is whole
  };

  void push(Square square);

  bool stands; ///< higher than wide: walked with the axes exchanged
  int64_t width, height, side;
  unsigned depth = 0;
  Square squares[33]; ///< from the largest around the last point to a whole one
};

/// Hilbert curves for a walk that goes on in several places by turns, as each
/// die of a chip does in its share: a cursor for each part of the curve.
class HilbertWalk {
public:
  /// The `i`-th cell; needs `isCurvePoint(i, w, h)`. Other sides than in the
  /// last call are another curve, and the walk starts anew.
  CurvePoint at(int64_t i, int64_t w, int64_t h) {
    if (w != width || h != height)
      start(w, h);
    return cursors[i >> shift].at(i);
  }

private:
  void start(int64_t w, int64_t h);

  static constexpr unsigned maxCursors = 32;
  int64_t width = 0, height = 0;
  unsigned shift = 0;
  std::vector<HilbertCursor> cursors;
};

/// The `i`-th cell; needs `isCurvePoint(i, w, h)`.
CurvePoint hilbertPoint(int64_t i, int64_t w, int64_t h);
CurvePoint mortonPoint(int64_t i, int64_t w, int64_t h);
/// The point of either curve.
inline CurvePoint curvePoint(bool isHilbert, int64_t i, int64_t w, int64_t h) {
  return isHilbert ? hilbertPoint(i, w, h) : mortonPoint(i, w, h);
}

} // namespace swizzle

#endif // SWIZZLE_FORMULA_ORDERS_CURVES_H
