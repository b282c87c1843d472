//===- DrawLayout.cpp - What stands where in a picture --------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Large grids are sampled, single rows wrapped, layers laid out side by side,
// so that a picture of any grid has about as many cells.
//
//===----------------------------------------------------------------------===//

#include "DrawLayout.h"

#include <algorithm>
#include <cmath>

namespace swizzle::draw {

static constexpr int kMaxCells = 128, kMaxLayers = 9;

static Layout layOut(const Grid &grid) {
  Layout layout;
  int64_t w = grid.x(), h = grid.y();
  if (h == 1 && grid.z() == 1 && w > 16) {
    layout.wrap = 8;
    while (layout.wrap * layout.wrap < w)
      layout.wrap *= 2;
    h = (w + layout.wrap - 1) / layout.wrap;
    w = layout.wrap;
  }
  int64_t shown = std::min<int64_t>(grid.z(), kMaxLayers);
  for (int64_t k = 0; k < shown; ++k)
    layout.layers.push_back(shown == 1 ? 0 : k * (grid.z() - 1) / (shown - 1));
  layout.across = std::max<int64_t>(
      1,
      std::llround(std::ceil(std::sqrt(double(shown) * h / std::max(w, h)))));
  layout.across = std::min<int64_t>(layout.across, shown);
  int64_t limit =
      std::max<int64_t>(8, kMaxCells / std::max(layout.across, layout.rows()));
  layout.stepX = (w + limit - 1) / limit;
  layout.stepY = (h + limit - 1) / limit;
  layout.width = (w + layout.stepX - 1) / layout.stepX;
  layout.height = (h + layout.stepY - 1) / layout.stepY;
  return layout;
}

/// The linear id of the tile that a cell stands for, or -1.
static int64_t tileAt(const Layout &layout, const Grid &grid, int64_t column,
                      int64_t row, int64_t z) {
  // The tile within a cell shifts from cell to cell: with a fixed one,
  // a cell's side that the number of dies divides would hide some dies.
  int64_t x = column * layout.stepX + (column + row) % layout.stepX;
  int64_t y = row * layout.stepY + (column + row) % layout.stepY;
  if (layout.wrap) {
    x = std::min(x, layout.wrap - 1);
    int64_t id = y * layout.wrap + x;
    return id < grid.x() ? id : -1;
  }
  return linearise({std::min(x, grid.x() - 1), std::min(y, grid.y() - 1), z},
                   grid);
}

static uint32_t colour(double r, double g, double b) {
  uint32_t result = 0;
  for (double c : {r, g, b})
    result = result << 8 | uint32_t(std::clamp(c, 0.0, 255.0) + 0.5);
  return result;
}

uint32_t dieColour(int64_t die, int64_t numDies) {
  static const uint32_t picked[] = {0x3b6fb6, 0xe8873a, 0x4ca361, 0xc94f5d,
                                    0x8a6bb8, 0xd9b23c, 0x3fa7b5, 0x8c6d5a};
  if (numDies <= 8)
    return picked[die];
  double hue = 6.0 * double(die) / double(numDies);
  auto channel = [&](double shift) {
    double t = std::fmod(hue + shift, 6.0);
    double v = t < 1 ? t : t < 3 ? 1 : t < 4 ? 4 - t : 0;
    return 70 + 150 * v * (die % 2 ? 0.75 : 1.0);
  };
  return colour(channel(2), channel(0), channel(4));
}

uint32_t timeColour(int step) {
  static const double stops[5][3] = {{38, 24, 74},
                                     {52, 84, 140},
                                     {42, 148, 140},
                                     {128, 200, 98},
                                     {250, 231, 110}};
  double t = 4.0 * step / (kTimeSteps - 1);
  int at = std::min(3, int(t));
  double f = t - at;
  const double *a = stops[at], *b = stops[at + 1];
  return colour(a[0] + f * (b[0] - a[0]), a[1] + f * (b[1] - a[1]),
                a[2] + f * (b[2] - a[2]));
}

Mapping::Mapping(const Drawing &drawing)
    : layout(layOut(drawing.grid)), drawing(drawing) {
  inverse.resize(drawing.permutation.size());
  for (size_t i = 0; i < inverse.size(); ++i)
    inverse[drawing.permutation[i]] = uint32_t(i);
}

int64_t Mapping::dieOf(int64_t workgroup) const {
  return workgroup / drawing.dispatchChunk % drawing.numDies;
}

int Mapping::timeOf(int64_t workgroup) const {
  int64_t round = drawing.dispatchChunk * drawing.numDies;
  int64_t turn = workgroup / round * drawing.dispatchChunk +
                 workgroup % drawing.dispatchChunk;
  int64_t last = (int64_t(inverse.size()) - 1) / round * drawing.dispatchChunk +
                 drawing.dispatchChunk - 1;
  return last ? int(double(turn) / double(last) * (kTimeSteps - 1)) : 0;
}

int64_t Mapping::keyAt(int64_t column, int64_t row, size_t layer, bool time,
                       bool after) const {
  int64_t tile =
      tileAt(layout, drawing.grid, column, row, layout.layers[layer]);
  if (tile < 0)
    return -1;
  int64_t workgroup = after ? inverse[tile] : tile;
  return time ? timeOf(workgroup) : dieOf(workgroup);
}

} // namespace swizzle::draw
