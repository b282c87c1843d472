//===- Draw.cpp - Pictures of a remap -------------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Four panels: before and after, by die and by time. Cells of one colour become
// one path, and neighbours in a row one rectangle, so that a picture of 128 x
// 128 cells stays small.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Formula/Draw/Draw.h"
#include "DrawLayout.h"
#include "swizzle/Formula/Formula.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <map>

namespace swizzle {

using namespace draw;

namespace {

constexpr double kPanel = 384, kMargin = 28, kHeader = 84, kCaption = 26;

/// "#rrggbb".
std::string toHex(uint32_t colour) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("#%06x", colour);
  return text;
}

std::string escape(llvm::StringRef text) {
  std::string out;
  llvm::raw_string_ostream os(out);
  llvm::printHTMLEscaped(text, os);
  return out;
}

class Painter {
public:
  explicit Painter(const Drawing &drawing)
      : drawing(drawing), mapping(drawing), layout(mapping.layout), os(svg) {
    int64_t cellsX = layout.width * layout.across + layout.across - 1;
    int64_t cellsY = layout.height * layout.rows() + layout.rows() - 1;
    // A flat or tall grid gets cells that are not square, up to a point.
    cellW = kPanel / double(cellsX);
    cellH = kPanel / double(cellsY);
    cellW = std::min(cellW, cellH * 4);
    cellH = std::min(cellH, cellW * 4);
    panelW = cellW * double(cellsX);
    panelH = cellH * double(cellsY);
    column = std::max(panelW, 300.0);
  }

  std::string paint() {
    bool byDie = drawing.numDies > 1;
    double rowHeight = panelH + kCaption + 14;
    double width = 3 * kMargin + 2 * column;
    double legendY = kHeader + (byDie ? 2 : 1) * rowHeight + 6;
    double height = legendY + (byDie ? 74 : 48);
    os << llvm::format("<svg xmlns=\"http://www.w3.org/2000/svg\" "
                       "width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f "
                       "%.0f\" font-family=\"Helvetica, Arial, "
                       "sans-serif\">\n",
                       width, height, width, height);
    os << llvm::format("<rect width=\"%.0f\" height=\"%.0f\" "
                       "fill=\"#ffffff\"/>\n",
                       width, height);
    text(kMargin, 34, 19, "#1c2733", drawing.title, "bold");
    text(kMargin, 56, 12.5, "#5b6770", drawing.subtitle);
    text(kMargin, 73, 12.5, "#5b6770", note());
    double top = kHeader;
    for (bool time : {false, true}) {
      if (!time && !byDie)
        continue;
      for (bool after : {false, true})
        panel(kMargin + (after ? column + kMargin : 0), top, time, after);
      top += rowHeight;
    }
    legend(legendY, byDie);
    os << "</svg>\n";
    return std::move(svg);
  }

private:
  void text(double x, double y, double size, const char *fill,
            llvm::StringRef content, const char *weight = "normal") {
    os << llvm::format("<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\" "
                       "fill=\"%s\" font-weight=\"%s\" "
                       "text-anchor=\"start\">",
                       x, y, size, fill, weight)
       << escape(content) << "</text>\n";
  }

  /// What the picture leaves out, and where the axes run.
  std::string note() {
    std::string out = "grid " + toString(drawing.grid) + ", x to the right";
    if (drawing.grid.y() > 1)
      out += ", y downwards";
    if (layout.wrap)
      out += ", wrapped every " + std::to_string(layout.wrap);
    if (layout.stepX > 1 || layout.stepY > 1)
      out += "; each cell stands for " + std::to_string(layout.stepX) + " x " +
             std::to_string(layout.stepY) + " tiles, of which one is shown";
    if (drawing.grid.z() > 1) {
      out += "; layers z = ";
      for (size_t k = 0; k < layout.layers.size(); ++k)
        out += (k ? ", " : "") + std::to_string(layout.layers[k]);
    }
    return out;
  }

