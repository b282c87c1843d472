//===- RandomKernelTest.cpp - What random kernels are made of -------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A judge is only tried by what is written: every construct occurs, and a seed
// is the same kernel everywhere.
//
//===----------------------------------------------------------------------===//

#include "kernels/FuzzKernel.h"

#include <gtest/gtest.h>
#include <vector>

using namespace swizzle::fuzz;

namespace {

TEST(RandomKernel, HasEveryFeature) {
  int64_t hits[kNumFeatures] = {};
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    FuzzKernel kernel = writeKernel(Choices(seed));
    for (size_t i = 0; i < kNumFeatures; ++i)
      hits[i] += kernel.features[i];
  }
  for (size_t i = 0; i < kNumFeatures; ++i)
    EXPECT_GE(hits[i], 3) << nameOf(Feature(i));
}

TEST(RandomKernel, IsTheSameForTheSameChoices) {
  EXPECT_EQ(writeKernel(Choices(7)).text, writeKernel(Choices(7)).text);
  EXPECT_NE(writeKernel(Choices(7)).text, writeKernel(Choices(8)).text);
}

/// Bytes that run out become zeros: every input ends in a kernel.
TEST(RandomKernel, EndsForEveryInput) {
  for (uint8_t fill : {0x00, 0x5A, 0xFF})
    for (size_t size : {0, 1, 10, 1000}) {
      std::vector<uint8_t> bytes(size, fill);
      FuzzKernel kernel = writeKernel(Choices(bytes.data(), bytes.size()));
      EXPECT_NE(kernel.text.find("@k("), std::string::npos);
      EXPECT_LT(kernel.text.size(), 1000000u);
    }
}

} // namespace
