//===- RecordingTest.cpp - What was recorded is replayed ------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both kinds of store, repeated questions, failures, torn lines, and what a
// miss says.
//
//===----------------------------------------------------------------------===//

#include "Exchange/Recording.h"
#include "Agent/Core/Helpers.h"
#include "TemporaryFolder.h"
#include "swizzle/Records/RecordingFile.h"
#include "swizzle/Support/Hash.h"
#include "swizzle/Support/Json.h"

#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace swizzle;
using namespace swizzle::agent;
using namespace llvm;

namespace {

/// Answers with a list of texts; "!" stands for a refusal, "?" for a lost
/// connection.
class Script : public Exchange {
public:
  Script(std::vector<std::string> texts, std::string model)
      : texts(std::move(texts)), model(std::move(model)) {}

  Expected<Reply> send(const Conversation &) override {
    Usage usage;
    usage.requests = 1;
    usage.inputTokens = 10;
    usage.outputTokens = next;
    std::string text = texts.at(next++);
    if (text == "!")
      return makeAgentError(AgentErrorKind::Refused, "declined", usage);
    if (text == "?")
      return makeAgentError(AgentErrorKind::Connection, "lost", usage);
    return Reply{text, usage};
  }
  json::Object settings() const override {
    return json::Object{{"model", model}};
  }

private:
  std::vector<std::string> texts;
  std::string model;
  size_t next = 0;
};

class RecordingTest : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    options.recordPath = options.replayPath = folder.file(GetParam());
    options.environment =
        makeEnvironment({{"OPENAI_API_KEY", "sk-sentinel-0123456789"}});
  }

  std::unique_ptr<Exchange> record(std::vector<std::string> texts) {
    auto exchange = recordExchange(
        "openai", options, std::make_unique<Script>(std::move(texts), "m"));
    EXPECT_TRUE(bool(exchange)) << toString(exchange.takeError());
    return std::move(*exchange);
  }
  std::unique_ptr<Exchange> replay(StringRef agent = "openai",
                                   StringRef model = "m") {
    auto exchange =
        replayExchange(agent, json::Object{{"model", model}}, options);
    EXPECT_TRUE(bool(exchange)) << toString(exchange.takeError());
    return std::move(*exchange);
  }
  Conversation ask(Prompt &prompt) { return {context, prompt, std::nullopt}; }

  TemporaryFolder folder;
  AgentOptions options;
  AgentContext context;
  Prompt prompt{"system", "one\ntwo\nthree", R"({"type":"object"})", ""};
};

std::string textOf(Expected<Reply> reply) {
  if (reply)
    return reply->text;
  AgentError error = takeAgentError(reply.takeError());
  return (toString(error.kind) + ": " + error.message).str();
}

TEST_P(RecordingTest, SameAnswersInTheSameOrder) {
  auto recorder = record({"a\nb\r\n", "second", "\xff\x01", "!"});
  for (int i = 0; i < 4; ++i)
    consumeError(recorder->send(ask(prompt)).takeError());
  auto player = replay();
  EXPECT_EQ(textOf(player->send(ask(prompt))), "a\nb\r\n");
  Expected<Reply> second = player->send(ask(prompt));
  ASSERT_TRUE(bool(second));
  EXPECT_EQ(second->text, "second");
  EXPECT_EQ(second->usage.inputTokens, 10);
  EXPECT_EQ(second->usage.outputTokens, 1);
  EXPECT_EQ(textOf(player->send(ask(prompt))), "\xef\xbf\xbd\x01");
  EXPECT_EQ(textOf(player->send(ask(prompt))), "refused: declined");
  EXPECT_EQ(textOf(player->send(ask(prompt))), "a\nb\r\n") << "from the start";
}

TEST_P(RecordingTest, FailuresOfTheNetworkAreNotRecorded) {
  auto recorder = record({"?", "fine"});
  EXPECT_EQ(textOf(recorder->send(ask(prompt))), "connection: lost");
  EXPECT_EQ(textOf(recorder->send(ask(prompt))), "fine");
  EXPECT_EQ(textOf(replay()->send(ask(prompt))), "fine");
}

TEST_P(RecordingTest, WhatCannotBeStoredIsPaidAllTheSame) {
  auto recorder = record({"fine", "!"});
  // A folder where the file should be, and the other way round.
  if (StringRef(options.recordPath).ends_with(".jsonl")) {
    ASSERT_FALSE(sys::fs::create_directory(options.recordPath));
  } else {
    std::error_code code;
    raw_fd_ostream file(options.recordPath, code);
    ASSERT_FALSE(code) << code.message();
  }
  for (const char *words : {"cannot write", "declined"}) {
    Expected<Reply> reply = recorder->send(ask(prompt));
    ASSERT_FALSE(bool(reply));
    AgentError error = takeAgentError(reply.takeError());
    EXPECT_EQ(error.kind, AgentErrorKind::Configuration);
    EXPECT_NE(error.message.find(words), std::string::npos) << error.message;
    EXPECT_EQ(error.usage.requests, 1u);
    EXPECT_EQ(error.usage.inputTokens, 10);
  }
}

TEST_P(RecordingTest, KeysAreMasked) {
  auto recorder = record({"your key is sk-sentinel-0123456789"});
  EXPECT_EQ(textOf(recorder->send(ask(prompt))), "your key is ***");
  EXPECT_EQ(textOf(replay()->send(ask(prompt))), "your key is ***");
}

