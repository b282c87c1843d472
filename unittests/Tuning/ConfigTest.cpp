//===- ConfigTest.cpp - The file of agents --------------------------------===//
//
// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file of agents: what is read, and what is refused.
//
//===----------------------------------------------------------------------===//

#include "swizzle/Tuning/Config.h"
#include "gtest/gtest.h"

using namespace swizzle;
using namespace llvm;

namespace {

std::string problemOf(StringRef text) {
  Expected<ConfigTexts> texts = parseConfig(text, "a.json");
  if (texts)
    return "";
  return toString(texts.takeError());
}

std::string with(StringRef members) {
  return (R"({"schema": "swizzle-agents/1", )" + members + "}").str();
}

TEST(Config, FieldsAreWhatOptionsWouldSay) {
  Expected<ConfigTexts> texts =
      parseConfig(with(R"("agent": "openai", "rounds": 6, "temperature": 0.5,
              "attach-picture": true, "extra-body": {"a": 1})"),
                  "a.json");
  ASSERT_TRUE(bool(texts)) << toString(texts.takeError());
  TuningConfig config;
  for (const auto &[name, value] : *texts)
    ASSERT_EQ(toString(setConfigField(config, name, value)), "");
  EXPECT_EQ(config.agents, "openai");
  EXPECT_EQ(config.tuning.rounds, 6u);
  EXPECT_EQ(config.agent.temperature, 0.5);
  EXPECT_TRUE(config.agent.attachPicture);
  EXPECT_EQ(config.agent.extraBody, R"({"a":1})");
}

TEST(Config, UnknownKeysNameTheNearest) {
  EXPECT_EQ(problemOf(with(R"("modle": "m")")),
            "a.json: unknown key 'modle'; did you mean 'model'?");
  EXPECT_EQ(problemOf(with(R"("nothing-like-it": 1)")),
            "a.json: unknown key 'nothing-like-it'");
}

TEST(Config, AKeyStandsOnce) {
  EXPECT_EQ(problemOf(with(R"("rounds": 2, "model": "m", "rounds": 9)")),
            "a.json: the key 'rounds' stands twice in one object");
}

TEST(Config, AKeyIsNeverRepeatedAndNeverInAFile) {
  std::string message = problemOf(with(R"("api-key": "sk-secret")"));
  EXPECT_EQ(message.find("sk-secret"), std::string::npos);
  EXPECT_NE(message.find("'key-variable' names"), std::string::npos) << message;
  TuningConfig config;
  message = toString(setConfigField(config, "key-variable", "sk-secret"));
  EXPECT_EQ(message.find("sk-secret"), std::string::npos) << message;
}

TEST(Config, ValuesHaveTheirKind) {
  EXPECT_EQ(problemOf(with(R"("rounds": "6")")),
            "a.json: the key 'rounds' takes a number");
  EXPECT_EQ(problemOf(with(R"("model": 6)")),
            "a.json: the key 'model' takes a text");
  EXPECT_EQ(problemOf(with(R"("extra-body": "{}")")),
            "a.json: the key 'extra-body' takes an object");
  EXPECT_EQ(problemOf(with(R"("attach-picture": 1)")),
            "a.json: the key 'attach-picture' takes true or false");
  EXPECT_NE(problemOf(with(R"("retries": null)")), "");
}

TEST(Config, TheSchemaIsRequired) {
  EXPECT_NE(problemOf("{}").find("swizzle-agents/1"), std::string::npos);
  EXPECT_NE(problemOf("[]"), "");
  EXPECT_NE(problemOf("{"), "");
  EXPECT_NE(problemOf(R"({"schema": "swizzle-agents/9"})"), "");
}

TEST(Config, LimitsHoldAsForOptions) {
  TuningConfig config;
  const std::pair<const char *, const char *> wrong[] = {
      {"rounds", "0"},          {"proposals", "-1"}, {"finalists", "0"},
      {"max-seconds", "-1"},    {"retries", "101"},  {"objective", "speed"},
      {"context", "all"},       {"agent", " "},      {"max-evaluations", "x"},
      {"context", "manual:no"}, {"no-such", "1"},
  };
  for (auto [name, value] : wrong) {
    std::string message = toString(setConfigField(config, name, value));
    EXPECT_NE(message, "") << name << "=" << value;
    EXPECT_NE(message.find(name), std::string::npos) << message;
  }
}

TEST(Config, TheReferenceListsEveryField) {
  std::string page = printConfigReference();
  for (const ConfigField &field : configFields())
    EXPECT_NE(page.find("| `" + field.name.str() + "` |"), std::string::npos)
        << field.name.str();
}

} // namespace
