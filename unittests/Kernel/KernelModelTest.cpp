//===- KernelModelTest.cpp - Affine forms and models ----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Affine arithmetic against direct evaluation, and what `verify` catches.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Kernel/KernelModel.h"

#include <gtest/gtest.h>

using namespace swizzle;

namespace {

TEST(AffineForm, ArithmeticAgreesWithEvaluation) {
  AffineForm a = makeVariable(0, 3) + makeVariable(4, -2) + makeConstant(7);
  AffineForm b = makeVariable(0, -3) + makeVariable(2, 5);
  std::vector<int64_t> values = {11, 13, 17, 19, 23, 29};
  EXPECT_EQ(evaluate(a + b, values), evaluate(a, values) + evaluate(b, values));
  EXPECT_EQ(evaluate(a - b, values), evaluate(a, values) - evaluate(b, values));
  EXPECT_EQ(evaluate(a * -4, values), -4 * evaluate(a, values));
  // The terms of x cancel and must be gone.
  EXPECT_EQ((a + b).terms.size(), 2u);
  EXPECT_TRUE((a * 0) == makeConstant(0));
}

TEST(KernelModel, QuotientsRoundDown) {
  KernelModel model = KernelModel::create({4}, {32});
  VariableId half =
      model.addQuotient(makeVariable(kWorkgroupIdX) - makeConstant(3), 2);
  EXPECT_EQ(model.addQuotient(makeVariable(kWorkgroupIdX) - makeConstant(3), 2),
            half);
  std::vector<int64_t> values(model.variables.size(), 0);
  for (int64_t x : {0, 1, 2, 3, 4, 5}) {
    values[kWorkgroupIdX] = x;
    evaluateDerived(model, values);
    EXPECT_EQ(values[half], (x + 1) / 2 - 2) << x;
  }
}

TEST(KernelModel, WhatMemoryHoldsIsAPermutation) {
  for (int64_t extent = 1; extent <= 4096; extent *= 2) {
    std::vector<bool> seen(extent);
    int64_t ascents = 0, even = 0;
    for (int64_t i = 0; i < extent; ++i) {
      int64_t value = scatter(i, extent);
      ASSERT_GE(value, 0);
      ASSERT_LT(value, extent);
      EXPECT_FALSE(seen[value]) << i << " of " << extent;
      seen[value] = true;
      ascents += i > 0 && value == scatter(i - 1, extent) + 1;
      even += i % 2 == 0 && value % 2 == 0;
    }
    // Neither neighbours nor residues keep their order.
    if (extent >= 256) {
      EXPECT_LT(ascents, extent / 32) << extent;
      EXPECT_NEAR(double(even), double(extent) / 4, double(extent) / 16)
          << extent;
    }
  }
}

// More places than numbers: each number again, in another order each time.
TEST(KernelModel, WhatMemoryHoldsComesAgain) {
  for (int64_t extent = 1; extent <= 4096; extent *= 2)
    for (int64_t round = 1; round < 5; ++round) {
      std::vector<bool> seen(extent);
      int64_t same = 0;
      for (int64_t i = 0; i < extent; ++i) {
        int64_t value = scatter(round * extent + i, extent);
        ASSERT_GE(value, 0);
        ASSERT_LT(value, extent);
        EXPECT_FALSE(seen[value]) << i << " of " << extent;
        seen[value] = true;
        same += value == scatter((round - 1) * extent + i, extent);
      }
      if (extent >= 256)
        EXPECT_LT(same, extent / 8) << round << " of " << extent;
    }
}

TEST(KernelModel, EqualPlacesHoldTheSame) {
  KernelModel model = KernelModel::create({4, 4}, {32});
  model.buffers.resize(2);
  model.buffers[1].name = "table";
  AffineForm place = makeVariable(kWorkgroupIdX, 4);
  VariableId page = model.addLoaded(1, place, 4, 16);
  EXPECT_EQ(model.addLoaded(1, place, 4, 16), page);
  EXPECT_NE(model.addLoaded(0, place, 4, 16), page);
  VariableId half = model.addQuotient(makeVariable(page), 2);
  EXPECT_EQ(verify(model), "");
  std::vector<int64_t> values(model.variables.size(), 0);
  for (int64_t x : {0, 1, 2, 3})
    for (int64_t y : {0, 3}) {
      values[kWorkgroupIdX] = x;
      values[kWorkgroupIdX + 1] = y;
      evaluateDerived(model, values);
      EXPECT_EQ(values[page], scatter(x, 16));
      EXPECT_EQ(values[half], scatter(x, 16) / 2);
    }
  EXPECT_EQ(toString(model, makeVariable(page, 8)), "8*table[4*x]");
  EXPECT_EQ(describeAssumptions(model).size(), 2u);
  EXPECT_EQ(describeAssumptions(model).back(),
            "what table holds, which says where to go: numbers spread evenly");
  model.variables[page].extent = 12;
  EXPECT_EQ(verify(model), "the extent of m6 is no power of two");
  model.variables[page].extent = 16;
  model.variables[page].buffer = 2;
  EXPECT_EQ(verify(model), "m6 is loaded from a buffer that is not there");
}

/// What is loaded may say where an access lies that is assumed, and nothing
/// else.
TEST(KernelModel, NothingCertainDependsOnWhatIsLoaded) {
  KernelModel model = KernelModel::create({4, 4}, {32});
  model.buffers = {{"table", 1024, 4}, {"out", 1024, 4}};
  VariableId page = model.addLoaded(0, makeVariable(kWorkgroupIdX, 4), 4, 16);
  AffineForm half = makeVariable(model.addQuotient(makeVariable(page), 2));
  VariableId step = model.addLoopCounter("step");
  Access access;
  access.buffer = 1;
  access.bytes = 4;
  access.address = half;
  access.assumed = true;
  auto told = [&](Statement statement) {
    KernelModel with = model;
    with.body = {std::move(statement)};
    return verify(with);
  };
  EXPECT_EQ(told({access}), "");
  const char *wrong =
      "what is taken for certain depends on a number that is loaded";
  access.assumed = false;
  EXPECT_EQ(told({access}), wrong);
  EXPECT_EQ(told({Loop{step, {half}, {}}}), wrong);
  Guard guard;
  guard.conditions.push_back({half});
  guard.body = {{access}};
  EXPECT_EQ(told({guard}), wrong);
  access.assumed = true;
  guard.body = {{access}};
  EXPECT_EQ(told({guard}), "");
  guard.otherwise = {{guard}, {access}};
  EXPECT_EQ(told({guard}), "");
  guard.otherwise.push_back({Barrier()});
  EXPECT_EQ(told({guard}), wrong);
  WorkgroupAccess inside;
  inside.buffer = 0;
  inside.bytes = 4;
  inside.address = half;
  model.workgroupBuffers.emplace_back();
  EXPECT_EQ(told({inside}), wrong);
}

TEST(KernelModel, PrintsForms) {
  KernelModel model = KernelModel::create({4}, {32});
  AffineForm form = makeVariable(0, 4) - makeVariable(3) + makeConstant(-2);
  EXPECT_EQ(toString(model, form), "4*x - tx - 2");
  VariableId half = model.addQuotient(makeVariable(0), 2);
  EXPECT_EQ(toString(model, makeVariable(half, 8)), "8*((x) // 2)");
}

TEST(KernelModel, FormsWrapAsAddressesDo) {
  AffineForm form = makeVariable(kWorkgroupIdX, int64_t(1) << 57);
  std::vector<int64_t> values(kFirstFreeVariable, 0);
  values[kWorkgroupIdX] = 129; // 2^64 + 2^57
  EXPECT_EQ(evaluate(form, values), int64_t(1) << 57);
  form.constant = INT64_MAX;
  EXPECT_EQ(evaluate(form, values), INT64_MIN + ((int64_t(1) << 57) - 1));
}

TEST(KernelModel, AccessesAreCountedWhereverTheyStand) {
  KernelModel model = KernelModel::create({4}, {32});
  EXPECT_EQ(countAccesses(model.body), 0u);
  Guard guard;
  guard.body = {{Access()}, {Barrier()}};
  guard.otherwise = {{Access()}, {WorkgroupAccess()}};
  Loop loop;
  loop.tripCounts = {makeConstant(100)};
  loop.body = {{Access()}, {guard}};
  model.body = {{loop}, {Compute()}, {Access()}};
  EXPECT_EQ(countAccesses(model.body), 4u);
}

TEST(KernelModel, VerifyNamesWhatIsWrong) {
  KernelModel model = KernelModel::create({4}, {32});
  EXPECT_EQ(verify(model), "");
  Access access;
  model.body.push_back({access});
  EXPECT_NE(verify(model).find("buffer that does not exist"),
            std::string::npos);
  model.buffers.push_back({"a"});
  EXPECT_EQ(verify(model), "");
  VariableId k = model.addLoopCounter("k");
  Loop loop;
  loop.counter = k;
  loop.tripCounts = {makeConstant(3)};
  model.body.push_back({loop});
  EXPECT_EQ(verify(model), "");
  model.body.push_back({loop});
  EXPECT_NE(verify(model).find("two loops"), std::string::npos);
}

} // namespace
