//===- LedgerTest.cpp - Budgets cannot be overdrawn -----------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reservations, settlement, and what is left.
//
//===----------------------------------------------------------------------===//

#include "Helpers.h"

#include "gtest/gtest.h"

using namespace swizzle;
using namespace llvm;

namespace {

Usage makeUsage(int64_t input, int64_t output, double money = 0) {
  Usage usage;
  usage.requests = 1;
  usage.inputTokens = input;
  usage.outputTokens = output;
  usage.money = money;
  return usage;
}

TEST(LedgerTest, NoLimits) {
  Ledger ledger;
  EXPECT_FALSE(bool(ledger.reserve(int64_t(1) << 60, 1e12)));
}

TEST(LedgerTest, ReservationsCountUntilSettled) {
  Ledger ledger(1000, 0);
  EXPECT_FALSE(bool(ledger.reserve(600, 0)));
  AgentError error = takeAgentError(ledger.reserve(600, 0));
  EXPECT_EQ(error.kind, AgentErrorKind::SpendLimit);
  EXPECT_NE(error.message.find("400 are left"), std::string::npos)
      << error.message;
  ledger.settle(600, 0, makeUsage(100, 50));
  EXPECT_FALSE(bool(ledger.reserve(850, 0)));
  EXPECT_EQ(takeAgentError(ledger.reserve(1, 0)).kind,
            AgentErrorKind::SpendLimit);
  EXPECT_EQ(ledger.spent().inputTokens, 100);
}

TEST(LedgerTest, MoneyIsALimitOfItsOwn) {
  Ledger ledger(0, 1.0);
  EXPECT_FALSE(bool(ledger.reserve(1000000, 0.75)));
  EXPECT_EQ(takeAgentError(ledger.reserve(1, 0.5)).kind,
            AgentErrorKind::SpendLimit);
  ledger.settle(1000000, 0.75, makeUsage(10, 10, 0.25));
  EXPECT_FALSE(bool(ledger.reserve(1, 0.75)));
}

TEST(LedgerTest, WhatAResumedRunSpentCounts) {
  Ledger ledger(100, 0);
  ledger.book(makeUsage(80, 10));
  EXPECT_EQ(takeAgentError(ledger.reserve(11, 0)).kind,
            AgentErrorKind::SpendLimit);
}

TEST(LedgerTest, OverspendingLeavesNothing) {
  Ledger ledger(100, 0);
  EXPECT_FALSE(bool(ledger.reserve(50, 0)));
  ledger.settle(50, 0, makeUsage(50, 500));
  AgentError error = takeAgentError(ledger.reserve(1, 0));
  EXPECT_EQ(error.kind, AgentErrorKind::SpendLimit);
  EXPECT_NE(error.message.find("0 are left"), std::string::npos);
}

} // namespace
