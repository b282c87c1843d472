//===- LaunchTest.cpp - What buffers hold ---------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rule of docs/bundle.md, with the bits that another program must come to.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Bundle/Launch.h"

#include "gtest/gtest.h"
#include <cmath>
#include <cstring>

using namespace swizzle;

namespace {

template <typename T>
std::vector<T> filled(ElementType type, int64_t seed, size_t count) {
  BufferArgument buffer;
  buffer.bytes = int64_t(count * sizeof(T));
  buffer.type = type;
  buffer.elementBytes = sizeof(T);
  buffer.fill = {FillKind::Random, seed};
  std::vector<T> values(count);
  fillBuffer(reinterpret_cast<unsigned char *>(values.data()), buffer);
  return values;
}

/// The first numbers of SplitMix64 from state 0, as its authors publish them,
/// end in f, 4 and b.
TEST(Launch, FollowsTheGenerator) {
  EXPECT_EQ(filled<int32_t>(ElementType::I32, 0, 1)[0],
            int32_t(0xe220a8397b1dcdafu % 16));
}

TEST(Launch, AllTypesHoldTheSameNumbers) {
  std::vector<int32_t> integers = filled<int32_t>(ElementType::I32, 7, 256);
  std::vector<float> floats = filled<float>(ElementType::F32, 7, 256);
  std::vector<double> doubles = filled<double>(ElementType::F64, 7, 256);
  std::vector<uint16_t> halves = filled<uint16_t>(ElementType::F16, 7, 256);
  std::vector<uint16_t> brains = filled<uint16_t>(ElementType::BF16, 7, 256);
  bool seen[16] = {};
  for (size_t i = 0; i < integers.size(); ++i) {
    ASSERT_TRUE(integers[i] >= 0 && integers[i] < 16);
    seen[integers[i]] = true;
    float expected = float(integers[i] - 8) / 8;
    EXPECT_EQ(floats[i], expected);
    EXPECT_EQ(doubles[i], double(expected));
    uint32_t bits;
    std::memcpy(&bits, &expected, 4);
    EXPECT_EQ(brains[i], bits >> 16);
    // Half precision by its definition: sign, 5 bits of exponent, 10 of
    // fraction.
    int exponent = halves[i] >> 10 & 31, fraction = halves[i] & 1023;
    double half = exponent ? std::ldexp(1 + fraction / 1024.0, exponent - 15)
                           : std::ldexp(fraction / 1024.0, -14);
    EXPECT_EQ(halves[i] >> 15 ? -half : half, double(expected));
  }
  for (bool one : seen)
    EXPECT_TRUE(one);
}

TEST(Launch, ARestThatIsShorterThanAnElementIsZero) {
  BufferArgument buffer;
  buffer.bytes = 7;
  buffer.type = ElementType::F32;
  buffer.fill = {FillKind::Random, 1};
  unsigned char bytes[8];
  std::memset(bytes, 0xff, sizeof(bytes));
  fillBuffer(bytes, buffer);
  EXPECT_EQ(bytes[4] | bytes[5] | bytes[6], 0);
  EXPECT_EQ(bytes[7], 0xff) << "not ours";
}

TEST(Launch, NamesOfEnumerationsAreReadBack) {
  for (size_t i = 0; i <= size_t(ElementType::F64); ++i)
    EXPECT_EQ(readElementType(toString(ElementType(i))), ElementType(i));
  for (size_t i = 0; i <= size_t(Direction::InOut); ++i)
    EXPECT_EQ(readDirection(toString(Direction(i))), Direction(i));
  for (size_t i = 0; i <= size_t(FillKind::Random); ++i)
    EXPECT_EQ(readFillKind(toString(FillKind(i))), FillKind(i));
  EXPECT_EQ(readElementType("f8"), std::nullopt);
}

} // namespace
