//===- LineDifferenceTest.cpp - What differs between two texts ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small texts by eye; random ones against the textbook's longest common
// subsequence, and by applying what was found.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Support/LineDifference.h"

#include <gtest/gtest.h>
#include <random>

using namespace swizzle;

using Lines = std::vector<std::string>;

namespace {

TEST(LineDifference, NumbersOfValuesDoNotCount) {
  EXPECT_EQ(
      differenceOfLines("%0 = a\n%1 = b %0\n", "%0 = n\n%1 = a\n%2 = b %1\n"),
      Lines({"+%0 = n", " %1 = a", " %2 = b %1"}));
  EXPECT_EQ(differenceOfLines("%7 = a\n", "%8 = a\n"), Lines());
  EXPECT_EQ(differenceOfLines("%x = a\n", "%y = a\n"),
            Lines({"-%x = a", "+%y = a"}));
  EXPECT_EQ(differenceOfLines("%1 = a 1\n", "%1 = a 2\n"),
            Lines({"-%1 = a 1", "+%1 = a 2"}));
}

TEST(LineDifference, WhatIsFarFromAChangeIsLeftOut) {
  EXPECT_EQ(differenceOfLines("a\nb\nc\nd\ne\nf\n", "a\nB\nc\nd\ne\nF\n", 1),
            Lines({" a", "-b", "+B", " c", "...", " e", "-f", "+F"}));
  EXPECT_EQ(differenceOfLines("a\nb\nc\n", "A\nb\nc\n", 0),
            Lines({"-a", "+A"}));
}

TEST(LineDifference, EmptyTexts) {
  EXPECT_EQ(differenceOfLines("", ""), Lines());
  EXPECT_EQ(differenceOfLines("", "a\n"), Lines({"+a"}));
  EXPECT_EQ(differenceOfLines("a", ""), Lines({"-a"}));
}

TEST(LineDifference, ManyChangesAreGivenUpOn) {
  std::string before = "same\n", after = "same\n";
  for (int i = 0; i < 3000; ++i) {
    before += "a" + std::to_string(i) + "\n";
    after += "b" + std::to_string(i) + "\n";
  }
  Lines lines = differenceOfLines(before, after);
  ASSERT_EQ(lines.size(), 6001u);
  EXPECT_EQ(lines.front(), " same");
  EXPECT_EQ(lines.back(), "+b2999");
}

/// Lines that `a` and `b` have in common, by the table.
size_t longestCommon(const Lines &a, const Lines &b) {
  std::vector<std::vector<size_t>> best(a.size() + 1,
                                        std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t j = 0; j < b.size(); ++j)
      best[i + 1][j + 1] = a[i] == b[j]
                               ? best[i][j] + 1
                               : std::max(best[i][j + 1], best[i + 1][j]);
  return best[a.size()][b.size()];
}

std::string join(const Lines &lines) {
  std::string text;
  for (const std::string &line : lines)
    text += line + "\n";
  return text;
}

TEST(LineDifference, IsShortestAndApplies) {
  std::mt19937 random(7);
  for (int round = 0; round < 400; ++round) {
    Lines a(random() % 12), b(random() % 12);
    for (Lines *lines : {&a, &b})
      for (std::string &line : *lines)
        line = std::string(1, char('a' + random() % 4));
    Lines found = differenceOfLines(join(a), join(b), 100);
    Lines left, right;
    size_t changes = 0;
    for (const std::string &line : found) {
      changes += line[0] != ' ';
      if (line[0] != '+')
        left.push_back(line.substr(1));
      if (line[0] != '-')
        right.push_back(line.substr(1));
    }
    EXPECT_EQ(changes, a.size() + b.size() - 2 * longestCommon(a, b));
    if (a != b) {
      EXPECT_EQ(left, a);
      EXPECT_EQ(right, b);
    }
  }
}

} // namespace
