//===- WordingTest.cpp - Figures as a reason tells them -------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Planner/Wording.h"

#include <gtest/gtest.h>

using namespace swizzle::planner;

namespace {

TEST(Wording, ADigitIsEnoughMostly) {
  EXPECT_EQ(fromTo(1301.84, 1022.36), "1301.8 -> 1022.4");
  EXPECT_EQ(gainBelow(0.01, 0.0042), "0.4%");
  EXPECT_EQ(gainBelow(0.01, 0), "0.0%");
}

TEST(Wording, WhatDiffersReadsDifferently) {
  EXPECT_EQ(fromTo(0.135, 0.129), "0.14 -> 0.13");
  EXPECT_EQ(fromTo(0.0881, 0.0879), "0.0881 -> 0.0879");
  EXPECT_EQ(gainBelow(0.01, 0.0098), "0.98%");
  EXPECT_EQ(gainBelow(0.01, 0.00998), "0.998%");
}

TEST(Wording, DigitsEnd) {
  EXPECT_EQ(fromTo(2, 2), "2.0 -> 2.0");
  EXPECT_EQ(fromTo(1, 1.000001), "1.0000 -> 1.0000");
}

} // namespace
