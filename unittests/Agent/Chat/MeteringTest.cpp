//===- MeteringTest.cpp - Accounts of exchanges that keep none ------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is reported, what is estimated, and that a budget holds for both.
//
//===----------------------------------------------------------------------===//

#include "Chat/Metering.h"
#include "Agent/Core/Helpers.h"

#include "swizzle/Agent/Core/Ledger.h"
#include "gtest/gtest.h"

using namespace swizzle;
using namespace swizzle::agent;
using namespace llvm;

namespace {

/// Answers with `text`, or fails, at the usage given.
class Scripted : public Exchange {
public:
  Expected<Reply> send(const Conversation &) override {
    ++asked;
    if (fails)
      return makeAgentError(AgentErrorKind::Timeout, "too slow", usage);
    return Reply{text, usage};
  }

  std::string text;
  Usage usage{/*requests=*/1};
  bool fails = false;
  unsigned asked = 0;
};

struct MeteringTest : ::testing::Test {
  MeteringTest() {
    options.ledger = std::make_shared<Ledger>(0, 0);
    options.inputPrice = 1;
    options.outputPrice = 10;
  }

  Expected<Reply> ask() {
    auto scripted = std::make_unique<Scripted>(script);
    Scripted *inner = scripted.get();
    auto exchange = meterExchange(options, std::move(scripted));
    Expected<Reply> reply = exchange->send({context, prompt, repair});
    asked += inner->asked;
    return reply;
  }

  Usage usageOf(const std::string &text) {
    script.text = text;
    Expected<Reply> reply = ask();
    EXPECT_TRUE(bool(reply));
    return reply ? reply->usage : Usage();
  }

