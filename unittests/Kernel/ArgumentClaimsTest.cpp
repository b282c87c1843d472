//===- ArgumentClaimsTest.cpp - What somebody says is passed --------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "swizzle/Kernel/ArgumentClaims.h"

#include "gtest/gtest.h"

using namespace swizzle;

namespace {

TEST(ArgumentClaims, EachKindIsRead) {
  auto claims = readArgumentClaims("?+-7+map:2:64x32:32x1:8x16+{?:4096:-1}");
  ASSERT_TRUE(bool(claims)) << llvm::toString(claims.takeError());
  ASSERT_EQ(claims->size(), 4u);
  EXPECT_TRUE(std::holds_alternative<std::monostate>((*claims)[0].what));
  EXPECT_EQ(std::get<int64_t>((*claims)[1].what), -7);
  EXPECT_EQ((*claims)[1].text, "-7");
  auto map = std::get<ClaimedTensorMap>((*claims)[2].what);
  EXPECT_EQ(map.elementBytes, 2);
  EXPECT_EQ(map.extents, (std::vector<int64_t>{64, 32}));
  EXPECT_EQ(map.strides, (std::vector<int64_t>{32, 1}));
  EXPECT_EQ(map.box, (std::vector<int64_t>{8, 16}));
  EXPECT_EQ(std::get<ClaimedMembers>((*claims)[3].what),
            (ClaimedMembers{std::nullopt, 4096, -1}));
}

TEST(ArgumentClaims, WhatIsNoneIsNamed) {
  for (const char *entry : {"",
                            "x",
                            "4x4",
                            "1.5",
                            "+",
                            "0x10",
                            "1125899906842624",
                            "-1125899906842624",
                            "-9223372036854775808",
                            "9223372036854775808",
                            "{",
                            "{}",
                            "}",
                            "{4",
                            "{4:}",
                            "{x}",
                            "{?:many}",
                            "{{4}}",
                            "map:",
                            "map:3:8:1:8",
                            "map:2:8x8:8:8x8",
                            "map:2:8x8:8x2:8x8",
                            "map:2:0x8:8x1:8x8",
                            "map:2:8x8x8x8x8x8:8x8x8x8x8x1:8x8x8x8x8x8",
                            "map:16:1099511627776x1024:1024x1:8x8"}) {
    auto claims = readArgumentClaims(std::string("?+") + entry);
    ASSERT_FALSE(bool(claims)) << entry;
    std::string message = llvm::toString(claims.takeError());
    std::string named = std::string("'") + (*entry == '+' ? "" : entry) + "'";
    EXPECT_NE(message.find(named), std::string::npos) << message;
  }
}

} // namespace
