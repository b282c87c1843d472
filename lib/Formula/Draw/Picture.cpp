//===- Picture.cpp - A remap as PNG ---------------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cells become squares of a few pixels in an image with a palette.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Formula/Draw/Picture.h"

#include "DrawLayout.h"
#include "swizzle/Support/Image.h"

namespace swizzle {

static constexpr int64_t kPanelPixels = 384, kGap = 16;

llvm::Expected<std::string> drawPNG(const Drawing &drawing) {
  draw::Mapping mapping(drawing);
  const draw::Layout &layout = mapping.layout;
  // Layers of a 3-D grid stand side by side with a cell between them.
  int64_t cellsX = layout.width * layout.across + layout.across - 1;
  int64_t cellsY = layout.height * layout.rows() + layout.rows() - 1;
  int64_t cell = std::max<int64_t>(1, kPanelPixels / std::max(cellsX, cellsY));
  int64_t panelW = cellsX * cell, panelH = cellsY * cell;
  bool byDie = drawing.numDies > 1;
  Image image(2 * panelW + 3 * kGap, (byDie ? 2 : 1) * (panelH + kGap) + kGap);
  auto panel = [&](int64_t left, int64_t top, bool time, bool after) {
    for (size_t k = 0; k < layout.layers.size(); ++k)
      for (int64_t row = 0; row < layout.height; ++row)
        for (int64_t column = 0; column < layout.width; ++column) {
          int64_t key = mapping.keyAt(column, row, k, time, after);
          if (key < 0)
            continue;
          int64_t x = int64_t(k) % layout.across * (layout.width + 1) + column;
          int64_t y = int64_t(k) / layout.across * (layout.height + 1) + row;
          image.fill(left + x * cell, top + y * cell, cell, cell,
                     time ? draw::timeColour(int(key))
                          : draw::dieColour(key, drawing.numDies));
        }
  };
  for (bool after : {false, true}) {
    int64_t left = kGap + (after ? panelW + kGap : 0);
    if (byDie)
      panel(left, kGap, /*time=*/false, after);
    panel(left, kGap + (byDie ? panelH + kGap : 0), /*time=*/true, after);
  }
  return image.encodePNG();
}

} // namespace swizzle
