//===- JoinReadsTest.cpp - Reads that a back end issues as one ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which reads are joined, which are left alone, and that the same bytes are
// read.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Kernel/JoinReads.h"
#include "swizzle/Kernel/PrintModel.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

using namespace swizzle;

namespace {

KernelModel modelOf(std::vector<Statement> body, bool noAlias = false) {
  KernelModel model = KernelModel::create({4}, {32});
  model.buffers.resize(2);
  for (Buffer &buffer : model.buffers)
    buffer.noAlias = noAlias;
  model.body = std::move(body);
  return model;
}

/// Reads `bytes` at 16 * tx + `offset`.
Access read(int64_t offset, int64_t bytes, int64_t alignment = 0,
            uint32_t buffer = 0) {
  Access access;
  access.buffer = buffer;
  access.address = makeVariable(kThreadIdX, 16) + makeConstant(offset);
  access.bytes = bytes;
  access.alignment = alignment;
  return access;
}

Access write(int64_t offset, int64_t bytes, uint32_t buffer) {
  Access access = read(offset, bytes, 0, buffer);
  access.kind = AccessKind::Write;
  return access;
}

/// "offset:bytes" of each access that is left, in order.
std::string joined(KernelModel model) {
  joinReads(model);
  std::string text;
  for (const Statement &statement : model.body)
    if (const auto *access = std::get_if<Access>(&statement.node))
      text += (text.empty() ? "" : " ") +
              std::to_string(access->address.constant) + ":" +
              std::to_string(access->bytes);
  return text;
}

TEST(JoinReads, SideBySideWhereTheFirstIsAligned) {
  EXPECT_EQ(joined(modelOf({{read(0, 2, 16)},
                            {read(2, 2, 2)},
                            {read(4, 2, 4)},
                            {read(6, 2, 2)}})),
            "0:8");
  // In any order, and as far as the alignment reaches.
  EXPECT_EQ(joined(modelOf({{read(4, 4, 4)},
                            {read(0, 4, 8)},
                            {read(8, 4, 8)},
                            {read(12, 4, 4)}})),
            "0:8 8:8");
  EXPECT_EQ(joined(modelOf({{read(0, 4, 32)},
                            {read(4, 4)},
                            {read(8, 4)},
                            {read(12, 4)},
                            {read(16, 4, 16)},
                            {read(20, 4)}})),
            "0:16 16:8");
  // Three are two and one.
  EXPECT_EQ(joined(modelOf({{read(0, 4, 16)}, {read(4, 4)}, {read(8, 4)}})),
            "0:8 8:4");
}

TEST(JoinReads, LeavesOthersAlone) {
  // Nothing is promised, a gap, another buffer, a barrier, another base.
  EXPECT_EQ(joined(modelOf({{read(0, 4, 4)}, {read(4, 4, 4)}})), "0:4 4:4");
  EXPECT_EQ(joined(modelOf({{read(0, 4, 16)}, {read(8, 4, 8)}})), "0:4 8:4");
  EXPECT_EQ(joined(modelOf({{read(0, 4, 16)}, {read(4, 4, 4, 1)}})), "0:4 4:4");
  EXPECT_EQ(joined(modelOf({{read(0, 4, 16)}, {Barrier()}, {read(4, 4)}})),
            "0:4 4:4");
  Access other = read(4, 4);
  other.address = other.address + makeVariable(kWorkgroupIdX, 512);
  EXPECT_EQ(joined(modelOf({{read(0, 4, 16)}, {other}})), "0:4 4:4");
  Access together = read(4, 4);
  together.issuer = Issuer::Subgroup;
  EXPECT_EQ(joined(modelOf({{read(0, 4, 16)}, {together}})), "0:4 4:4");
}

TEST(JoinReads, StoresBetweenKeepThemApart) {
  std::vector<Statement> body{{read(0, 4, 16)}, {write(0, 4, 1)}, {read(4, 4)}};
  EXPECT_EQ(joined(modelOf(body)), "0:4 0:4 4:4");
  // Unless they go elsewhere.
  EXPECT_EQ(joined(modelOf(body, /*noAlias=*/true)), "0:8 0:4");
  std::get<Access>(body[1].node).buffer = 0;
  EXPECT_EQ(joined(modelOf(body, /*noAlias=*/true)), "0:4 0:4 4:4");
}

TEST(JoinReads, SavesAnInstructionEach) {
  Guard guard;
  guard.conditions = {{makeVariable(kThreadIdX) - makeConstant(3), false}};
  guard.body = {{read(0, 8, 16)}, {read(8, 8)}, {Issue{5}}};
  KernelModel model = modelOf({{read(0, 4, 16)},
                               {read(4, 4)},
                               {guard},
                               {read(8, 4, 8)},
                               {read(12, 4)},
                               {Issue{9}}});
  joinReads(model);
  std::string text;
  llvm::raw_string_ostream os(text);
  printModel(model, os);
  EXPECT_NE(os.str().find("issue 4 instructions\n"), std::string::npos) << text;
  EXPECT_NE(os.str().find("  issue 7 instructions\n"), std::string::npos);
  EXPECT_EQ(countAccesses(model.body), 3u);
}

/// Bytes that thread 0 reads, over all accesses.
std::multiset<int64_t> bytesOf(const KernelModel &model) {
  std::multiset<int64_t> bytes;
  for (const Statement &statement : model.body)
    if (const auto *access = std::get_if<Access>(&statement.node))
      for (int64_t i = 0; i < access->bytes; ++i)
        bytes.insert(access->address.constant + i);
  return bytes;
}

TEST(JoinReads, LeavesNoBodyThatIssuesNothing) {
  KernelModel model = modelOf({{read(0, 4, 16)}, {read(4, 4)}, {Issue{1}}});
  joinReads(model);
  ASSERT_EQ(model.body.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<Access>(model.body.front().node));
  EXPECT_EQ(verify(model), "");
}

TEST(JoinReads, ReadsTheSameBytes) {
  std::mt19937 random(7);
  size_t fewer = 0;
  for (int turn = 0; turn < 2000; ++turn) {
    KernelModel model = modelOf({});
    for (unsigned i = 0; i < 1 + random() % 12; ++i) {
      int64_t bytes = int64_t(1) << random() % 4;
      int64_t offset = int64_t(random() % 8) * bytes;
      model.body.push_back({read(offset, bytes, offset & -offset)});
      if (random() % 8 == 0)
        model.body.push_back({Barrier()});
    }
    std::multiset<int64_t> before = bytesOf(model);
    size_t statements = model.body.size();
    joinReads(model);
    EXPECT_EQ(bytesOf(model), before) << turn;
    fewer += model.body.size() < statements;
    for (const Statement &statement : model.body)
      if (const auto *access = std::get_if<Access>(&statement.node))
        EXPECT_TRUE(access->bytes <= 16 &&
                    (access->bytes & (access->bytes - 1)) == 0);
  }
  EXPECT_GT(fewer, 200u);
}

} // namespace