  void panel(double left, double top, bool time, bool after) {
    std::string caption = after ? "after: " : "before: ";
    caption += time ? "when each tile is computed on its die"
                    : "which die computes each tile";
    text(left, top + 17, 13, "#1c2733", caption, "bold");
    double y0 = top + kCaption;
    // Runs of equal cells, by colour.
    std::map<int64_t, std::string> paths;
    for (size_t k = 0; k < layout.layers.size(); ++k) {
      double layerX = left + cellW * double((int64_t(k) % layout.across) *
                                            (layout.width + 1));
      double layerY = y0 + cellH * double((int64_t(k) / layout.across) *
                                          (layout.height + 1));
      for (int64_t row = 0; row < layout.height; ++row) {
        int64_t start = 0, key = mapping.keyAt(0, row, k, time, after);
        for (int64_t x = 1; x <= layout.width; ++x) {
          int64_t next =
              x < layout.width ? mapping.keyAt(x, row, k, time, after) : -2;
          if (next == key)
            continue;
          if (key >= 0) {
            llvm::raw_string_ostream path(paths[key]);
            path << llvm::format(
                "M%.2f %.2fh%.2fv%.2fh%.2fz", layerX + cellW * double(start),
                layerY + cellH * double(row), cellW * double(x - start), cellH,
                -cellW * double(x - start));
          }
          start = x;
          key = next;
        }
      }
    }
    os << "<g shape-rendering=\"crispEdges\">\n";
    for (const auto &[key, path] : paths)
      os << "<path fill=\""
         << toHex(time ? timeColour(int(key)) : dieColour(key, drawing.numDies))
         << "\" d=\"" << path << "\"/>\n";
    os << "</g>\n";
    os << llvm::format("<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
                       "height=\"%.2f\" fill=\"none\" stroke=\"#c9d1d6\"/>\n",
                       left - 0.5, y0 - 0.5, panelW + 1, panelH + 1);
  }

  void legend(double y, bool byDie) {
    double x = kMargin;
    if (byDie) {
      text(x, y + 12, 12.5, "#1c2733", "die");
      x += 34;
      int64_t shown = std::min<int64_t>(drawing.numDies, 16);
      for (int64_t die = 0; die < shown; ++die) {
        os << llvm::format("<rect x=\"%.1f\" y=\"%.1f\" width=\"14\" "
                           "height=\"14\" rx=\"2\" fill=\"",
                           x, y + 1)
           << toHex(dieColour(die, drawing.numDies)) << "\"/>\n";
        text(x + 18, y + 12, 12, "#5b6770", std::to_string(die));
        x += die < 9 ? 36 : 42;
      }
      if (shown < drawing.numDies)
        text(x, y + 12, 12, "#5b6770",
             "... " + std::to_string(drawing.numDies - 1));
      y += 28;
      x = kMargin;
    }
    text(x, y + 12, 12.5, "#1c2733", "time");
    x += 34;
    text(x, y + 12, 12, "#5b6770", "first");
    x += 32;
    for (int step = 0; step < kTimeSteps; ++step)
      os << llvm::format("<rect x=\"%.1f\" y=\"%.1f\" width=\"5\" "
                         "height=\"14\" shape-rendering=\"crispEdges\" fill=\"",
                         x + 5 * step, y + 1)
         << toHex(timeColour(step)) << "\"/>\n";
    text(x + 5 * kTimeSteps + 8, y + 12, 12, "#5b6770",
         "last of the workgroups dealt to the die");
  }

  const Drawing &drawing;
  Mapping mapping;
  const Layout &layout;
  double cellW = 0, cellH = 0, panelW = 0, panelH = 0, column = 0;
  std::string svg;
  llvm::raw_string_ostream os;
};

} // namespace

std::string drawSVG(const Drawing &drawing) { return Painter(drawing).paint(); }

} // namespace swizzle
