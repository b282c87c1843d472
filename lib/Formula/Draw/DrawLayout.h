//===- DrawLayout.h - What stands where in a picture ---------- -*- C++ -*-===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by the pictures of all formats: which tile a cell stands for, who
// computes it, when, and in which colour that is shown.
//
//===----------------------------------------------------------------------===//

#ifndef SWIZZLE_LIB_FORMULA_DRAW_DRAWLAYOUT_H
#define SWIZZLE_LIB_FORMULA_DRAW_DRAWLAYOUT_H

#include "swizzle/Formula/Draw/Draw.h"
#include <vector>

namespace swizzle::draw {

inline constexpr int kTimeSteps = 48;

/// What stands at each cell of a panel, laid out in two dimensions.
struct Layout {
  int64_t width = 0, height = 0; ///< cells of one layer, after sampling
  int64_t stepX = 1, stepY = 1;  ///< tiles per cell
  int64_t wrap = 0;              ///< tiles per row of a wrapped 1-D grid, or 0
  std::vector<int64_t> layers;   ///< z of each layer shown
  int64_t across = 1;            ///< layers side by side

  int64_t rows() const {
    return (int64_t(layers.size()) + across - 1) / across;
  }
};

/// Distinct colours: hand-picked for up to eight dies, then around the wheel.
/// 0xrrggbb.
uint32_t dieColour(int64_t die, int64_t numDies);
/// From dark (early) to light (late), by one of `kTimeSteps`.
uint32_t timeColour(int step);

/// A drawing, cell by cell. `drawing` must outlive it.
class Mapping {
public:
  explicit Mapping(const Drawing &drawing);

  /// What a cell of layer `layer` shows: a step of time, or a die; -1 where the
  /// grid has no tile.
  int64_t keyAt(int64_t column, int64_t row, size_t layer, bool time,
                bool after) const;

  const Layout layout;

private:
  int64_t dieOf(int64_t workgroup) const;
  /// 0 .. kTimeSteps-1 by the turn of `workgroup` on its die.
  int timeOf(int64_t workgroup) const;

  const Drawing &drawing;
  std::vector<uint32_t> inverse; ///< workgroup that computes each tile
};

} // namespace swizzle::draw

#endif // SWIZZLE_LIB_FORMULA_DRAW_DRAWLAYOUT_H
