//===- CommandTest.cpp - Programs as agents -------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs that answer, fail, hang, flood, and leave children behind.
//
//===----------------------------------------------------------------------===//

#include "Agent/Core/Helpers.h"
#include "swizzle/Support/Json.h"

#include "gtest/gtest.h"

using namespace swizzle;
using namespace llvm;

namespace {

struct Asked {
  AgentContext context;
  Prompt prompt{"be brief", "order these\nworkgroups", R"({"type": "object"})",
                ""};
  AgentOptions options;

  Expected<Reply> ask(StringRef command) {
    options.command = command.str();
    Expected<std::unique_ptr<Exchange>> exchange = makeCommandExchange(options);
    if (!exchange)
      return exchange.takeError();
    return (*exchange)->send(Conversation{context, prompt, std::nullopt});
  }

  AgentError askInVain(StringRef command) {
    Expected<Reply> reply = ask(command);
    if (reply)
      return AgentError(AgentErrorKind::Cancelled, "answered: " + reply->text);
    return takeAgentError(reply.takeError());
  }
};

TEST(CommandTest, ReadsTheRequestAndPrintsTheAnswer) {
  Asked asked;
  asked.context.kernel = "gemm";
  asked.context.hint = "control \x01 and \xff bytes";
  Expected<Reply> reply = asked.ask("cat");
  ASSERT_TRUE(bool(reply)) << toString(reply.takeError());
  EXPECT_EQ(reply->usage.requests, 1u);
  Expected<json::Value> request = parseJson(reply->text);
  ASSERT_TRUE(bool(request)) << toString(request.takeError());
  const json::Object *object = request->getAsObject();
  ASSERT_TRUE(object);
  EXPECT_EQ(object->getString("schema"), StringRef("swizzle-request/1"));
  EXPECT_EQ(object->getObject("prompt")->getString("user"),
            StringRef("order these\nworkgroups"));
  EXPECT_TRUE(object->getObject("answer_schema"));
  EXPECT_EQ(object->getObject("context")->getString("kernel"),
            StringRef("gemm"));
  EXPECT_FALSE(object->get("repair"));
}

TEST(CommandTest, HardwareIsToldOnlyWhereThePromptTellsIt) {
  Asked asked;
  asked.context.hardware.name = "some-chip";
  asked.context.baseline.from.device = "some-chip";
  asked.context.baseline.defaults = {"l2_ways of some-chip unknown"};
  NearRecord near;
  near.chip = "some-chip";
  asked.context.nearest.push_back(near);
  Attempt attempt;
  attempt.measurement = asked.context.baseline;
  asked.context.history.push_back(attempt);
  Conversation conversation{asked.context, asked.prompt, std::nullopt};
  auto told = [&] {
    return toText(*toRequestJson(conversation).get("context"));
  };
  // The chip, the record, and twice each the baseline and the attempt.
  EXPECT_EQ(StringRef(told()).count("some-chip"), 6u);
  asked.context.mode = ContextMode::None;
  EXPECT_EQ(StringRef(told()).count("some-chip"), 0u);
}

TEST(CommandTest, RepairTurnCarriesAnswerAndError) {
  Asked asked;
  Conversation conversation{asked.context, asked.prompt,
                            Repair{"[1, 2]", "not an object", "again"}};
  json::Object request = toRequestJson(conversation);
  const json::Object *repair = request.getObject("repair");
  ASSERT_TRUE(repair);
  EXPECT_EQ(repair->getString("answer"), StringRef("[1, 2]"));
  EXPECT_EQ(repair->getString("error"), StringRef("not an object"));
}

TEST(CommandTest, FailuresAreNamed) {
  Asked asked;
  AgentError error = asked.askInVain("echo out of ideas >&2; exit 3");
  EXPECT_EQ(error.kind, AgentErrorKind::Program);
  EXPECT_EQ(error.message, "the agent's command failed with exit status 3; it "
                           "wrote: out of ideas");
  EXPECT_EQ(error.usage.requests, 1u);

  error = asked.askInVain("/no/such/program");
  EXPECT_EQ(error.kind, AgentErrorKind::Program);
  EXPECT_NE(error.message.find("no such program"), std::string::npos);

  error = asked.askInVain("kill -SEGV $$");
  EXPECT_EQ(error.kind, AgentErrorKind::Program);
  EXPECT_NE(error.message.find("ended by signal 11"), std::string::npos);

  error = asked.askInVain("true");
  EXPECT_EQ(error.kind, AgentErrorKind::Program);
  EXPECT_NE(error.message.find("printed nothing"), std::string::npos);

  error = asked.askInVain(" ");
  EXPECT_EQ(error.kind, AgentErrorKind::Configuration);
}

TEST(CommandTest, OnlyTheEndOfStderrIsKept) {
  Asked asked;
  AgentError error = asked.askInVain("i=0; while [ $i -lt 3000 ]; do echo line "
                                     "$i >&2; i=$((i+1)); done; exit 1");
  EXPECT_NE(error.message.find("line 2999"), std::string::npos);
  EXPECT_EQ(error.message.find("line 1000 "), std::string::npos);
  EXPECT_LT(error.message.size(), 2200u);
}

TEST(CommandTest, LargeRequestToAProgramThatDoesNotRead) {
  Asked asked;
  asked.prompt.user = std::string(4 << 20, 'x');
  Expected<Reply> reply = asked.ask("echo '{}'");
  ASSERT_TRUE(bool(reply)) << toString(reply.takeError());
  EXPECT_EQ(reply->text, "{}\n");
}

TEST(CommandTest, LargeAnswerArrivesWhole) {
  Asked asked;
  Expected<Reply> reply = asked.ask("head -c 3000000 /dev/zero | tr '\\0' x");
  ASSERT_TRUE(bool(reply)) << toString(reply.takeError());
  EXPECT_EQ(reply->text.size(), 3000000u);
}

TEST(CommandTest, FloodIsCut) {
  Asked asked;
  asked.options.maxBodyBytes = 10000;
  EXPECT_EQ(asked.askInVain("yes").kind, AgentErrorKind::TooLarge);
  EXPECT_EQ(asked.askInVain("head -c 20000 /dev/zero").kind,
            AgentErrorKind::TooLarge);
}

// That the whole group goes is tested where the process is run.
TEST(CommandTest, TimeOutIsNamed) {
  Asked asked;
  asked.options.totalTimeoutMs = 300;
  AgentError error = asked.askInVain("sleep 1000");
  EXPECT_EQ(error.kind, AgentErrorKind::Timeout);
  EXPECT_NE(error.message.find("300 ms"), std::string::npos);
}

TEST(CommandTest, BackgroundChildThatKeepsThePipeOpenDoesNotBlock) {
  Asked asked;
  Expected<Reply> reply = asked.ask("sleep 1000 & echo '{}'");
  ASSERT_TRUE(bool(reply)) << toString(reply.takeError());
  EXPECT_EQ(reply->text, "{}\n");
}

TEST(CommandTest, CancelEndsIt) {
  Asked asked;
  std::atomic<bool> cancel{true};
  asked.options.cancel = &cancel;
  EXPECT_EQ(asked.askInVain("sleep 1000").kind, AgentErrorKind::Cancelled);
}

TEST(CommandTest, KeysInStderrAreMasked) {
  Asked asked;
  asked.options.environment =
      makeEnvironment({{"OPENAI_API_KEY", "sk-sentinel-0123456789"}});
  AgentError error =
      asked.askInVain("echo bad key sk-sentinel-0123456789 >&2; exit 1");
  EXPECT_EQ(error.message.find("sentinel"), std::string::npos) << error.message;
  EXPECT_NE(error.message.find("bad key ***"), std::string::npos);
}

} // namespace
