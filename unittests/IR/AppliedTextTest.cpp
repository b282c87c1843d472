//===- AppliedTextTest.cpp - What LLVM IR says of its remaps --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "swizzle/IR/AppliedText.h"

#include "gtest/gtest.h"

using namespace swizzle;

/// The formula and its numbers as a line; what is wrong, or "none".
static std::string find(llvm::StringRef text, Grid grid) {
  auto found = findApplied(text, grid);
  if (!found)
    return llvm::toString(found.takeError());
  return *found ? printApplied((*found)->first, (*found)->second) : "none";
}

TEST(AppliedText, PrintsWhatItReads) {
  std::string one = "param G in {1, 2}; i = x * G; return i % gx, y, G = 2";
  std::string two = "?x?x?: return x % num_xcds, y, num_xcds = 8";
  std::string both = "16x4: " + one + "; " + two;
  EXPECT_EQ(find(both, Grid(16, 4)), "16x4: " + one);
  EXPECT_EQ(find(both, Grid(16, 5)), two);
  EXPECT_EQ(find(two + "; 16x4: " + one, Grid(16, 4)), "16x4: " + one);
  EXPECT_EQ(find("16x4: " + one, Grid(4, 16)), "none");
}

TEST(AppliedText, SaysWhatIsNoRemap) {
  EXPECT_EQ(find("words", Grid(4)),
            "swizzle.applied is 'words', which begins with no grid and formula "
            "such as '64x64: return y, x'");
  EXPECT_NE(find("4: return q q", Grid(4)).find("swizzle.applied:1:"),
            std::string::npos);
}
