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

#include "swizzle/Formula/Draw.h"
#include "swizzle/Formula/Formula.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace swizzle {

namespace {

constexpr int kMaxCells = 128, kMaxLayers = 9, kTimeSteps = 48;
constexpr double kPanel = 384, kMargin = 28, kHeader = 84, kCaption = 26;

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

Layout layOut(const Grid &grid) {
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
int64_t tileAt(const Layout &layout, const Grid &grid, int64_t column,
               int64_t row, int64_t z) {
  // The tile within a cell shifts from cell to cell: a fixed one would beat
  // against the number of dies and hide some of them.
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

std::string colour(double r, double g, double b) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (double c : {r, g, b})
    os << llvm::format("%02x", int(std::clamp(c, 0.0, 255.0) + 0.5));
  return "#" + text;
}

/// Distinct colours: hand-picked for up to eight dies, then around the wheel.
std::string dieColour(int64_t die, int64_t numDies) {
  static const char *picked[] = {"#3b6fb6", "#e8873a", "#4ca361", "#c94f5d",
                                 "#8a6bb8", "#d9b23c", "#3fa7b5", "#8c6d5a"};
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

/// From dark (early) to light (late).
std::string timeColour(int step) {
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

std::string escape(llvm::StringRef text) {
  std::string out;
  llvm::raw_string_ostream os(out);
  llvm::printHTMLEscaped(text, os);
  return out;
}

class Painter {
public:
  explicit Painter(const Drawing &drawing)
      : drawing(drawing), layout(layOut(drawing.grid)), os(svg) {
    // Workgroup that computes each tile.
    inverse.resize(drawing.permutation.size());
    for (size_t i = 0; i < inverse.size(); ++i)
      inverse[drawing.permutation[i]] = uint32_t(i);
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
            llvm::StringRef content, const char *weight = "normal",
            const char *anchor = "start") {
    os << llvm::format("<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\" "
                       "fill=\"%s\" font-weight=\"%s\" text-anchor=\"%s\">",
                       x, y, size, fill, weight, anchor)
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

  int64_t dieOf(int64_t workgroup) const {
    return workgroup / drawing.dispatchChunk % drawing.numDies;
  }

  /// 0 .. kTimeSteps-1 by the turn of `workgroup` on its die.
  int timeOf(int64_t workgroup) const {
    int64_t round = drawing.dispatchChunk * drawing.numDies;
    int64_t turn = workgroup / round * drawing.dispatchChunk +
                   workgroup % drawing.dispatchChunk;
    int64_t last =
        (int64_t(inverse.size()) - 1) / round * drawing.dispatchChunk +
        drawing.dispatchChunk - 1;
    return last ? int(double(turn) / double(last) * (kTimeSteps - 1)) : 0;
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
        int64_t start = 0, key = keyAt(0, row, k, time, after);
        for (int64_t x = 1; x <= layout.width; ++x) {
          int64_t next = x < layout.width ? keyAt(x, row, k, time, after) : -2;
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
         << (time ? timeColour(int(key)) : dieColour(key, drawing.numDies))
         << "\" d=\"" << path << "\"/>\n";
    os << "</g>\n";
    os << llvm::format("<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
                       "height=\"%.2f\" fill=\"none\" stroke=\"#c9d1d6\"/>\n",
                       left - 0.5, y0 - 0.5, panelW + 1, panelH + 1);
  }

  int64_t keyAt(int64_t column, int64_t row, size_t layer, bool time,
                bool after) const {
    int64_t tile =
        tileAt(layout, drawing.grid, column, row, layout.layers[layer]);
    if (tile < 0)
      return -1;
    int64_t workgroup = after ? inverse[tile] : tile;
    return time ? timeOf(workgroup) : dieOf(workgroup);
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
           << dieColour(die, drawing.numDies) << "\"/>\n";
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
         << timeColour(step) << "\"/>\n";
    text(x + 5 * kTimeSteps + 8, y + 12, 12, "#5b6770",
         "last of the workgroups dealt to the die");
  }

  const Drawing &drawing;
  Layout layout;
  std::vector<uint32_t> inverse;
  double cellW = 0, cellH = 0, panelW = 0, panelH = 0, column = 0;
  std::string svg;
  llvm::raw_string_ostream os;
};

} // namespace

std::string drawSVG(const Drawing &drawing) { return Painter(drawing).paint(); }

llvm::Error writeSVG(const Drawing &drawing, llvm::StringRef path) {
  return llvm::writeToOutput(path, [&](llvm::raw_ostream &os) {
    os << drawSVG(drawing);
    return llvm::Error::success();
  });
}

} // namespace swizzle