// A question may hold a key, too: in a hint, in what an agent said before.
TEST_P(RecordingTest, KeysInQuestionsAreMasked) {
  prompt.user = "one\nuse sk-sentinel-0123456789\nthree";
  Conversation repaired = ask(prompt);
  repaired.repair = Repair{"sk-sentinel-0123456789?", "b", "c"};
  auto recorder = record({"a", "b"});
  EXPECT_EQ(textOf(recorder->send(ask(prompt))), "a");
  EXPECT_EQ(textOf(recorder->send(repaired)), "b");
  std::vector<RecordedExchange> kept =
      cantFail(readRecording(options.recordPath));
  ASSERT_EQ(kept.size(), 2u);
  for (const RecordedExchange &one : kept)
    EXPECT_EQ(toText(json::Object(one.request)).find("sentinel"),
              std::string::npos);
  EXPECT_EQ(textOf(replay()->send(ask(prompt))), "a");
  EXPECT_EQ(textOf(replay()->send(repaired)), "b");
}

/// Earlier versions wrote what `extra-body` holds, this one its hash.
TEST_P(RecordingTest, ExtraBodiesThatStandThereAreHashed) {
  json::Object extra{{"reasoning_effort", "low"}};
  json::Object clear{{"model", "m"}, {"extra", json::Object(extra)}};
  json::Object hashed{{"model", "m"},
                      {"extra", hashText(toText(std::move(extra)))}};
  Error error = appendExchange(
      options.recordPath, {canonicalRequest("openai", clear, ask(prompt)),
                           json::Object{{"text", splitLines("as before")}}});
  ASSERT_FALSE(bool(error)) << toString(std::move(error));
  auto player = replayExchange("openai", std::move(hashed), options);
  ASSERT_TRUE(bool(player)) << toString(player.takeError());
  EXPECT_EQ(textOf((*player)->send(ask(prompt))), "as before");
}

TEST_P(RecordingTest, MissNamesTheLineThatDiffers) {
  Prompt other = prompt, far = prompt;
  other.user = "one\n2\nthree";
  far.user = "x\ny\nz\nw";
  auto recorder = record({"other", "far"});
  consumeError(recorder->send(ask(other)).takeError());
  consumeError(recorder->send(ask(far)).takeError());
  std::string message = textOf(replay()->send(ask(prompt)));
  EXPECT_NE(message.find("replay-miss: "), std::string::npos) << message;
  EXPECT_NE(message.find("line 2 of `user`: asked 'two', recorded '2'"),
            std::string::npos)
      << message;
}

TEST_P(RecordingTest, MissNamesTheSettingThatDiffers) {
  auto recorder = record({"a"});
  consumeError(recorder->send(ask(prompt)).takeError());
  std::string message = textOf(replay("openai", "n")->send(ask(prompt)));
  EXPECT_NE(message.find("`settings`"), std::string::npos) << message;
  message = textOf(replay("anthropic")->send(ask(prompt)));
  EXPECT_NE(message.find("`agent`: asked \"anthropic\", recorded \"openai\""),
            std::string::npos)
      << message;
  Conversation repaired = ask(prompt);
  repaired.repair = Repair{"a", "b", "c"};
  message = textOf(replay()->send(repaired));
  EXPECT_NE(message.find("the repair turn"), std::string::npos) << message;
  EXPECT_EQ(textOf(replay("", "whatever")->send(ask(prompt))), "a")
      << "texts alone";
}

TEST_P(RecordingTest, MissingStoreIsAnError) {
  auto exchange = replayExchange("openai", json::Object(), options);
  ASSERT_FALSE(bool(exchange));
  AgentError error = takeAgentError(exchange.takeError());
  EXPECT_EQ(error.kind, AgentErrorKind::Configuration);
  EXPECT_NE(error.message.find("cannot read the recording"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Stores, RecordingTest,
                         testing::Values("folder", "file.jsonl"),
                         [](const auto &test) {
                           return std::string(test.index ? "File" : "Folder");
                         });

class RecordingFileTest : public RecordingTest {};
INSTANTIATE_TEST_SUITE_P(File, RecordingFileTest,
                         testing::Values("file.jsonl"));

TEST_P(RecordingFileTest, TornLineIsTolerated) {
  auto recorder = record({"a", "b"});
  consumeError(recorder->send(ask(prompt)).takeError());
  {
    std::error_code code;
    raw_fd_ostream os(options.recordPath, code, sys::fs::OF_Append);
    os << R"({"schema": "swizzle-exch)";
  }
  EXPECT_EQ(textOf(replay()->send(ask(prompt))), "a");
  // Who goes on starts a line of his own.
  EXPECT_EQ(textOf(recorder->send(ask(prompt))), "b");
  auto replayed = replay();
  EXPECT_EQ(textOf(replayed->send(ask(prompt))), "a");
  EXPECT_EQ(textOf(replayed->send(ask(prompt))), "b");
}

TEST_P(RecordingFileTest, BrokenLineIsNamed) {
  auto recorder = record({"a", "b"});
  {
    std::error_code code;
    raw_fd_ostream os(options.recordPath, code);
    os << "{}\n";
  }
  consumeError(recorder->send(ask(prompt)).takeError());
  auto exchange = replayExchange("openai", json::Object(), options);
  ASSERT_FALSE(bool(exchange));
  EXPECT_NE(takeAgentError(exchange.takeError()).message.find("file.jsonl:1"),
            std::string::npos);
}

} // namespace
