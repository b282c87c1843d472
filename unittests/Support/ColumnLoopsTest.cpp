//===- ColumnLoopsTest.cpp - Both ways to loop agree ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "swizzle/Support/ColumnLoops.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <random>
#include <vector>

using namespace swizzle;

namespace {

/// `fn` on columns of every length up to a few vectors, with and without them.
template <typename Out, typename A, typename Fn>
void expectSame(const std::vector<A> &a, const std::vector<A> &b, Fn fn) {
  for (size_t count = 0; count <= a.size(); ++count) {
    std::vector<Out> plain(a.size(), 99), fast(a.size(), 99);
    uint32_t plainFaults =
        columns::mapAny(count, a.data(), b.data(), a.data(), plain.data(), fn);
    uint32_t fastFaults =
        columns::map(count, a.data(), b.data(), a.data(), fast.data(), fn);
    EXPECT_EQ(plain, fast);
    EXPECT_EQ(plainFaults, fastFaults);
  }
}

TEST(ColumnLoops, AgreeWithAndWithoutVectors) {
  std::mt19937 random(1);
  std::vector<uint32_t> a(77), b(77);
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = random();
    b[i] = random() % 32 + 1;
  }
  expectSame<uint32_t>(a, b,
                       [](uint32_t x, uint32_t y, uint32_t, uint32_t &fault) {
                         fault = x % 7 == 0;
                         return (x >> (y & 31)) * y + x / y;
                       });
  expectSame<int64_t>(a, b, [](uint32_t x, uint32_t y, uint32_t z, uint32_t &) {
    return x < y ? int64_t(x) - z : int64_t(double(x) / double(y));
  });
}

TEST(ColumnLoops, Range) {
  std::mt19937 random(2);
  std::vector<int32_t> a(77);
  for (int32_t &value : a)
    value = int32_t(random());
  for (size_t count = 1; count <= a.size(); ++count) {
    auto [low, high] = std::minmax_element(a.begin(), a.begin() + count);
    EXPECT_EQ(columns::range(count, a.data()), std::pair(*low, *high));
    EXPECT_EQ(columns::rangeAny(count, a.data()), std::pair(*low, *high));
  }
}

} // namespace
