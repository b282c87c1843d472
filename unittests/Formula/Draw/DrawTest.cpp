//===- DrawTest.cpp - Pictures hold what they show ------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The SVG is well formed, has its panels and says what it leaves out.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Formula/Draw/Draw.h"

#include "gtest/gtest.h"

#include <numeric>

using namespace swizzle;

namespace {

std::string draw(Grid grid, int64_t dies, std::string title = "t") {
  std::vector<uint32_t> permutation(grid.count());
  std::iota(permutation.rbegin(), permutation.rend(), 0);
  Drawing drawing;
  drawing.title = std::move(title);
  drawing.grid = grid;
  drawing.permutation = permutation;
  drawing.numDies = dies;
  return drawSVG(drawing);
}

size_t occurrences(llvm::StringRef text, llvm::StringRef part) {
  return text.count(part);
}

TEST(DrawTest, HasFourPanels) {
  std::string svg = draw(Grid(16, 8), 4);
  EXPECT_EQ(svg.substr(0, 4), "<svg");
  EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
  EXPECT_EQ(occurrences(svg, "<g "), 4u);
  EXPECT_EQ(occurrences(svg, "which die computes each tile"), 2u);
  EXPECT_EQ(occurrences(svg, "when each tile is computed"), 2u);
  EXPECT_EQ(occurrences(svg, "<g "), occurrences(svg, "</g>"));
}

TEST(DrawTest, OneDieHasOnlyTime) {
  std::string svg = draw(Grid(16, 8), 1);
  EXPECT_EQ(occurrences(svg, "which die"), 0u);
  EXPECT_EQ(occurrences(svg, "when each tile"), 2u);
}

TEST(DrawTest, EachDieHasItsColour) {
  for (int64_t dies : {2, 3, 8, 12}) {
    std::string svg = draw(Grid(dies, 1), dies);
    llvm::StringRef first = llvm::StringRef(svg).split("<g ").second;
    EXPECT_EQ(int64_t(occurrences(first.split("</g>").first, "<path ")), dies);
  }
}

TEST(DrawTest, LargeGridsAreSampled) {
  std::string svg = draw(Grid(1000, 700), 8);
  EXPECT_NE(svg.find("each cell stands for 8 x 6 tiles"), std::string::npos);
  EXPECT_LT(svg.size(), size_t(2) << 20);
  // No die is lost to the sampling.
  llvm::StringRef first = llvm::StringRef(svg).split("<g ").second;
  EXPECT_EQ(occurrences(first.split("</g>").first, "<path "), 8u);
}

TEST(DrawTest, RowsAreWrappedAndLayersNamed) {
  EXPECT_NE(draw(Grid(1000), 8).find("wrapped every 32"), std::string::npos);
  EXPECT_NE(draw(Grid(4, 4, 20), 8).find("layers z = 0, 2, 4, 7, 9"),
            std::string::npos);
}

TEST(DrawTest, AwkwardGridsAreDrawn) {
  for (Grid grid : {Grid(1), Grid(1, 1000), Grid(1000, 2), Grid(1, 1, 50),
                    Grid(3, 1, 2), Grid(17)})
    EXPECT_EQ(occurrences(draw(grid, 8), "<g "), 4u);
}

TEST(DrawTest, TextIsEscaped) {
  EXPECT_NE(draw(Grid(4), 2, "a < b & c").find("a &lt; b &amp; c"),
            std::string::npos);
}

} // namespace
