//===- WorkgroupMemoryTest.cpp - How banks serve an access ----------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Known answers, and random accesses against banks that are simulated pass by
// pass.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Kernel/WorkgroupMemory.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

using namespace swizzle;

namespace {

KernelModel modelOf(Grid block) {
  KernelModel model = KernelModel::create({1}, block);
  model.workgroupBuffers.push_back({"tile", 65536});
  return model;
}

WorkgroupAccess accessAt(AffineForm address, int64_t bytes) {
  WorkgroupAccess access;
  access.buffer = 0;
  access.address = std::move(address);
  access.bytes = bytes;
  return access;
}

std::optional<int64_t> passes(const WorkgroupAccess &access,
                              MemoryBanks banks = {32, 4},
                              int64_t subgroup = 32) {
  KernelModel model = modelOf({64});
  model.body.push_back({access});
  EXPECT_EQ(verify(model), "");
  return countBankPasses(model, access, banks, subgroup,
                         std::vector<int64_t>(model.variables.size(), 0));
}

AffineForm lanesApart(int64_t bytes) { return makeVariable(kThreadIdX, bytes); }

TEST(BankPasses, KnownAnswers) {
  EXPECT_EQ(passes(accessAt(lanesApart(4), 4)), 1);
  EXPECT_EQ(passes(accessAt(lanesApart(8), 4)), 2);
  EXPECT_EQ(passes(accessAt(lanesApart(128), 4)), 32);
  EXPECT_EQ(passes(accessAt(lanesApart(132), 4)), 1);
  EXPECT_EQ(passes(accessAt(makeConstant(12), 4)), 1) << "a broadcast";
  EXPECT_EQ(passes(accessAt(lanesApart(2), 2)), 1) << "two lanes in a word";
  EXPECT_EQ(passes(accessAt(lanesApart(16), 16)), 4) << "a quarter at a time";
  EXPECT_EQ(passes(accessAt(lanesApart(4), 4), {32, 4}, 64), 2);
  EXPECT_EQ(passes(accessAt(lanesApart(4), 4), {64, 4}, 64), 1);
}

TEST(BankPasses, UpdatesOfOneWordFollowEachOther) {
  WorkgroupAccess update = accessAt(makeConstant(0), 4);
  update.kind = AccessKind::Atomic;
  EXPECT_EQ(passes(update), 32);
  update.address = lanesApart(4);
  EXPECT_EQ(passes(update), 1);
}

TEST(BankPasses, RowsOfAMatrixByEightLanes) {
  // Eight rows of 16 bytes: 128 bytes apart they meet in four banks.
  WorkgroupAccess rows = accessAt(lanesApart(128), 16);
  rows.lanes = 8;
  EXPECT_EQ(passes(rows), 8);
  rows.address = lanesApart(128 + 16);
  EXPECT_EQ(passes(rows), 1);
}

TEST(BankPasses, FragmentsEightRowsOfSixteenBytesAtATime) {
  // 16 x 16 halves, in rows of 64 bytes, of 256, and padded by 16 bytes. On an
  // H200, ncu counts as many in a product that loads such fragments.
  WorkgroupAccess fragment = accessAt(makeConstant(0), 32);
  fragment.issuer = Issuer::Subgroup;
  for (auto [stride, expected] :
       {std::pair<int64_t, int64_t>{64, 16}, {256, 32}, {80, 4}, {272, 4}}) {
    fragment.box = {{16, stride}};
    EXPECT_EQ(passes(fragment), expected) << stride;
  }
  fragment.box = {{3, 64}};
  EXPECT_EQ(passes(fragment), 2) << "six pieces, two rows in the same banks";
}

TEST(BankPasses, IdleLanesAskForNothing) {
  KernelModel model = modelOf({32});
  WorkgroupAccess access = accessAt(lanesApart(128), 4);
  std::vector<int64_t> values(model.variables.size(), 0);
  std::vector<bool> active(32, false);
  EXPECT_EQ(countBankPasses(model, access, {32, 4}, 32, values, active), 0);
  active[3] = active[17] = true;
  EXPECT_EQ(countBankPasses(model, access, {32, 4}, 32, values, active), 2);
}

TEST(BankPasses, WhatIsNotKnown) {
  WorkgroupAccess access = accessAt(lanesApart(4), 4);
  EXPECT_EQ(passes(access, {0, 4}), std::nullopt);
  EXPECT_EQ(passes(access, {32, 0}), std::nullopt);
  access.address.reset();
  EXPECT_EQ(passes(access), std::nullopt);
}

/// Banks that are asked for words and serve one each, pass after pass.
int64_t simulate(const std::vector<std::set<int64_t>> &lanes, int64_t banks,
                 bool oneByOne) {
  std::vector<std::set<int64_t>> waiting = lanes;
  int64_t passes = 0;
  for (;; ++passes) {
    std::map<int64_t, int64_t> served; // the word by bank
    for (std::set<int64_t> &lane : waiting)
      for (auto word = lane.begin(); word != lane.end();) {
        auto [bank, fresh] = served.try_emplace(*word % banks, *word);
        bool mine = fresh || (!oneByOne && bank->second == *word);
        word = mine ? lane.erase(word) : std::next(word);
      }
    if (served.empty())
      return passes;
  }
}

TEST(BankPasses, AgreesWithSimulatedBanks) {
  std::mt19937 random(7);
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  for (int round = 0; round < 2000; ++round) {
    KernelModel model = modelOf({pick(1, 40), pick(1, 4)});
    MemoryBanks banks{int64_t(1) << pick(0, 6), int64_t(1) << pick(1, 3)};
    int64_t subgroup = int64_t(1) << pick(2, 6);
    VariableId half = model.addQuotient(makeVariable(kThreadIdX), pick(1, 8));
    WorkgroupAccess access = accessAt(
        makeVariable(kThreadIdX, pick(0, 40)) +
            makeVariable(kThreadIdX + 1, pick(0, 200)) +
            makeVariable(half, pick(0, 60)) + makeConstant(pick(0, 100)),
        int64_t(1) << pick(0, 4));
    access.kind = pick(0, 3) ? AccessKind::Read : AccessKind::Atomic;
    if (pick(0, 3) == 0)
      access.box.push_back({pick(1, 3), pick(1, 64)});
    access.lanes = pick(0, 3) ? 0 : pick(1, subgroup);

    std::vector<int64_t> values(model.variables.size(), 0);
    int64_t all = access.bytes;
    for (const BoxDim &dim : access.box)
      all *= dim.count;
    int64_t group = std::max<int64_t>(1, banks.count * banks.bytes / all);
    int64_t lanes =
        std::min(access.lanes ? access.lanes : subgroup, model.threads());
    int64_t expected = 0;
    for (int64_t first = 0; first < lanes; first += group) {
      std::vector<std::set<int64_t>> asked;
      for (int64_t t = first; t < std::min(first + group, lanes); ++t) {
        values[kThreadIdX] = t % model.block.x();
        values[kThreadIdX + 1] = t / model.block.x();
        evaluateDerived(model, values);
        int64_t at = evaluate(*access.address, values);
        std::multiset<int64_t> words;
        for (int64_t i = 0; i < (access.box.empty() ? 1 : access.box[0].count);
             ++i) {
          std::set<int64_t> once; // words of one run of bytes
          for (int64_t byte = 0; byte < access.bytes; ++byte)
            once.insert((at + byte +
                         (access.box.empty() ? 0 : i * access.box[0].stride)) /
                        banks.bytes);
          words.insert(once.begin(), once.end());
        }
        // A lane that asks for one word twice counts as two lanes.
        while (!words.empty()) {
          std::set<int64_t> part(words.begin(), words.end());
          for (int64_t word : part)
            words.erase(words.find(word));
          asked.push_back(std::move(part));
        }
      }
      expected +=
          simulate(asked, banks.count, access.kind == AccessKind::Atomic);
    }
    std::fill(values.begin(), values.end(), 0);
    EXPECT_EQ(countBankPasses(model, access, banks, subgroup, values), expected)
        << round;
  }
}

} // namespace