  AgentContext context;
  // 300 + 600 + 30 bytes, a third of which are tokens.
  Prompt prompt{std::string(300, 's'), std::string(600, 'u'),
                std::string(30, '{'), ""};
  std::optional<Repair> repair;
  AgentOptions options;
  Scripted script;
  unsigned asked = 0;
};

TEST_F(MeteringTest, WhatNobodyReportsIsEstimated) {
  Usage usage = usageOf(std::string(60, 'a'));
  EXPECT_TRUE(usage.estimated);
  EXPECT_EQ(usage.requests, 1u);
  EXPECT_EQ(usage.inputTokens, 310);
  EXPECT_EQ(usage.outputTokens, 20);
  EXPECT_DOUBLE_EQ(usage.money, (310 + 20 * 10) / 1e6);
  EXPECT_EQ(options.ledger->spent().inputTokens, 310);
}

TEST_F(MeteringTest, TheRepairTurnIsPartOfTheQuestion) {
  repair = Repair{std::string(30, 'a'), "an error", std::string(60, 't')};
  EXPECT_EQ(usageOf("{}").inputTokens, 310 + 10 + 20);
}

TEST_F(MeteringTest, ProgramsMayReportWhatTheyUsed) {
  Usage usage = usageOf(
      R"(Here: {"proposals": [], "usage": {"input_tokens": 7, "output_tokens": 5}})");
  EXPECT_FALSE(usage.estimated);
  EXPECT_EQ(usage.requests, 1u);
  EXPECT_EQ(usage.inputTokens, 7);
  EXPECT_EQ(usage.outputTokens, 5);
  EXPECT_DOUBLE_EQ(usage.money, 57e-6);
  usage = usageOf(
      R"({"usage": {"prompt_tokens": 3, "completion_tokens": 4, "money": 0.5}})");
  EXPECT_EQ(usage.inputTokens, 3);
  EXPECT_EQ(usage.outputTokens, 4);
  EXPECT_DOUBLE_EQ(usage.money, 0.5);
  // Money alone: the tokens are estimated.
  usage = usageOf(R"({"usage": {"money": 0.5}})");
  EXPECT_TRUE(usage.estimated);
  EXPECT_EQ(usage.inputTokens, 310);
  EXPECT_DOUBLE_EQ(usage.money, 0.5);
}

TEST_F(MeteringTest, EachMissingHalfIsEstimated) {
  for (const char *text :
       {R"({"usage": {"input_tokens": 7}}                              )",
        R"({"usage": {"input_tokens": 7, "output_tokens": -5}}         )",
        R"({"usage": {"prompt_tokens": 7, "completion_tokens": null}}  )"}) {
    Usage usage = usageOf(text);
    EXPECT_TRUE(usage.estimated) << text;
    EXPECT_EQ(usage.inputTokens, 7) << text;
    EXPECT_EQ(usage.outputTokens, 20) << text;
    EXPECT_DOUBLE_EQ(usage.money, (7 + 20 * 10) / 1e6) << text;
  }
  Usage usage = usageOf(R"({"usage": {"output_tokens": 5}})");
  EXPECT_TRUE(usage.estimated);
  EXPECT_EQ(usage.inputTokens, 310);
  EXPECT_EQ(usage.outputTokens, 5);
}

TEST_F(MeteringTest, AReportThatCannotBeIsNone) {
  for (const char *text :
       {R"({"usage": {"input_tokens": -7, "output_tokens": "5"}})",
        R"({"usage": {"input_tokens": 0}})", R"({"usage": 12})",
        R"([{"usage": {"input_tokens": 12}}])", "no usage",
        R"({"usage": {"money": 1e999}})", R"({"usage": {"money": 1e300}})",
        R"({"usage": {"money": "1"}})"}) {
    Usage usage = usageOf(text);
    EXPECT_TRUE(usage.estimated) << text;
    EXPECT_EQ(usage.inputTokens, 310) << text;
    EXPECT_LT(usage.money, 1) << text;
  }
  // Money cannot be given back.
  EXPECT_GT(usageOf(R"({"usage": {"input_tokens": 1, "money": -3}})").money, 0);
  // Nor can it be without end, or absurd.
  for (const char *money : {"1e999", "1e300"}) {
    std::string text = R"({"usage": {"input_tokens": 1, "output_tokens": 1, )";
    EXPECT_DOUBLE_EQ(usageOf(text + "\"money\": " + money + "}}").money, 11e-6)
        << money;
  }
}

TEST_F(MeteringTest, WhatAnExchangeCountsItselfStands) {
  script.usage.inputTokens = 11;
  script.usage.outputTokens = 2;
  script.usage.money = 0.25;
  Usage usage = usageOf(R"({"usage": {"input_tokens": 99}})");
  EXPECT_FALSE(usage.estimated);
  EXPECT_EQ(usage.inputTokens, 11);
  EXPECT_DOUBLE_EQ(usage.money, 0.25);
}

TEST_F(MeteringTest, AFailureCostsWhatWasReserved) {
  script.fails = true;
  options.answerTokens = 1000;
  AgentError error = takeAgentError(ask().takeError());
  EXPECT_EQ(error.kind, AgentErrorKind::Timeout);
  EXPECT_TRUE(error.usage.estimated);
  EXPECT_EQ(error.usage.inputTokens, 310);
  EXPECT_EQ(error.usage.outputTokens, 1000);
  EXPECT_DOUBLE_EQ(error.usage.money, (310 + 1000 * 10) / 1e6);
  // Nobody was asked.
  script.usage.requests = 0;
  error = takeAgentError(ask().takeError());
  EXPECT_EQ(error.usage.inputTokens + error.usage.outputTokens, 0);
  EXPECT_EQ(error.usage.money, 0);
  EXPECT_EQ(options.ledger->spent().inputTokens, 310);
  EXPECT_EQ(options.ledger->spent().outputTokens, 1000);
}

TEST_F(MeteringTest, ABudgetEndsFailuresToo) {
  script.fails = true;
  options.answerTokens = 1000;
  options.ledger = std::make_shared<Ledger>(/*tokenLimit=*/2000, 0);
  EXPECT_EQ(takeAgentError(ask().takeError()).kind, AgentErrorKind::Timeout);
  EXPECT_EQ(takeAgentError(ask().takeError()).kind, AgentErrorKind::SpendLimit);
  EXPECT_EQ(asked, 1u);
}

TEST_F(MeteringTest, NothingIsAskedThatMayNotBePaid) {
  options.answerTokens = 1000;
  options.ledger = std::make_shared<Ledger>(/*tokenLimit=*/1400, 0);
  EXPECT_EQ(usageOf(std::string(300, 'a')).outputTokens, 100);
  EXPECT_EQ(asked, 1u);
  AgentError error = takeAgentError(ask().takeError());
  EXPECT_EQ(error.kind, AgentErrorKind::SpendLimit);
  EXPECT_EQ(asked, 1u);
  // 310 at 1 and 1000 at 10 are more than a hundredth.
  options.ledger = std::make_shared<Ledger>(0, /*moneyLimit=*/0.01);
  EXPECT_EQ(takeAgentError(ask().takeError()).kind, AgentErrorKind::SpendLimit);
  EXPECT_EQ(asked, 1u);
}

TEST_F(MeteringTest, AMoneyBudgetNeedsPrices) {
  EXPECT_FALSE(bool(checkPrices("command", options)));
  options.moneyBudget = 1;
  EXPECT_FALSE(bool(checkPrices("command", options)));
  for (auto [input, output] : {std::pair(0, 0), {1, 0}, {0, 1}}) {
    options.inputPrice = input;
    options.outputPrice = output;
    AgentError error = takeAgentError(checkPrices("command", options));
    EXPECT_EQ(error.kind, AgentErrorKind::Configuration);
    EXPECT_NE(error.message.find("input-price"), std::string::npos);
  }
}

} // namespace
