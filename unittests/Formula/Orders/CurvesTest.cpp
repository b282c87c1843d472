//===- CurvesTest.cpp - Curves visit every cell once ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both curves against sorting, and the steps of the Hilbert curve.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Formula/Orders/Curves.h"
#include "Formula/Eval/NaiveEvaluator.h"

#include "gtest/gtest.h"

#include <cstdlib>

using namespace swizzle;

namespace {

TEST(CurvesTest, AgreeWithSortingOnEveryRectangle) {
  for (int64_t w = 1; w <= 20; ++w)
    for (int64_t h = 1; h <= 20; ++h) {
      auto hilbert = naive::curve(true, w, h);
      auto morton = naive::curve(false, w, h);
      for (int64_t i = 0; i < w * h; ++i) {
        CurvePoint a = hilbertPoint(i, w, h), b = mortonPoint(i, w, h);
        ASSERT_EQ(std::pair(a.x, a.y), hilbert[i]) << w << 'x' << h << ' ' << i;
        ASSERT_EQ(std::pair(b.x, b.y), morton[i]) << w << 'x' << h << ' ' << i;
      }
    }
}

TEST(CurvesTest, LargeSquaresAgreeWithSorting) {
  // Whole squares of an odd and an even number of levels, more than a table
  // takes at once, and ones that the edge cuts.
  const std::pair<int64_t, int64_t> rectangles[] = {
      {32, 32}, {64, 64}, {256, 256}, {65, 64}, {40, 33}, {300, 71}, {33, 129}};
  for (auto [w, h] : rectangles) {
    auto hilbert = naive::curve(true, w, h);
    auto morton = naive::curve(false, w, h);
    HilbertCursor cursor(w, h);
    HilbertWalk walk;
    for (int64_t i = 0; i < w * h; ++i) {
      // By leaps and bounds: no point is near the one before.
      int64_t at = i * 7919 % (w * h);
      CurvePoint a = cursor.at(at), b = mortonPoint(at, w, h);
      CurvePoint c = walk.at(at, w, h);
      ASSERT_EQ(std::pair(c.x, c.y), hilbert[at]) << w << 'x' << h << ' ' << at;
      ASSERT_EQ(std::pair(a.x, a.y), hilbert[at]) << w << 'x' << h << ' ' << at;
      ASSERT_EQ(std::pair(b.x, b.y), morton[at]) << w << 'x' << h << ' ' << at;
    }
  }
}

TEST(CurvesTest, AWalkChangesCurves) {
  // Down to a single cell, and to curves as long as there are cursors.
  HilbertWalk walk;
  for (int64_t w : {1, 8, 31, 32, 33, 1})
    for (int64_t h : {1, 4, 33})
      for (int64_t i = 0; i < w * h; ++i) {
        CurvePoint a = walk.at(i, w, h), b = hilbertPoint(i, w, h);
        ASSERT_EQ(std::pair(a.x, a.y), std::pair(b.x, b.y))
            << w << 'x' << h << ' ' << i;
      }
}

TEST(CurvesTest, HilbertStepsToNeighboursInWholeSquares) {
  const std::pair<int64_t, int64_t> rectangles[] = {
      {16, 16}, {64, 8}, {8, 64}, {100, 4}, {1, 50}, {32, 96}};
  for (auto [w, h] : rectangles) {
    unsigned jumps = 0;
    for (int64_t i = 1; i < w * h; ++i) {
      CurvePoint a = hilbertPoint(i - 1, w, h), b = hilbertPoint(i, w, h);
      jumps += std::abs(a.x - b.x) + std::abs(a.y - b.y) != 1;
    }
    EXPECT_EQ(jumps, 0u) << w << 'x' << h;
  }
}

TEST(CurvesTest, LargeRectanglesStayInside) {
  const int64_t big = (int64_t(1) << 31) - 1;
  for (int64_t i :
       {int64_t(0), int64_t(1), big, big * big / 3, big * big - 1}) {
    for (CurvePoint p : {hilbertPoint(i, big, big), mortonPoint(i, big, big)}) {
      EXPECT_GE(p.x, 0);
      EXPECT_LT(p.x, big);
      EXPECT_GE(p.y, 0);
      EXPECT_LT(p.y, big);
    }
  }
}

} // namespace
